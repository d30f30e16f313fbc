"""A worker sends several letters, one after another; trouble with one of them, or meanwhile, concerns no other."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes

import pytest
from sqlmodel import select, update

from hearts.seats import Seat
from tests.cast import NAMES, address, letters, start_game
from tests.runtimes import make_runtime
from tests.table import Table
from tests.webapp.migrations.rows import read_rows, write_rows
from tests.worker.scripted import CUT, HOLD, ScriptedRelay, sent, with_relay
from webapp.models import LetterKind, LetterRow, LetterState, MailedRow, PlayerRow
from webapp.outbox import allowance
from webapp.outbox.letters import BEGUN
from worker import attempts, postman

OVER = BEGUN + timedelta(seconds=1)
LATE = timedelta(hours=5)
FINE = "250 fine"
RACING = pytest.mark.parametrize("runtime", ["sqlite", "postgresql"], indirect=True)
LOCKING_ROWS = pytest.mark.parametrize("runtime", ["postgresql"], indirect=True)  # SQLite locks no rows
AT_THIRD = {"RCPT": [FINE, FINE, HOLD]}


class Killed(BaseException):
    """The end of a process, which nothing in it can catch."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """When all tests begin, the state of the chance, and the rows: eight questions, each a mail by itself."""
    made = make_runtime(tmp_path_factory.mktemp("begun"))
    for number in ("", "2"):
        start_game(made, tuple(f"{name}{number}" for name in NAMES))
    with made.database.writing() as session:  # nothing else waits
        session.exec(update(LetterRow).values(requested=True))
        session.exec(update(LetterRow).where(LetterRow.kind != LetterKind.TURNS).values(state=LetterState.SUPERSEDED))
    rows = read_rows(made.database.engine)
    made.database.engine.dispose()
    return made.now(), made.chance.getstate(), rows


@pytest.fixture
def runtime(request, begun, tmp_path):
    url = request.getfixturevalue("postgres_url") if getattr(request, "param", "") == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url, smtp_url="smtp://127.0.0.1:1")
    made.now.at, chance, rows = begun
    made.chance.setstate(chance)
    write_rows(made.database.engine, rows)
    yield made
    made.database.engine.dispose()


def questions(runtime):
    return letters(runtime, LetterKind.TURNS)


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


def test_a_letter_sent_but_not_noted_is_sent_again(runtime, monkeypatch):
    with monkeypatch.context() as patch, ScriptedRelay() as first:
        patch.setattr(attempts, "note_sent", killed)
        with pytest.raises(Killed):
            postman.deliver(with_relay(runtime, first.url))
    runtime.now.pass_by(OVER)
    again = deliver(runtime)
    assert set(sent(again).values()) == {1}
    assert first.kept == [one for one in again.kept if one in first.kept], "the same to the byte"
    assert len(first.kept) == 1
    assert states(runtime) == {LetterState.SENT: 8}
    assert len(counted(runtime)) == 8, "a copy counts once"


def killed(*_, **__):
    raise Killed


def test_a_worker_killed_after_sending_has_moved_the_deadline(runtime, monkeypatch):
    games = sorted({one.game_id for one in questions(runtime)})
    due_at = [Table(runtime, game_id).row.due_at for game_id in games]
    runtime.now.pass_by(LATE)
    monkeypatch.setattr(attempts, "note_sent", killed)
    with ScriptedRelay() as relay, pytest.raises(Killed):
        postman.deliver(with_relay(runtime, relay.url))
    assert states(runtime) == {LetterState.QUEUED: 8}
    asked = [questions(runtime)[0].game_id]
    assert [Table(runtime, game_id).row.due_at > at for game_id, at in zip(games, due_at, strict=True)] == [
        game_id in asked for game_id in games
    ]


@RACING
def test_what_was_answered_after_it_was_claimed_is_not_sent(runtime):
    answered = questions(runtime)[5]
    relay = while_third_is_sent(runtime, lambda there: Table(there, answered.game_id).pass_lowest(Seat(answered.seat)))
    assert len(sent(relay)) == 7
    assert answered.message_id not in sent(relay)
    now = questions(runtime)[5]
    assert (now.state, now.message) == (LetterState.SUPERSEDED, None)


@RACING
def test_a_mail_goes_to_its_players_present_address(runtime):
    changed = questions(runtime)[5]

    def moves(there):
        with there.database.writing() as session:
            session.get_one(PlayerRow, changed.player_id).address = "new@example.org"

    relay = while_third_is_sent(runtime, moves)
    (mail,) = [one for one in map(message_from_bytes, relay.kept) if one["Message-ID"] == changed.message_id]
    assert "new@example.org" in mail["To"]
    assert len(sent(relay)) == 8


@LOCKING_ROWS
def test_a_letter_that_somebody_has_locked_holds_up_no_other(runtime):
    locked = questions(runtime)[4]
    with ScriptedRelay({"RCPT": [HOLD]}) as relay, ThreadPoolExecutor(1) as pool:
        worker = pool.submit(postman.deliver, with_relay(runtime, relay.url))
        assert relay.held.wait(30), "all are claimed, and the others are not composed yet"
        with runtime.database.writing() as session:
            session.exec(select(LetterRow).where(LetterRow.id == locked.id).with_for_update()).one()
            relay.released.set()
            worker.result(timeout=30)
    assert len(sent(relay)) == 7
    runtime.now.pass_by(OVER)
    assert set(sent(deliver(runtime))) == {locked.message_id}


@pytest.mark.parametrize("fault", ["its text", "the count of its address"])
def test_a_letter_that_cannot_be_composed_delays_no_other(runtime, fault, caplog):
    broken = questions(runtime)[4]
    with runtime.database.writing() as session:
        row = session.get_one(LetterRow, broken.id)
        if fault == "its text":
            session.get_one(PlayerRow, row.player_id).time_zone = "Nowhere"
        else:
            row.address = address("Eve")
            allowance.take(session, runtime, row, row.address, runtime.now())
            session.exec(update(MailedRow).values(about_tables=[]))
    relay = deliver(runtime)
    assert len(sent(relay)) == 7
    row = questions(runtime)[4]
    assert (row.state, row.tries, row.problem) == (LetterState.QUEUED, 1, "it could not be composed")
    assert row.next_at > runtime.now()
    assert f"letter {broken.id} could not be composed" in caplog.text


REFUSALS = [
    pytest.param({"RCPT": [FINE, FINE, "550 no"]}, LetterState.FAILED, 0, id="for good"),
    pytest.param({"RCPT": [FINE, FINE, "450 4.2.0 busy"]}, LetterState.QUEUED, 0, id="later"),
    pytest.param({"RCPT": [FINE, FINE, CUT]}, LetterState.QUEUED, 0, id="a lost connection"),
    pytest.param({"RCPT": [FINE, FINE, "451 4.7.1 slow down"]}, LetterState.QUEUED, 5, id="that domain waits"),
    pytest.param({"RCPT": [FINE, FINE, "550 daily limit exceeded"]}, LetterState.QUEUED, 5, id="a no to us"),
]


@pytest.mark.parametrize(("script", "state", "waiting"), REFUSALS)
def test_a_refusal_concerns_one_letter_and_may_delay_others(runtime, script, state, waiting):
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


def test_once_an_address_is_silent_it_gets_nothing_more(runtime):
    silent = questions(runtime)[2]
    relay = deliver(runtime, {"RCPT": [FINE, FINE, "550 5.1.1 nobody"]})
    assert len(sent(relay)) == 7
    to_silent = [one.state for one in questions(runtime) if one.player_id == silent.player_id]
    assert to_silent == [LetterState.FAILED]


@LOCKING_ROWS
def test_a_refusing_relay_puts_off_all_letters_but_locked_ones(runtime, monkeypatch):
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
