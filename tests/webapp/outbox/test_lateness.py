"""Only a player who was asked in time is played for: when a late question moves its deadline, and when not."""

import logging
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlmodel import update

from tests.cast import NAMES, PACE, address, leave, letters, start_game
from tests.mailing import player_id
from tests.races import none_fails
from tests.runtimes import make_runtime
from tests.servers import free_port
from tests.webapp.going_away import set_away
from tests.webapp.outbox.late import HOUR, MINUTE, STEP, TEN, questions, run_for
from tests.worker.push_service import PushService
from tests.worker.scripted import CUT, ScriptedRelay, with_relay
from webapp.accounts import devices
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow, Stands, TurnSource
from webapp.outbox import holding
from webapp.outbox.lateness import SHORTEST_WAIT, TOLERATED_LATENESS, latest_retry_at, postpone_for_late_mail
from webapp.play import course, due_games
from webapp.presentation.phrasing import timestamp
from worker import postman
from worker.attempts import RELAY_PAUSES

SECOND = timedelta(seconds=1)
LIVE = timedelta(seconds=7)
NO_TIME = timedelta()
SLACK = RELAY_PAUSES[-1] * 1.2 + STEP  # the longest that a question may wait for the next try at the relay


@pytest.fixture
def runtime(tmp_path, smtp_server):
    made = make_runtime(tmp_path / "var", smtp_url=smtp_server.url)
    yield made
    made.database.engine.dispose()


@pytest.fixture
def down(runtime):
    """The same runtime with nothing listening at the relay's address."""
    return with_relay(runtime, f"smtp://127.0.0.1:{free_port()}")


def play_at_deadline(table):
    """Sweeps at the deadline. Returns how many turns were played."""
    table.runtime.now.at = table.due_at
    return table.play_for_absent()


def moved_by(stored):
    """By how much late questions have moved the deadline."""
    return stored.clock.due_at - stored.clock.first_due_at


def sources_of(table):
    return [record.source for record in table.records if record.source is not TurnSource.FORCED]


def set_state(runtime, seat, **values):
    """Sets the question to a seat to this state."""
    questions(runtime)  # once they are queued
    with runtime.database.writing() as session:
        session.exec(
            update(LetterRow).where(LetterRow.kind == LetterKind.TURNS, LetterRow.seat == seat).values(**values)
        )


def sent_to_all_but(runtime, seat):
    for other in {0, 1, 2, 3} - {seat}:
        set_state(runtime, other, state=LetterState.SENT, next_at=None, sent_at=runtime.now())


# the relay is down


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


def test_while_the_relay_is_down_nobody_is_played_for(runtime, down):
    table = start_game(runtime, pace=TEN)
    first = table.due_at
    run_for(down, TEN - SECOND)
    assert table.due_at == first
    run_for(down, 2 * STEP)
    assert first + TEN - STEP <= table.due_at <= first + TEN + STEP
    run_for(down, 5 * TEN)
    assert sources_of(table) == []
    run_for(runtime, SLACK)
    assert table.due_at == questions(runtime)[0].sent_at + TEN
    run_for(runtime, TEN)
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
    ("answer", "waits"),
    [
        pytest.param(CUT, True, id="the relay breaks off"),
        pytest.param("452 4.3.1 no room", True, id="the relay has no room"),
        pytest.param("452 4.2.2 no room", False, id="the mailbox has no room"),
        pytest.param("450 try again later", False, id="nobody knows"),
        pytest.param("550 5.4.5 Daily sending limit exceeded", True, id="a limit of ours"),
    ],
)
def test_deadlines_wait_for_a_relay_but_once_for_a_mailbox(runtime, answer, waits):
    table = start_game(runtime, pace=TEN)
    for seat in (0, 1):  # two mails that are tried again and again tell as much as four
        set_state(runtime, seat, state=LetterState.SENT, next_at=None, sent_at=runtime.now())
    with ScriptedRelay({"DATA": [answer] * 1000}) as relay:
        there = with_relay(runtime, relay.url)
        run_for(there, 2 * TEN - MINUTE)
        assert sources_of(table) == []
        run_for(there, 2 * MINUTE)
    assert (sources_of(table) == []) is waits


def test_a_mail_that_always_breaks_delays_games_three_days(runtime):
    table = start_game(runtime, pace=PACE)
    asked_at = runtime.now()
    sent_to_all_but(runtime, 2)
    set_state(runtime, 2, tries=9, next_at=asked_at + 9 * PACE)
    while play_at_deadline(table) == 0:
        assert runtime.now() < asked_at + timedelta(days=5)
    assert runtime.now() >= asked_at + timedelta(days=3)


def test_a_dead_workers_letters_go_long_before_the_deadline(runtime, smtp_server):
    table = start_game(runtime, pace=TEN)
    asked_at = runtime.now()
    with runtime.database.writing() as session:
        postman.letters.claim(session, runtime.now(), 50, postman.letters.new_claim())
    run_for(runtime, postman.letters.LEASE + 2 * STEP)
    assert {letter.state for letter in questions(runtime)} == {LetterState.SENT}
    assert table.due_at == asked_at + TEN, "so little late does not count"


def test_an_unsent_first_live_question_moves_its_deadline(runtime, down):
    table = start_game(runtime, pace=LIVE)
    given = table.due_at - runtime.now()
    run_for(down, given + MINUTE)
    assert sources_of(table) == []
    run_for(runtime, SLACK)
    assert {letter.state for letter in questions(runtime)} == {LetterState.SENT}
    assert table.due_at == questions(runtime)[0].sent_at + given


def test_a_live_table_waits_once_for_an_unreachable_player(runtime, down):
    table = start_game(runtime, pace=LIVE)
    given = table.due_at - runtime.now()
    run_for(down, 2 * given + STEP)
    assert sources_of(table)[:4] == [TurnSource.TIMEOUT] * 4


def test_a_mail_that_nobody_has_tried_delays_its_deadline_again(runtime):
    table = start_game(runtime, pace=TEN)
    for _ in range(3):
        assert play_at_deadline(table) == 0
    assert table.due_at > runtime.now()


def test_one_unasked_player_of_four_makes_all_wait(runtime):
    table = start_game(runtime, pace=TEN)
    before = table.due_at
    sent_to_all_but(runtime, 2)
    assert play_at_deadline(table) == 0
    assert table.due_at == before + TEN
    assert [letter.seat for letter in letters(runtime) if letter.moved_at] == [2]


def test_a_deadline_moves_for_each_player_but_not_for_ever(runtime):
    table = start_game(runtime, pace=TEN)
    first = table.due_at
    runtime.now.pass_by(timedelta(minutes=4))
    set_state(runtime, 1, next_at=runtime.now() + HOUR, tries=1, refused=True)
    postman.deliver(runtime)
    assert table.due_at == first + timedelta(minutes=4)
    assert play_at_deadline(table) == 0
    assert table.due_at == first + TEN, "by no more than the time that Bo was given"
    assert play_at_deadline(table) > 0


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
    table.runtime.now.pass_by(TEN - MINUTE)
    table.beat(2)


def seen_on_the_page(table):
    table.runtime.now.pass_by(2 * MINUTE)
    table.beat(2)


def wants_no_mails(table):
    with table.runtime.database.writing() as session:
        session.get_one(SeatRow, (table.table_id, 2)).mails = False


def cannot_be_reached(table):
    with table.runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(table.runtime, "Cy")).unreachable_at = table.runtime.now()


def becomes(**values):
    return lambda table: set_state(table.runtime, 2, next_at=None, **values)


@pytest.mark.parametrize(
    "happens",
    [
        pytest.param(on_the_page, id="looks at the game when the deadline comes"),
        pytest.param(seen_on_the_page, id="has looked at the game since"),
        pytest.param(wants_no_mails, id="wants no mail of this table"),
        pytest.param(cannot_be_reached, id="the address is silenced"),
        pytest.param(becomes(state=LetterState.NOTIFIED), id="a device was notified in its place"),
        pytest.param(becomes(state=LetterState.SENT), id="the relay took it"),
        pytest.param(becomes(state=LetterState.BOUNCED), id="it came back"),
        pytest.param(becomes(state=LetterState.FAILED), id="the relay refused it for good"),
    ],
)
def test_no_deadline_waits_for_players_asked_or_unreachable(runtime, happens):
    table = start_game(runtime, pace=TEN)
    sent_to_all_but(runtime, 2)
    happens(table)
    before = table.due_at
    assert play_at_deadline(table) > 0
    assert runtime.now() == before


def test_a_question_that_waits_for_the_morning_is_not_late(runtime):
    with runtime.database.writing() as session:
        session.add(PlayerRow(address=address("Bo"), name="Bo", quiet_from=1, quiet_to=0, created_at=runtime.now()))
    table = start_game(runtime, pace=TEN)
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id(runtime, "Bo")).seen_at = None
    sent_to_all_but(runtime, 1)
    assert questions(runtime, 1) == [], "Bo sleeps"
    assert play_at_deadline(table) > 0


# lateness


@pytest.mark.parametrize(
    ("pace", "late", "moves"),
    [
        pytest.param(TEN, MINUTE, False, id="a tenth of ten minutes"),
        pytest.param(TEN, MINUTE + SECOND, True, id="a second more"),
        pytest.param(2 * MINUTE, TOLERATED_LATENESS, False, id="half a minute, of little time"),
        pytest.param(2 * MINUTE, TOLERATED_LATENESS + SECOND, True, id="more than that"),
        pytest.param(PACE, 2 * HOUR, False, id="two hours of a day"),
        pytest.param(PACE, 3 * HOUR, True, id="three hours of a day"),
    ],
)
def test_a_deadline_moves_by_its_questions_lateness(runtime, smtp_server, pace, late, moves):
    table = start_game(runtime, pace=pace)
    with runtime.database.writing() as session:
        session.exec(update(PlayerRow).values(quiet_from=None))
    before = table.due_at
    runtime.now.pass_by(late)
    postman.deliver(runtime)
    expected = before + late if moves else before
    stored = table.stored
    assert (stored.row.due_at, moved_by(stored)) == (expected, late if moves else NO_TIME)
    assert [letter.moved_at for letter in questions(runtime)].count(None) == (3 if moves else 4), "one moves it for all"
    (mail,) = [mail for mail in smtp_server.to(address("Bo")) if "Pass three" in mail.subject]
    assert timestamp(expected, runtime.now(), "UTC").text.partition(" (")[0] in mail.text


def test_a_moved_deadline_avoids_the_night(runtime):
    runtime.now.at = datetime(2026, 3, 2, 20, 45, tzinfo=UTC)
    table = start_game(runtime, pace=HOUR)
    set_state(runtime, 1, created_at=runtime.now())
    sent_to_all_but(runtime, 1)
    runtime.now.pass_by(timedelta(minutes=20))
    postman.deliver(runtime)
    assert table.due_at == datetime(2026, 3, 3, 10, tzinfo=UTC), "22:05 is too late for Bo"


def test_time_spent_paused_does_not_count_as_late(runtime, down):
    table = start_game(runtime, pace=TEN)
    postman.deliver(down)
    with table.changing() as game:
        course.stop_clock(game, Stands.HOST)
    runtime.now.pass_by(3 * PACE)
    with table.changing() as game:
        course.start_clock(game)
    back_at = runtime.now()
    runtime.now.pass_by(2 * MINUTE)
    postman.deliver(runtime)
    assert table.due_at == back_at + TEN + 2 * MINUTE


def test_a_question_answered_on_the_way_moves_nothing(runtime, smtp_server):
    table = start_game(runtime, pace=TEN)
    sent_to_all_but(runtime, 1)
    table.play_first()
    runtime.now.pass_by(MINUTE * 5)
    asks = questions(runtime, 1)[0]
    with runtime.database.reading() as session:
        assert session.get_one(LetterRow, asks.id).state is LetterState.QUEUED
    table.pass_all({1})
    before = table.due_at
    postpone_for_late_mail(runtime, asks, runtime.now())
    assert table.due_at == before


def test_the_log_reports_a_moved_deadline_without_names(runtime, down, caplog):
    caplog.set_level(logging.INFO)
    table = start_game(runtime, pace=TEN)
    run_for(down, TEN + STEP)
    said = [record.getMessage() for record in caplog.records if record.name == "webapp.outbox.lateness"]
    assert said == [f"game {table.game_id}: the deadline moves by 600 s, since a question was late"]


# devices


def test_a_late_notification_instead_of_mail_moves_the_deadline(runtime, smtp_server, monkeypatch):
    with PushService() as push:
        there = with_relay(runtime, smtp_server.url, push_hosts=push.origin)
        table = start_game(there, pace=TEN)
        before = table.due_at
        sent_to_all_but(there, 1)
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
