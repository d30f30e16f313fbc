"""Sending a chunk: several letters are composed together, and what each of them was promised holds for all of them.

The first letter goes by itself, as nobody knows yet how fast the relay is; the other seven are one chunk.
"""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta
from email import message_from_bytes

import pytest
from sqlmodel import select, update

from hearts.seats import Seat
from tests.cast import address, letters, load, make_runtime, start_game
from tests.playing import pass_lowest
from tests.servers import wait_until
from tests.webapp.migrations.rows import read_rows, write_rows
from tests.worker.scripted import CUT, HOLD, ScriptedRelay, sent, with_relay
from webapp.models import LetterKind, LetterRow, LetterState, MailedRow, PlayerRow
from webapp.outbox import allowance
from webapp.outbox.leases import LEASE, claim, new_claim
from worker import attempts, composing, postman, sending

OVER = LEASE + timedelta(seconds=1)
LATE = timedelta(hours=5)
FINE = "250 fine"
LOCKING_ROWS = pytest.mark.parametrize("runtime", ["postgresql"], indirect=True)  # SQLite locks no rows
AT_THIRD = {"RCPT": [FINE, FINE, HOLD]}


class Killed(BaseException):
    """The end of a process, which nothing in it can catch."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """When all tests begin, the state of the chance, and the rows: eight questions, each a mail by itself."""
    made = make_runtime(tmp_path_factory.mktemp("begun"))
    for _ in range(2):
        start_game(made)
    with made.database.writing() as session:  # nothing else waits
        session.exec(update(LetterRow).values(requested=True))
        session.exec(update(LetterRow).where(LetterRow.kind != LetterKind.PASS).values(state=LetterState.SUPERSEDED))
    rows = read_rows(made.database.engine)
    made.database.engine.dispose()
    return made.now(), made.chance.getstate(), rows


@pytest.fixture(params=["sqlite", "postgresql"])
def runtime(request, begun, tmp_path, monkeypatch):
    monkeypatch.setattr(postman, "CHUNK_SECONDS", 1000.0)  # whatever else the machine does
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url, smtp_url="smtp://127.0.0.1:1")
    made.now.at, chance, rows = begun
    made.chance.setstate(chance)
    write_rows(made.database.engine, rows)
    yield made
    made.database.engine.dispose()


def questions(runtime):
    return letters(runtime, LetterKind.PASS)


def states(runtime):
    return Counter(one.state for one in questions(runtime))


def counted(runtime):
    """The letters that count for the day."""
    with runtime.database.reading() as session:
        return {int(number) for row in session.exec(select(MailedRow)) for number in row.about_tables}


def deliver(runtime, script=None):
    with ScriptedRelay({step: list(answers) for step, answers in (script or {}).items()}) as relay:
        postman.deliver(with_relay(runtime, relay.url))
        return relay


def while_third_is_sent(runtime, happens):
    """Lets a worker send until the relay keeps silent at the third letter, has `happens` happen, and lets it go on."""
    with ScriptedRelay({step: list(answers) for step, answers in AT_THIRD.items()}) as relay:
        there = with_relay(runtime, relay.url)
        with ThreadPoolExecutor(1) as pool:
            worker = pool.submit(postman.deliver, there)
            try:
                assert relay.held.wait(30)
                happens(there)
            finally:
                relay.released.set()
            worker.result()
        return relay


def test_the_letters_of_a_chunk_are_composed_before_the_first_of_them_goes(runtime):
    composed = []
    while_third_is_sent(runtime, lambda _: composed.extend(one.message for one in questions(runtime)))
    assert None not in composed
    assert states(runtime) == {LetterState.SENT: 8}


def test_a_slow_relay_gets_letters_that_are_composed_one_by_one(runtime, monkeypatch):
    monkeypatch.setattr(postman, "CHUNK_SECONDS", 0.0)
    composed = []
    while_third_is_sent(runtime, lambda _: composed.extend(one.message is not None for one in questions(runtime)))
    assert composed == [True] * 3 + [False] * 5


def test_a_question_answered_after_its_text_was_composed_is_not_sent_and_does_not_count(runtime):
    answered = questions(runtime)[5]

    def answers(there):
        pass_lowest(there, answered.game_id, Seat(answered.seat))
        time.sleep(sending.CHECK_EVERY)

    relay = while_third_is_sent(runtime, answers)
    assert answered.message_id not in sent(relay)
    assert len(sent(relay)) == 7
    now = questions(runtime)[5]
    assert (now.state, now.message) == (LetterState.SUPERSEDED, None), "as if it had never been composed"
    assert counted(runtime) == {one.id for one in questions(runtime)} - {answered.id}


def test_a_question_answered_while_the_texts_are_composed_is_not_sent(runtime, monkeypatch):
    answered, compose = questions(runtime)[5], composing.compose

    def composed(there, session, letter):
        message = compose(there, session, letter)
        if letter.id == answered.id:
            pass_lowest(runtime, answered.game_id, Seat(answered.seat))
        return message

    monkeypatch.setattr(composing, "compose", composed)
    assert answered.message_id not in sent(deliver(runtime))
    assert states(runtime) == {LetterState.SENT: 7, LetterState.SUPERSEDED: 1}


def test_a_mail_composed_while_its_player_changes_their_address_goes_to_the_new_one(runtime, monkeypatch):
    changed, compose = questions(runtime)[5], composing.compose

    def composed(there, session, letter):
        message = compose(there, session, letter)
        if letter.id == changed.id:
            with runtime.database.writing() as other:
                other.get_one(PlayerRow, changed.player_id).address = "new@example.org"
        return message

    monkeypatch.setattr(composing, "compose", composed)
    with ScriptedRelay() as relay:
        monkeypatch.setattr(postman, "CHUNK", 8)
        postman.deliver(with_relay(runtime, relay.url))
    (mail,) = [one for one in map(message_from_bytes, relay.kept) if one["Message-ID"] == changed.message_id]
    assert "new@example.org" in mail["To"]
    assert len(sent(relay)) == 8


def test_a_worker_killed_before_it_notes_a_chunk_has_copies_sent_under_the_same_ids(runtime, monkeypatch):
    note = attempts.note_all_sent

    def killed(there, letter_ids):
        if len(letter_ids) > 1:
            raise Killed
        note(there, letter_ids)

    with ScriptedRelay() as first:
        monkeypatch.setattr(attempts, "note_all_sent", killed)
        with pytest.raises(Killed):
            postman.deliver(with_relay(runtime, first.url))
    monkeypatch.setattr(attempts, "note_all_sent", note)
    runtime.now.pass_by(OVER)
    again = deliver(runtime)
    assert set(sent(first).values()) == set(sent(again).values()) == {1}
    assert len(first.kept) == 8
    assert sorted(again.kept) == sorted(first.kept[1:]), "the first was noted, and copies are the same to the byte"
    assert states(runtime) == {LetterState.SENT: 8}
    assert len(counted(runtime)) == 8, "a copy counts once"


def test_a_worker_killed_while_a_chunk_goes_has_moved_the_deadlines_of_what_went(runtime, monkeypatch):
    games = sorted({one.game_id for one in questions(runtime)})
    due_at = [load(runtime, game_id).row.due_at for game_id in games]
    runtime.now.pass_by(LATE)
    monkeypatch.setattr(attempts, "note_all_sent", lambda *_: (_ for _ in ()).throw(Killed))
    monkeypatch.setattr(postman, "CHUNK", 1)
    with ScriptedRelay() as relay, pytest.raises(Killed):
        postman.deliver(with_relay(runtime, relay.url))
    assert states(runtime) == {LetterState.QUEUED: 8}
    asked = [questions(runtime)[0].game_id]
    assert [load(runtime, game_id).row.due_at > at for game_id, at in zip(games, due_at, strict=True)] == [
        game_id in asked for game_id in games
    ]


@pytest.mark.parametrize("fault", ["its text", "the count of its address"])
def test_a_letter_that_cannot_be_composed_delays_no_other_of_its_chunk(runtime, fault, caplog):
    broken = questions(runtime)[4]
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, broken.id)
        if fault == "its text":
            row.hand = None
        else:
            row.address = address("Eve")
            allowance.take(session, runtime, [(row, row.address)], runtime.now())
            session.exec(update(MailedRow).values(about_tables=[]))
    relay = deliver(runtime)
    assert len(sent(relay)) == 7
    row = questions(runtime)[4]
    assert (row.state, row.tries, row.problem) == (LetterState.QUEUED, 1, "it could not be composed")
    assert row.next_at > runtime.now()
    assert f"letter {broken.id} could not be composed" in caplog.text


def test_a_frozen_worker_sends_nothing_of_its_chunk_that_another_has_claimed(runtime, monkeypatch):
    monkeypatch.setattr("worker.batch.RENEW_EVERY", 1000.0)

    def taken_over(there):
        runtime.now.pass_by(OVER)
        assert postman.deliver(there) == 7, "all that is not noted yet, but for what is sent"

    relay = while_third_is_sent(runtime, taken_over)
    copies = sent(relay)
    assert len(copies) == 8
    second = questions(runtime)[1].message_id
    assert {name for name, times in copies.items() if times > 1} <= {second}, "its own copy was not noted yet"
    assert states(runtime) == {LetterState.SENT: 8}


def test_what_another_worker_has_claimed_meanwhile_stays_as_that_worker_left_it(runtime, monkeypatch):
    monkeypatch.setattr("worker.batch.RENEW_EVERY", 1000.0)
    others = new_claim()

    def taken_over(_):
        runtime.now.pass_by(OVER)
        with runtime.database.writing() as session:
            claim(session, runtime.now(), 50, others)

    relay = while_third_is_sent(runtime, taken_over)
    assert len(relay.kept) == 2
    left = questions(runtime)[2:]
    assert {(one.state, one.claimed_by, one.message is None) for one in left} == {(LetterState.QUEUED, others, False)}
    assert counted(runtime) == {one.id for one in questions(runtime)}


REFUSALS = [
    pytest.param({"RCPT": [FINE, FINE, "550 5.7.1 spam"]}, LetterState.FAILED, 0, id="for good"),
    pytest.param({"RCPT": [FINE, FINE, "450 4.2.0 busy"]}, LetterState.QUEUED, 0, id="later"),
    pytest.param({"RCPT": [FINE, FINE, CUT]}, LetterState.QUEUED, 0, id="a lost connection"),
    pytest.param({"RCPT": [FINE, FINE, "451 4.7.1 slow down"]}, LetterState.QUEUED, 5, id="that domain waits"),
    pytest.param({"MAIL": [FINE, FINE, "421 closing", "421 closing"]}, LetterState.QUEUED, 5, id="the relay is down"),
]


@pytest.mark.parametrize(("script", "state", "waiting"), REFUSALS)
def test_a_refusal_in_a_chunk_is_of_that_letter_and_those_that_must_wait_are_composed_anew(
    runtime, script, state, waiting
):
    relay = deliver(runtime, script)
    assert len(sent(relay)) == 7 - waiting
    tried, *others = questions(runtime)[2:]
    assert (tried.state, tried.tries) == (state, 1)
    waits = [one for one in others if one.state is LetterState.QUEUED]
    assert len(waits) == waiting
    assert {(one.tries, one.message, one.claimed_by) for one in waits} <= {(0, None, None)}
    assert all(one.next_at > runtime.now() for one in waits)
    assert counted(runtime) == {one.id for one in questions(runtime) if one.state is LetterState.SENT}
    runtime.now.pass_by(timedelta(hours=1))
    deliver(runtime)
    assert states(runtime)[LetterState.SENT] == 8 - (state is LetterState.FAILED)


def test_once_an_address_is_silent_it_gets_nothing_more_of_the_chunk(runtime):
    silent = questions(runtime)[2]
    relay = deliver(runtime, {"RCPT": [FINE, FINE, "550 5.1.1 nobody"]})
    assert len(sent(relay)) == 6
    to_silent = [one.state for one in questions(runtime) if one.player_id == silent.player_id]
    assert to_silent == [LetterState.FAILED, LetterState.WITHHELD]


@LOCKING_ROWS
def test_letters_that_somebody_has_locked_hold_up_no_other_and_are_composed_by_themselves(runtime):
    locked = questions(runtime)[4]
    with ScriptedRelay({"RCPT": [HOLD]}) as relay, ThreadPoolExecutor(1) as pool:
        worker = pool.submit(postman.deliver, with_relay(runtime, relay.url))
        assert relay.held.wait(30), "all are claimed, and the chunk is not composed yet"
        with runtime.database.writing() as session:
            session.exec(select(LetterRow).where(LetterRow.id == locked.id).with_for_update()).one()
            relay.released.set()
            wait_until("all but one are sent", lambda: len(relay.kept) == 7)
            assert locked.message_id not in sent(relay)
        worker.result()
    assert set(sent(relay).values()) == {1}
    assert states(runtime) == {LetterState.SENT: 8}


@LOCKING_ROWS
def test_a_sent_letter_that_somebody_has_locked_is_noted_after_the_others(runtime):
    locked = questions(runtime)[4]
    with ScriptedRelay({"RCPT": [FINE, FINE, HOLD]}) as relay, ThreadPoolExecutor(1) as pool:
        worker = pool.submit(postman.deliver, with_relay(runtime, relay.url))
        assert relay.held.wait(30)
        with runtime.database.writing() as session:
            session.exec(select(LetterRow).where(LetterRow.id == locked.id).with_for_update()).one()
            relay.released.set()
            wait_until("the others are noted", lambda: states(runtime)[LetterState.SENT] == 7)
        worker.result()
    assert states(runtime) == {LetterState.SENT: 8}
    assert set(sent(relay).values()) == {1}


@LOCKING_ROWS
def test_a_relay_that_refuses_us_puts_off_all_letters_but_waits_for_none_that_somebody_has_locked(runtime, monkeypatch):
    monkeypatch.setattr(postman, "CHUNK_SECONDS", 0.0)  # each letter by itself
    locked = questions(runtime)[4]
    script = {"dot": [FINE, HOLD], "MAIL": [FINE, FINE, "530 5.7.0 log in first"]}
    with ScriptedRelay(script) as relay, ThreadPoolExecutor(1) as pool:
        worker = pool.submit(postman.deliver, with_relay(runtime, relay.url))
        assert relay.held.wait(30)
        with runtime.database.writing() as session:
            session.exec(select(LetterRow).where(LetterRow.id == locked.id).with_for_update()).one()
            relay.released.set()
            worker.result(timeout=30)
    assert states(runtime) == {LetterState.SENT: 2, LetterState.QUEUED: 6}
    waiting = [one for one in questions(runtime) if one.state is LetterState.QUEUED]
    assert [one.id for one in waiting if one.claimed_by] == [locked.id], "its lease ends by itself"


def test_nobody_who_writes_waits_while_texts_are_composed(runtime, monkeypatch):
    compose, waited = composing.compose, []

    def composed(there, session, letter):
        pool = ThreadPoolExecutor(1)
        done, _ = wait([pool.submit(writes, runtime, letter.player_id)], timeout=2)
        waited.append(not done)
        pool.shutdown(wait=False)
        return compose(there, session, letter)

    monkeypatch.setattr(composing, "compose", composed)
    deliver(runtime)
    assert waited == [False] * 8


def writes(runtime, number):
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).where(PlayerRow.id == number).values(name=PlayerRow.name))


def test_what_a_slow_relay_has_taken_is_noted_before_the_chunk_ends(runtime, monkeypatch):
    monkeypatch.setattr(sending, "NOTE_EVERY", 0.0)
    noted = []
    while_third_is_sent(runtime, lambda _: noted.append(states(runtime)))
    assert noted == [{LetterState.SENT: 2, LetterState.QUEUED: 6}]


def test_the_limit_of_a_day_holds_within_a_chunk(runtime):
    there = with_relay(runtime, "smtp://127.0.0.1:1", mails_a_day=6)  # questions wait after five
    with there.database.writing() as session:
        session.exec(update(LetterRow).where(LetterRow.kind == LetterKind.PASS).values(address=address("Bo")))
    with ScriptedRelay() as relay:
        postman.deliver(with_relay(there, relay.url))
    assert len(relay.kept) == 5
