"""Incoming mails: stored as they came, once each, and deleted after a while."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text
from sqlmodel import select

from tests.answers import inbound, mail, send
from tests.cast import letters, make_runtime, open_table
from webapp.core.addresses import AddressInvalid, Postmark, Purpose
from webapp.inbox import receiving
from webapp.inbox.limits import OF_ADDRESS, OF_SENDER, WITHIN, AddressFull
from webapp.inbox.receiving import receive
from webapp.models import InboundRow


@pytest.fixture
def letter(either_runtime):
    open_table(either_runtime)
    return letters(either_runtime)[0]


def rows_of(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(InboundRow)).all()


def test_a_mail_is_stored_byte_for_byte(either_runtime, letter):
    raw = b"From: ann@example.org\r\nMessage-ID: <1@home>\r\n\r\nQ\xe2\x99\xa0 \xff\x00\r\n"
    row = inbound(either_runtime, send(either_runtime, letter, raw, sender="<Ann@example.org>"))
    assert row.raw == raw
    assert (row.sender, row.identity, row.handled_at) == ("Ann@example.org", "<1@home>", None)
    assert row.recipient == either_runtime.postmark.address(Purpose.REPLY, letter.id)
    assert row.received_at == row.next_at == either_runtime.now()


def test_a_duplicate_is_accepted_and_not_stored(either_runtime, letter):
    first = send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>"))
    assert send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>", X_Hops="2")) == first
    assert len(rows_of(either_runtime)) == 1


def test_simultaneous_duplicates_are_stored_once(either_runtime, letter):
    with ThreadPoolExecutor(4) as pool:
        ids = set(pool.map(lambda _: send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>")), range(8)))
    assert len(ids) == len(rows_of(either_runtime)) == 1


def test_the_same_mail_to_two_letters_is_stored_twice(runtime):
    open_table(runtime)
    for one in letters(runtime)[:2]:
        send(runtime, one, mail("Ann", "QS", Message_ID="<1@home>"))
    assert len(rows_of(runtime)) == 2


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"", id="none"),
        pytest.param(b"Message-ID: <1@home>\nMessage-ID: <2@home>\n", id="two"),
        pytest.param(b"Message-ID: " + b"x" * 300 + b"\n", id="too long"),
        pytest.param("Message-ID: <ä@home>\n".encode(), id="not in ASCII"),
        pytest.param(b"Message-ID: <1@\x00home>\n", id="with a zero"),
    ],
)
def test_without_a_good_message_id_every_byte_distinguishes_a_mail(either_runtime, letter, head):
    raw = head + b"From: ann@example.org\n\nQS\n"
    row = inbound(either_runtime, send(either_runtime, letter, raw))
    assert row.identity == hashlib.sha256(raw).hexdigest()
    assert send(either_runtime, letter, raw) == row.id
    assert send(either_runtime, letter, raw + b"\n") != row.id


def test_a_sender_that_no_database_could_store_is_cleaned(either_runtime, letter):
    sender = f"a\0n\udcffn@{'x' * 400}.org"
    row = inbound(either_runtime, send(either_runtime, letter, b"\n\nQS", sender=sender))
    assert row.sender.startswith("an?n@")
    assert len(row.sender) == 320


@pytest.mark.parametrize("recipient", ["ann@example.org", "", "r-abc@hearts.localhost"])
def test_an_address_that_is_not_ours_is_refused(runtime, recipient):
    with pytest.raises(AddressInvalid):
        receive(runtime, "ann@example.org", recipient, b"")
    assert rows_of(runtime) == []


def test_an_address_with_eves_signature_is_refused(runtime):
    forged = Postmark(["e" * 40], runtime.settings.incoming_domain).address(Purpose.REPLY, 1)
    with pytest.raises(AddressInvalid):
        receive(runtime, "eve@example.org", forged, b"")


def test_a_service_without_replies_accepts_no_mail(tmp_path):
    silent = make_runtime(tmp_path / "var", smtp_url="smtp://127.0.0.1:1")
    with pytest.raises(AddressInvalid):
        receive(silent, "ann@example.org", "r-aaaa@", b"")
    silent.database.engine.dispose()


# limits


def arrive_at(runtime, number, text="x", sender="ann@example.org"):
    """An email to the reply address of letter `number`, whether there is one or not."""
    return receive(runtime, sender, runtime.postmark.address(Purpose.REPLY, number), f"\n\n{text}".encode())


def test_an_address_accepts_a_limited_number_of_mails_an_hour(either_runtime, letter):
    first = arrive_at(either_runtime, letter.id, 0, "ann-0@example.org")
    for number in range(1, OF_ADDRESS.mails):
        arrive_at(either_runtime, letter.id, number, f"ann-{number}@example.org")
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, "one more", "bo@example.org")
    assert len(rows_of(either_runtime)) == OF_ADDRESS.mails
    assert arrive_at(either_runtime, letter.id, 0) == first, "a copy is no news"
    arrive_at(either_runtime, letter.id + 1, "one more", "bo@example.org")
    either_runtime.now.pass_by(WITHIN)
    arrive_at(either_runtime, letter.id, "one more", "bo@example.org")


def test_an_address_accepts_a_limited_number_of_bytes_an_hour(either_runtime, letter):
    half = "x" * (OF_ADDRESS.size // 2 - 3)
    for number in (1, 2):
        arrive_at(either_runtime, letter.id, f"{number}{half}")
    with pytest.raises(AddressFull):
        arrive_at(either_runtime, letter.id, "")
    either_runtime.now.pass_by(WITHIN)
    arrive_at(either_runtime, letter.id, "")


def test_a_sender_may_send_a_limited_number_of_mails_an_hour_to_all_addresses(runtime):
    for number in range(OF_SENDER.mails):
        arrive_at(runtime, number + 1)
    with pytest.raises(AddressFull):
        arrive_at(runtime, OF_SENDER.mails + 1)
    arrive_at(runtime, OF_SENDER.mails + 1, sender="bo@example.org")
    runtime.now.pass_by(WITHIN)
    arrive_at(runtime, OF_SENDER.mails + 1)


def test_a_sender_may_send_a_limited_number_of_bytes_an_hour_to_all_addresses(runtime):
    tenth = "x" * (OF_SENDER.size // 10 - 2)
    for number in range(10):
        arrive_at(runtime, number + 1, tenth)
    with pytest.raises(AddressFull):
        arrive_at(runtime, 11, "")


def test_bounces_without_a_sender_are_not_counted_together(runtime):
    for number in range(OF_SENDER.mails + 1):
        arrive_at(runtime, number + 1, sender="")
    assert len(rows_of(runtime)) == OF_SENDER.mails + 1


def test_simultaneous_mails_do_not_exceed_the_limit(either_runtime, letter):
    def is_kept(number):
        try:
            return bool(arrive_at(either_runtime, letter.id, number))
        except AddressFull:
            return False

    with ThreadPoolExecutor(8) as pool:
        kept = list(pool.map(is_kept, range(2 * OF_ADDRESS.mails)))
    assert kept.count(True) == len(rows_of(either_runtime)) == OF_ADDRESS.mails


@pytest.mark.parametrize("column", ["recipient", "sender"])
def test_the_mails_of_the_last_hour_are_found_by_index(runtime, column):
    with runtime.database.reading() as session:
        query = f"SELECT count(*), sum(length(raw)) FROM inbound WHERE {column} = 'x' AND received_at > '2026-01-01'"
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
    assert f"INDEX ix_inbound_{column} ({column}=? AND received_at>?)" in str(plan)


# later


def test_bodies_are_deleted_after_a_while_and_rows_are_kept(either_runtime, letter):
    inbound_id = send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>"))
    for age, has_body in ((receiving.KEPT_FOR, True), (receiving.KEPT_FOR / 1000, False)):
        either_runtime.now.pass_by(age)
        with either_runtime.database.writing() as session:
            receiving.forget_old(session, either_runtime.now())
        assert (inbound(either_runtime, inbound_id).raw is not None) is has_body
    assert send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>")) == inbound_id


def test_a_waiting_mail_is_found_by_its_index(runtime):
    with runtime.database.reading() as session:
        query = "SELECT id FROM inbound WHERE handled_at IS NULL AND next_at <= '2026-01-01' ORDER BY next_at"
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
    assert "INDEX ix_inbound_next_at" in str(plan)
