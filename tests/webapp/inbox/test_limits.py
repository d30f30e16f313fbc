"""The limits of incoming mail: how much an address of ours, and a sender, may bring within an hour."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from tests.answers import inbound_rows
from webapp.core.addresses import Purpose
from webapp.inbox.limits import OF_ADDRESS, OF_SENDER, WITHIN, AddressFull
from webapp.inbox.receiving import LARGEST, receive


def arrive_at(runtime, number, text="x", sender="ann@example.org"):
    """An email to the reply address of letter `number`, whether there is one or not."""
    return receive(runtime, sender, runtime.postmark.address(Purpose.REPLY, number), f"\n\n{text}".encode())


def test_an_address_accepts_a_limited_number_of_mails_an_hour(either_runtime, letter):
    first = arrive_at(either_runtime, letter.id, 0, "ann-0@example.org")
    for number in range(1, OF_ADDRESS.mails):
        arrive_at(either_runtime, letter.id, number, f"ann-{number}@example.org")
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, "one more", "bo@example.org")
    assert len(inbound_rows(either_runtime)) == OF_ADDRESS.mails
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, 0)
    arrive_at(either_runtime, letter.id + 1, "one more", "bo@example.org")
    either_runtime.now.pass_by(WITHIN)
    assert arrive_at(either_runtime, letter.id, 0) == first, "a copy is no news"
    for _ in range(OF_ADDRESS.mails):
        arrive_at(either_runtime, letter.id, "again", "bo@example.org")
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, "again", "bo@example.org")


def test_an_address_accepts_a_limited_number_of_bytes_an_hour(either_runtime, letter):
    for number in range(OF_ADDRESS.size // LARGEST):
        arrive_at(either_runtime, letter.id, f"{number}{'x' * LARGEST}")
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, "")
    either_runtime.now.pass_by(WITHIN)
    arrive_at(either_runtime, letter.id, "")


def test_a_senders_mails_are_limited_by_the_hour(runtime):
    for number in range(OF_SENDER.mails):
        arrive_at(runtime, number + 1)
    with pytest.raises(AddressFull):
        arrive_at(runtime, OF_SENDER.mails + 1)
    arrive_at(runtime, OF_SENDER.mails + 1, sender="bo@example.org")
    runtime.now.pass_by(WITHIN)
    arrive_at(runtime, OF_SENDER.mails + 1)


def test_a_mail_that_we_read_twice_counts_once(runtime):
    address = runtime.postmark.address(Purpose.REPLY, 1)
    for _ in range(OF_ADDRESS.mails + 1):
        receive(runtime, "ann@example.org", address, b"\n\n8H", is_ours_to_repeat=True)
    receive(runtime, "ann@example.org", address, b"\n\n9H")


def test_a_senders_bytes_are_limited_by_the_hour(runtime):
    most = OF_SENDER.size // LARGEST
    for number in range(most):
        arrive_at(runtime, number + 1, "x" * LARGEST)
    with pytest.raises(AddressFull):
        arrive_at(runtime, most + 1, "")


def test_bounces_without_a_sender_are_not_counted_together(runtime):
    for number in range(OF_SENDER.mails + 1):
        arrive_at(runtime, number + 1, sender="")
    assert len(inbound_rows(runtime)) == OF_SENDER.mails + 1


def test_simultaneous_mails_do_not_exceed_the_limit(either_runtime, letter):
    def is_kept(number):
        try:
            return bool(arrive_at(either_runtime, letter.id, number))
        except AddressFull:
            return False

    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(is_kept, range(2 * OF_ADDRESS.mails)))
    assert kept.count(True) == len(inbound_rows(either_runtime)) == OF_ADDRESS.mails


@pytest.mark.parametrize("column", ["recipient", "sender"])
def test_the_mails_of_the_last_hour_are_found_by_index(runtime, column):
    with runtime.database.reading() as session:
        query = f"SELECT count(*), sum(length(raw)) FROM inbound WHERE {column} = 'x' AND received_at > '2026-01-01'"
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
    assert f"INDEX ix_inbound_{column} ({column}=? AND received_at>?)" in str(plan)
