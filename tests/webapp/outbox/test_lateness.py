"""Only a player who was asked in time is played for: when a late question moves its deadline, and when not."""

import logging
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from tests.cast import NAMES, address, leave, letters, start_game
from tests.mailing import player_id
from tests.races import none_fails
from tests.runtimes import make_runtime
from tests.servers import free_port
from tests.webapp.going_away import set_away, set_mails
from tests.webapp.outbox.late import (
    HOUR,
    MINUTE,
    STEP,
    TEN,
    all_but_one_are_asked,
    moved_by,
    play_at_deadline,
    questions,
    run_for,
    set_state,
    sources_of,
    unasked,
)
from tests.worker.push_service import PushService
from tests.worker.scripted import CUT, ScriptedRelay, with_relay
from webapp.accounts import devices
from webapp.games.clock.deadline import Asked, Hand, settle
from webapp.games.clock.hours import Hours, Quiet
from webapp.models import Clock, LetterRow, LetterState, PlayerRow, SeatRow, TurnSource
from webapp.outbox import holding
from webapp.outbox.lateness import (
    BROKEN_OFF_AT_MOST,
    SHORTEST_WAIT,
    TOLERATED_LATENESS,
    Unasked,
    asked_late,
    late_if_unasked,
    latest_retry_at,
    postpone_for_late_mail,
)
from webapp.play import due_games
from webapp.presentation.phrasing import timestamp
from worker import postman
from worker.attempts import RELAY_PAUSES

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
NO_TIME = timedelta()
SLACK = RELAY_PAUSES[-1] * 1.2 + STEP  # the longest that a question may wait for the next try at the relay
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)  # when Ann and Bo were asked
BO = SeatRow(seat=1, player_id=2)


def hand(pace, hours=None, *, stands=False):
    """The question to Ann and Bo; `hours` are Bo's."""
    asked = {seat: Asked(seat + 1, pace) for seat in (0, 1)}
    return Hand("pass", asked, {1: Hours(), 2: hours or Hours()}, pace, stands=stands)


# a mail that has gone late


@pytest.mark.parametrize(
    ("pace", "should_go", "goes", "moves"),
    [
        pytest.param(TEN, NO_TIME, MINUTE, NO_TIME, id="a tenth of ten minutes is tolerated"),
        pytest.param(TEN, NO_TIME, MINUTE + SECOND, MINUTE + SECOND, id="a second more moves it by all of that"),
        pytest.param(TEN, NO_TIME, postman.letters.LEASE + STEP, NO_TIME, id="what a dead worker had is not late"),
        pytest.param(2 * MINUTE, NO_TIME, TOLERATED_LATENESS, NO_TIME, id="of little time, half a minute is"),
        pytest.param(2 * MINUTE, NO_TIME, 31 * SECOND, 31 * SECOND, id="and more than that is late"),
        pytest.param(DAY, NO_TIME, 2 * HOUR, NO_TIME, id="two hours of a day are tolerated"),
        pytest.param(DAY, NO_TIME, 3 * HOUR, 3 * HOUR, id="three hours of a day are late"),
        pytest.param(TEN, 5 * MINUTE, 5 * MINUTE + 30 * SECOND, NO_TIME, id="a tenth of what it leaves is tolerated"),
        pytest.param(TEN, 5 * MINUTE, 6 * MINUTE, MINUTE, id="it counts from when the mail should have gone"),
        pytest.param(TEN, -HOUR, 2 * MINUTE, 2 * MINUTE, id="but not from before the question was asked"),
        pytest.param(TEN, NO_TIME, HOUR, HOUR, id="a deadline that is over moves as far"),
    ],
)
def test_a_deadline_moves_by_its_questions_lateness(pace, should_go, goes, moves):
    clock = settle(Clock(), hand(pace), AT)
    late = asked_late(clock, BO, AT + should_go, AT + goes)
    assert late.due_at == clock.due_at, "until it is settled"
    assert max(one.at + one.time for one in late.grants) - clock.due_at == moves


def test_a_moved_deadline_avoids_the_night():
    asks = hand(HOUR, Hours(quiet=Quiet(14, 21)))
    clock = settle(Clock(), asks, AT + HOUR - MINUTE)
    late = asked_late(clock, BO, AT + HOUR - MINUTE, AT + HOUR + 19 * MINUTE)
    assert settle(late, asks, AT + HOUR + 19 * MINUTE).due_at == AT.replace(hour=0) + DAY, "14:19 is too late for Bo"


def test_time_spent_paused_does_not_count_as_late():
    paused = settle(settle(Clock(), hand(TEN), AT), hand(TEN, stands=True), AT)
    assert asked_late(paused, BO, AT, AT + DAY) == paused, "no deadline moves while the clock stands"
    back_at = AT + 3 * DAY
    clock = asked_late(settle(paused, hand(TEN), back_at), BO, AT, back_at + 2 * MINUTE)
    assert settle(clock, hand(TEN), back_at + 2 * MINUTE).due_at == back_at + TEN + 2 * MINUTE


# a mail that has not gone when the deadline comes

UNTRIED, BROKEN_OFF, REFUSED = ({"tries": tries, "refused": refused} for tries, refused in ((0, 0), (3, 0), (3, 1)))
AS_GIVEN = "by as long as Bo was given, and no longer"


@pytest.mark.parametrize(
    ("letter", "should_go", "now", "game", "late"),
    [
        pytest.param(None, NO_TIME, HOUR, {}, HOUR, id="no worker has looked: in full"),
        pytest.param(UNTRIED, NO_TIME, HOUR, {}, HOUR, id="nobody has tried it: in full"),
        pytest.param(BROKEN_OFF, NO_TIME, HOUR, {}, HOUR, id="the relay breaks off with it: in full"),
        pytest.param(BROKEN_OFF, 4 * MINUTE, HOUR, {}, 56 * MINUTE, id="counted from when it should have gone"),
        pytest.param(BROKEN_OFF, -HOUR, HOUR, {}, HOUR, id="but not from before the question was asked"),
        pytest.param(REFUSED, NO_TIME, TEN, {}, TEN, id="the mailbox does not take it: " + AS_GIVEN),
        pytest.param(REFUSED, NO_TIME, HOUR, {}, TEN, id="it still does not: " + AS_GIVEN),
        pytest.param(REFUSED, 4 * MINUTE, HOUR, {}, 6 * MINUTE, id="it came up later: by what was left by then"),
        pytest.param(REFUSED, TEN + MINUTE, HOUR, {}, NO_TIME, id="it came up after the first deadline: not at all"),
        pytest.param(REFUSED, NO_TIME, HOUR, {"nothing_goes": True}, HOUR, id="no mail goes to anybody: in full"),
        pytest.param(BROKEN_OFF, NO_TIME, BROKEN_OFF_AT_MOST - SECOND, {}, BROKEN_OFF_AT_MOST - SECOND, id="for days"),
        pytest.param(
            BROKEN_OFF, NO_TIME, BROKEN_OFF_AT_MOST, {}, TEN, id="after three days, it may be this mail alone"
        ),
        pytest.param(UNTRIED, NO_TIME, BROKEN_OFF_AT_MOST, {}, TEN, id="likewise if nobody has tried it"),
        pytest.param(UNTRIED, NO_TIME, HOUR, {"is_live": True}, TEN, id="at a live pace: " + AS_GIVEN),
        pytest.param(
            UNTRIED, NO_TIME, HOUR, {"is_live": True, "nothing_goes": True}, TEN, id="though no mail goes: " + AS_GIVEN
        ),
    ],
)
def test_an_unasked_question_is_late_in_full_if_ours(letter, should_go, now, game, late):
    clock = settle(Clock(), hand(TEN), AT)
    waits = Unasked(BO, letter and LetterRow(**letter), AT + should_go)
    assert late_if_unasked(clock, waits, AT + now, **{"is_live": False, "nothing_goes": False, **game}) == late


# the service obeys


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def down(runtime):
    """The same runtime with nothing listening at the relay's address."""
    return with_relay(runtime, f"smtp://127.0.0.1:{free_port()}")


def test_nobody_is_played_for_while_the_relay_is_down(runtime, down, smtp_server):
    table = start_game(runtime, pace=TEN)
    asked_at = runtime.now()
    run_for(down, timedelta(minutes=12))
    assert sources_of(table) == []
    run_for(runtime, SLACK)
    (absent_from,) = {letter.sent_at for letter in questions(runtime)}
    late = absent_from - asked_at
    assert timedelta(minutes=12) <= late <= timedelta(minutes=12) + SLACK
    assert table.due_at == asked_at + TEN + late, "as long as the question was late, and no longer"
    asking = [mail for mail in smtp_server.mails if "Pass three" in mail.subject]
    assert len(asking) == len(NAMES)
    until = timestamp(absent_from + TEN, absent_from, "UTC").text
    assert all(until.partition(" (")[0] in mail.text for mail in asking if mail.to != address("Ann"))
    run_for(runtime, TEN - SLACK - STEP)
    assert sources_of(table) == [], "each has the whole time"
    run_for(runtime, SLACK + STEP)
    assert sources_of(table)[:4] == [TurnSource.TIMEOUT] * 4


def test_while_an_operator_holds_all_mail_nobody_is_played_for(runtime):
    table = start_game(runtime, pace=TEN)
    with runtime.database.writing() as session:
        holding.hold(session, "ann", runtime.now())
    run_for(runtime, 5 * TEN)
    assert sources_of(table) == []
    with runtime.database.writing() as session:
        holding.resume(session, "ann", runtime.now())
    run_for(runtime, STEP)
    assert table.due_at == questions(runtime)[0].sent_at + TEN


@pytest.mark.parametrize(
    ("answer", "is_refused"),
    [
        pytest.param(CUT, False, id="the relay breaks off"),
        pytest.param("452 4.3.1 no room", False, id="the relay has no room"),
        pytest.param("452 4.2.2 no room", True, id="the mailbox has no room"),
        pytest.param("450 try again later", True, id="nobody knows"),
        pytest.param("550 5.4.5 Daily sending limit exceeded", False, id="a limit of ours"),
    ],
)
def test_a_letter_is_refused_unless_our_relay_is_at_fault(runtime, answer, is_refused):
    start_game(runtime, pace=TEN)
    all_but_one_are_asked(runtime, 2)
    with ScriptedRelay({"DATA": [answer] * 9}) as relay:
        postman.deliver(with_relay(runtime, relay.url))
    (letter,) = questions(runtime, 2)
    assert letter.refused is is_refused


@pytest.mark.parametrize(
    ("pace", "is_refused", "waits"),
    [
        pytest.param(TEN, False, True, id="broken off"),
        pytest.param(TEN, True, False, id="refused"),
        pytest.param(7 * SECOND, False, False, id="at a live pace"),
    ],
)
def test_a_deadline_waits_again_for_a_relay_unless_live(runtime, pace, is_refused, waits):
    table = start_game(runtime, pace=pace)
    given = table.due_at - runtime.now()
    all_but_one_are_asked(runtime, 2)
    set_state(runtime, 2, tries=3, refused=is_refused, next_at=runtime.now() + DAY)
    assert play_at_deadline(table) == 0
    assert moved_by(table.stored) == given
    assert (play_at_deadline(table) == 0) is waits


def test_one_unasked_player_of_four_makes_all_wait(runtime, caplog):
    caplog.set_level(logging.INFO)
    table = start_game(runtime, pace=TEN)
    all_but_one_are_asked(runtime, 2)
    assert play_at_deadline(table) == 0
    assert moved_by(table.stored) == TEN
    assert [letter.seat for letter in letters(runtime) if letter.moved_at] == [2]
    said = [record.getMessage() for record in caplog.records if record.name == "webapp.outbox.lateness"]
    assert said == [f"game {table.game_id}: the deadline moves by 600 s, since a question was late"], "without names"


def test_an_answer_before_the_deadline_needs_no_question(runtime, down):
    table = start_game(runtime, pace=TEN)
    run_for(down, TEN / 2)
    table.pass_all()
    assert moved_by(table.stored) == NO_TIME
    assert table.due_at == runtime.now() + TEN


def test_a_moved_deadline_holds_up_no_robot_or_away_player(runtime, down):
    table = start_game(runtime, NAMES[:2], robots=2, pace=TEN)
    set_away(runtime, table.table_id, 1, away=True)
    run_for(down, TEN + STEP)
    assert sorted(sources_of(table)) == [TurnSource.AWAY, TurnSource.ROBOT, TurnSource.ROBOT]


# players who were asked, or cannot be


def on_the_page(table):
    table.beat(2)


def wants_no_mails(table):
    set_mails(table.runtime, table.table_id, 2, mails=False)


def cannot_be_reached(table):
    with table.runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(table.runtime, "Cy")).unreachable_at = table.runtime.now()


def becomes(state):
    return lambda table: set_state(table.runtime, 2, next_at=None, state=state)


@pytest.mark.parametrize(
    ("happens", "waits_for"),
    [
        pytest.param(lambda table: None, ["Cy"], id="the mail waits"),
        pytest.param(on_the_page, [], id="has looked at the game since"),
        pytest.param(wants_no_mails, [], id="wants no mail of this table"),
        pytest.param(cannot_be_reached, [], id="the address is silenced"),
        pytest.param(becomes(LetterState.NOTIFIED), [], id="a device was notified in its place"),
        pytest.param(becomes(LetterState.SENT), [], id="the relay took it"),
        pytest.param(becomes(LetterState.BOUNCED), [], id="it came back"),
        pytest.param(becomes(LetterState.FAILED), [], id="the relay refused it for good"),
    ],
)
def test_no_deadline_waits_for_players_asked_or_unreachable(runtime, happens, waits_for):
    table = start_game(runtime, pace=TEN)
    all_but_one_are_asked(runtime, 2)
    runtime.now.pass_by(2 * MINUTE)
    happens(table)
    assert unasked(table) == waits_for


def test_a_question_that_waits_for_the_morning_is_not_late(runtime):
    table = start_game(runtime, pace=TEN)
    all_but_one_are_asked(runtime, 1)
    set_state(runtime, 1, created_at=table.due_at + HOUR)
    assert unasked(table) == []


def test_a_late_mail_names_the_deadline_that_it_moves(runtime, smtp_server):
    table = start_game(runtime, pace=TEN)
    before = table.due_at
    runtime.now.pass_by(2 * MINUTE)
    postman.deliver(runtime)
    stored = table.stored
    assert (stored.row.due_at, moved_by(stored)) == (before + 2 * MINUTE, 2 * MINUTE)
    assert [letter.moved_at for letter in questions(runtime)].count(None) == 3, "one moves it for all"
    (mail,) = [mail for mail in smtp_server.to(address("Bo")) if "Pass three" in mail.subject]
    assert timestamp(table.due_at, runtime.now(), "UTC").text.partition(" (")[0] in mail.text


def test_a_question_answered_on_the_way_moves_nothing(runtime, smtp_server):
    table = start_game(runtime, pace=TEN)
    all_but_one_are_asked(runtime, 1)
    table.play_first()
    runtime.now.pass_by(MINUTE * 5)
    asks = questions(runtime, 1)[0]
    with runtime.database.reading() as session:
        assert session.get_one(LetterRow, asks.id).state is LetterState.QUEUED
    table.pass_all({1})
    before = table.due_at
    postpone_for_late_mail(runtime, asks, runtime.now())
    assert table.due_at == before


# devices


def test_a_late_notification_instead_of_mail_moves_the_deadline(runtime, smtp_server, monkeypatch):
    with PushService() as push:
        there = with_relay(runtime, smtp_server.url, push_hosts=push.origin)
        table = start_game(there, pace=TEN)
        before = table.due_at
        all_but_one_are_asked(there, 1)
        devices.add_device(there, player_id(there, "Bo"), push.browser().subscription, there.now())
        devices.set_push_only(there, player_id(there, "Bo"), push_only=True, now=there.now())
        leave(there)
        there.now.pass_by(2 * MINUTE)
        postman.deliver(there)
        assert [letter.state for letter in questions(there, 1)] == [LetterState.NOTIFIED]
        assert table.due_at == before + 2 * MINUTE


def test_the_mail_goes_in_time_without_a_notifiable_device(runtime, smtp_server):
    with PushService() as push:
        there = with_relay(runtime, smtp_server.url, push_hosts=push.origin)
        start_game(there, pace=TEN)
        asked_at = there.now()
        devices.add_device(there, player_id(there, "Bo"), push.browser().subscription, there.now())
        devices.set_push_only(there, player_id(there, "Bo"), push_only=True, now=there.now())
        leave(there)
        push.script = [503] * 100
        run_for(there, TEN / 2)
        (question,) = questions(there, 1)
        assert question.sent_at - asked_at <= TEN / 4 + STEP


# no wait is longer than the question allows


@pytest.mark.parametrize(
    ("left", "waits"),
    [
        pytest.param(timedelta(days=1), timedelta(hours=6), id="a day: six hours"),
        pytest.param(4 * MINUTE, MINUTE, id="four minutes: one"),
        pytest.param(20 * SECOND, SHORTEST_WAIT, id="seconds: some seconds"),
        pytest.param(-MINUTE, SHORTEST_WAIT, id="over, and not moved yet"),
    ],
)
def test_no_letter_waits_over_a_quarter_of_remaining_time(left, waits):
    now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert latest_retry_at(now + left, now) == now + waits


# at the same moment


@pytest.fixture(params=["sqlite", "postgresql"])
def either_runtime(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url, smtp_url="smtp://127.0.0.1:1")
    yield made
    made.database.engine.dispose()


def test_nobody_is_played_for_while_their_question_is_being_sent(either_runtime):
    """Two workers send, and two schedulers sweep, at the very deadline."""
    with ScriptedRelay() as relay:
        there = with_relay(either_runtime, relay.url)
        for _ in range(3):
            table = start_game(there, pace=TEN)
            there.now.at = table.due_at
            both = [partial(postman.deliver, there), partial(due_games.play_for_absent, there, table.game_id)]
            none_fails(*both * 2)
            assert sources_of(table) == []
            assert table.due_at == there.now() + TEN
            assert moved_by(table.stored) == TEN
