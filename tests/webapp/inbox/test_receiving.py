"""Incoming mails: stored as they came, once each, and deleted after a while."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from tests.answers import inbound, inbound_rows, mail, send
from tests.cast import address, letters, open_table, start_game
from tests.runtimes import make_runtime
from webapp.core.addresses import AddressInvalid, Postmark, Purpose
from webapp.games.clock import way_in
from webapp.inbox import receiving
from webapp.inbox.receiving import LARGEST, OF_ADDRESS, OF_SENDER, WITHIN, AddressFull, move_on, place_in, receive
from webapp.models import LetterKind, PlayerRow
from worker import scheduler
from worker.mail import compose


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


def test_a_mailbox_is_read_on_from_its_place(runtime):
    with runtime.database.writing() as session:
        assert place_in(session, "one", 1) == 0
        move_on(session, "one", 1, 7)
        move_on(session, "one", 1, 5)
    with runtime.database.reading() as session:
        assert (place_in(session, "one", 1), place_in(session, "two", 1)) == (7, 0)


def test_numbers_given_anew_begin_at_the_first(runtime):
    with runtime.database.writing() as session:
        move_on(session, "one", 1, 7)
        assert place_in(session, "one", 2) == 0
        move_on(session, "one", 2, 3)
        assert place_in(session, "one", 2) == 3


MINUTE = timedelta(minutes=1)
BY_MAIL = {"smtp_url": "smtp://127.0.0.1:9", "reply_domain": "in.hearts.localhost"}


@pytest.fixture
def make(tmp_path):
    made = []

    def make(**settings):
        made.append(make_runtime(tmp_path / "var", **{**BY_MAIL, **settings}))
        way_in.note_read(made[-1], made[-1].now())
        return made[-1]

    yield make
    for one in made:
        one.database.engine.dispose()


def shut_for(runtime, minutes):
    for _ in range(minutes):
        runtime.now.pass_by(MINUTE)
        scheduler.tell_of_unread_answers(runtime)


def test_an_operator_is_mailed_once_that_answers_are_unread(make, caplog):
    runtime = make(operator_address="eve@example.org")
    since = f"{runtime.now():%H:%M}"
    shut_for(runtime, 60)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        operator = session.get_one(PlayerRow, letter.player_id)
        message = compose(runtime, session, letter)
    assert operator.address == "eve@example.org"
    assert message["Subject"] == f"Answers cannot be read since Mon 2 March, {since} (UTC)"
    assert caplog.text.count("answers cannot be read since 2026-03-02") == 1


def test_a_host_who_plays_gets_it_as_that_player(make):
    runtime = make(operator_address=address("Ann"))
    start_game(runtime)
    way_in.note_read(runtime, runtime.now())
    shut_for(runtime, 60)
    (letter,) = letters(runtime, LetterKind.UNREAD)
    assert letter.player_id == 1


def test_nothing_is_mailed_of_answers_read_again_meanwhile(make):
    runtime = make(operator_address="eve@example.org")
    shut_for(runtime, 60)
    way_in.note_read(runtime, runtime.now())
    (letter,) = letters(runtime, LetterKind.UNREAD)
    with runtime.database.reading() as session:
        assert compose(runtime, session, letter) is None


@pytest.mark.parametrize(
    ("settings", "minutes", "logged"),
    [
        pytest.param({}, 60, 1, id="nobody named"),
        pytest.param({"operator_address": "eve@example.org"}, 10, 0, id="a restart"),
        pytest.param({"operator_address": "eve@example.org", "reply_domain": ""}, 60, 0, id="no answers by mail"),
    ],
)
def test_nobody_is_mailed_where_nothing_is_wrong(make, settings, minutes, logged, caplog):
    runtime = make(**settings)
    shut_for(runtime, minutes)
    assert letters(runtime, LetterKind.UNREAD) == []
    assert caplog.text.count("answers cannot be read") == logged
