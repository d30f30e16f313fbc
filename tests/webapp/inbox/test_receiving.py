"""Incoming mails: stored as they came, once each, and deleted after a while."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, text

from tests.answers import inbound, inbound_rows, mail, send
from tests.cast import letters, open_table
from tests.runtimes import make_runtime
from webapp.core.addresses import AddressInvalid, Postmark, Purpose
from webapp.inbox import receiving
from webapp.inbox.receiving import receive


def test_a_mail_is_stored_byte_for_byte(either_runtime, letter):
    raw = b"From: ann@example.org\r\nMessage-ID: <1@home>\r\n\r\nQ\xe2\x99\xa0 \xff\x00\r\n"
    row = inbound(either_runtime, send(either_runtime, letter, raw, sender="<Ann@example.org>"))
    assert row.raw == raw
    assert (row.sender, row.identity, row.handled_at) == ("ann@example.org", "<1@home>", None)
    assert row.recipient == either_runtime.postmark.address(Purpose.REPLY, letter.id)
    assert row.received_at == row.next_at == either_runtime.now()


def test_a_duplicate_is_accepted_and_not_stored(either_runtime, letter):
    first = send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>"))
    assert send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>", X_Hops="2")) == first
    assert len(inbound_rows(either_runtime)) == 1


def test_simultaneous_duplicates_are_stored_once(either_runtime, letter):
    with ThreadPoolExecutor(4) as pool:
        ids = set(pool.map(lambda _: send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>")), range(8)))
    assert len(ids) == len(inbound_rows(either_runtime)) == 1


def test_the_same_mail_to_two_letters_is_stored_twice(runtime):
    open_table(runtime)
    for one in letters(runtime)[:2]:
        send(runtime, one, mail("Ann", "QS", Message_ID="<1@home>"))
    assert len(inbound_rows(runtime)) == 2


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"", id="none"),
        pytest.param(b"Message-ID: <1@home>\nMessage-ID: <2@home>\n", id="two"),
        pytest.param(b"Message-ID: " + b"x" * 300 + b"\n", id="too long"),
        pytest.param("Message-ID: <ä@home>\n".encode(), id="not in ASCII"),
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
    assert inbound_rows(runtime) == []


def test_an_address_with_eves_signature_is_refused(runtime):
    forged = Postmark(["e" * 40], runtime.settings.incoming_domain).address(Purpose.REPLY, 1)
    with pytest.raises(AddressInvalid):
        receive(runtime, "eve@example.org", forged, b"")


def test_a_service_without_replies_accepts_no_mail(tmp_path):
    silent = make_runtime(tmp_path / "var", smtp_url="smtp://127.0.0.1:1")
    with pytest.raises(AddressInvalid):
        receive(silent, "ann@example.org", "r-aaaa@", b"")
    silent.database.engine.dispose()


# later


def test_bodies_are_deleted_after_a_while_and_rows_are_kept(either_runtime, letter):
    inbound_id = send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>"))
    for age, has_body in ((receiving.KEPT_FOR, True), (receiving.KEPT_FOR / 1000, False)):
        either_runtime.now.pass_by(age)
        assert receiving.forget_old_mails(either_runtime, either_runtime.now()) == (not has_body)
        assert (inbound(either_runtime, inbound_id).raw is not None) is has_body
    assert send(either_runtime, letter, mail("Ann", "QS", Message_ID="<1@home>")) == inbound_id


def test_a_few_bodies_are_deleted_at_a_time(runtime, letter, monkeypatch):
    monkeypatch.setattr(receiving, "AT_ONCE", 2)
    for number in range(3):
        send(runtime, letter, mail("Ann", "QS", Message_ID=f"<{number}@home>"))
    runtime.now.pass_by(2 * receiving.KEPT_FOR)
    commits = []
    event.listen(runtime.database.engine, "commit", lambda _: commits.append(1))
    assert receiving.forget_old_mails(runtime, runtime.now()) == 3
    assert len(commits) == 2
    assert {row.raw for row in inbound_rows(runtime)} == {None}


def test_a_waiting_mail_is_found_by_its_index(runtime):
    with runtime.database.reading() as session:
        query = "SELECT id FROM inbound WHERE handled_at IS NULL AND next_at <= '2026-01-01' ORDER BY next_at"
        plan = session.connection().execute(text(f"EXPLAIN QUERY PLAN {query}")).fetchall()
    assert "INDEX ix_inbound_next_at" in str(plan)
