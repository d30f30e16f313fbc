"""A player who has waited for a quarter of the pace can have us remind the others, once for each question."""

from concurrent.futures import ThreadPoolExecutor, wait
from datetime import datetime, timedelta

import pytest

from tests.cast import load, play_link, seats, start_game
from tests.mailing import letters_to, set_preferences
from tests.playing import pass_all, pass_lowest, play_first
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkExpired, PlayLink, SeatLost
from webapp.games.record import changing
from webapp.models import Frequency, GameRow, LetterKind, LetterState, PlayerRow, SeatRow
from webapp.outbox.turn_mail_times import Why
from webapp.players.nudging import nudge
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)
HOURS = 6 * HOUR  # a quarter of the pace


@pytest.fixture
def game_id(runtime):
    return game_that_waits_for_di(runtime)


def game_that_waits_for_di(runtime):
    made = start_game(runtime)
    pass_all(runtime, made, (ANN, BO, CY))
    return made


def nudges_to(runtime, name):
    return [letter for letter in letters_to(runtime, name, LetterKind.TURNS) if letter.reason == Why.NUDGE]


def nudge_by(runtime, game_id, seat):
    nudge(runtime, play_link(runtime, game_id, seat), runtime.now())


def test_the_player_for_whom_the_table_waits_is_reminded_once(runtime, game_id):
    runtime.now.pass_by(HOURS)
    nudge_by(runtime, game_id, BO)
    nudge_by(runtime, game_id, CY)
    (letter,) = nudges_to(runtime, "Di")
    assert (letter.state, letter.next_at, letter.about) == (LetterState.QUEUED, runtime.now(), "pass")
    assert not any(nudges_to(runtime, name) for name in ("Ann", "Bo", "Cy"))


def test_nudging_wakes_a_worker_and_counts_its_sender_as_awake(runtime, game_id):
    rung = []
    object.__setattr__(runtime.bell, "deliver", lambda: rung.append(runtime.now()))
    runtime.now.pass_by(HOURS)
    nudge_by(runtime, game_id, BO)
    assert rung == [runtime.now()]
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, load(runtime, game_id).seats[BO].player_id).seen_at == runtime.now()


def test_with_the_next_question_they_may_be_reminded_again(runtime, game_id):
    runtime.now.pass_by(HOURS)
    nudge_by(runtime, game_id, BO)
    pass_lowest(runtime, game_id, DI)
    waits_for = load(runtime, game_id).game.to_act[0]
    runtime.now.pass_by(HOURS)
    nudge_by(runtime, game_id, (waits_for + 1) % 4)
    name = load(runtime, game_id).names[waits_for]
    assert [letter.about for letter in nudges_to(runtime, name)][-1] == "trick 1"


def test_nobody_is_reminded_on_a_day_off(runtime, game_id):
    runtime.now.pass_by(HOURS)
    set_preferences(runtime, "Di", days_off=frozenset({runtime.now().weekday()}))
    with pytest.raises(Refused):
        nudge_by(runtime, game_id, BO)
    set_preferences(runtime, "Di")
    nudge_by(runtime, game_id, BO)
    assert nudges_to(runtime, "Di")


def test_everybody_is_reminded_who_still_has_to_pass(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id, (CY, DI))
    runtime.now.pass_by(HOURS)
    nudge_by(runtime, game_id, ANN)  # who has to pass, too
    assert [len(nudges_to(runtime, name)) for name in ("Ann", "Bo", "Cy", "Di")] == [0, 1, 0, 0]


@pytest.mark.parametrize(
    "time",
    [
        pytest.param(timedelta(0), id="at once"),
        pytest.param(HOURS - timedelta(seconds=1), id="a second too early"),
        pytest.param(18 * HOUR, id="when the last call comes by itself"),
        pytest.param(10 * HOUR, id="at night, when it would come with that"),
    ],
)
def test_nobody_is_reminded_too_early_or_too_late(runtime, game_id, time):
    if time == 10 * HOUR:  # Di's night ends when the last reminder has been sent
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, load(runtime, game_id).seats[DI].player_id).quiet_to = 10
    runtime.now.pass_by(time)
    with pytest.raises(Refused, match="Nobody needs a reminder now"):
        nudge_by(runtime, game_id, BO)
    assert nudges_to(runtime, "Di") == []


def nudge_at_night(runtime, game_id):
    """Bo has Di reminded when it is night there, until five o'clock."""
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, load(runtime, game_id).seats[DI].player_id).quiet_to = 5
    runtime.now.pass_by(11 * HOUR)
    nudge_by(runtime, game_id, BO)


def test_a_reminder_at_night_waits_for_the_morning(runtime, game_id):
    nudge_at_night(runtime, game_id)
    (letter,) = nudges_to(runtime, "Di")
    assert letter.next_at == datetime.fromisoformat("2026-03-03T05:00Z")


@pytest.mark.parametrize("frequency", [Frequency.DAILY, Frequency.LAST])
def test_who_wants_no_reminder_at_once_gets_none(runtime, game_id, frequency):
    set_preferences(runtime, "Di", frequency=frequency)
    runtime.now.pass_by(HOURS)
    with pytest.raises(Refused):
        nudge_by(runtime, game_id, BO)
    assert nudges_to(runtime, "Di") == []


@pytest.mark.parametrize("how", ["muted", "unreachable", "away", "paused"])
def test_only_an_awaited_player_who_gets_mail_is_reminded(runtime, game_id, how):
    with runtime.database.writing() as session:
        stored = load(runtime, game_id)
        row = session.get_one(SeatRow, (stored.table.id, DI))
        if how == "muted":
            row.mails = False
        elif how == "away":
            row.away = True
        elif how == "unreachable":
            session.get_one(PlayerRow, row.player_id).unreachable_at = runtime.now()
        else:
            session.get_one(GameRow, game_id).due_at = None
    runtime.now.pass_by(HOURS)
    with pytest.raises(Refused):
        nudge_by(runtime, game_id, BO)
    assert nudges_to(runtime, "Di") == []


def test_at_a_live_table_nobody_is_reminded_by_mail(runtime):
    game_id = start_game(runtime, pace=timedelta(minutes=5))
    pass_all(runtime, game_id, (ANN, BO, CY))
    runtime.now.pass_by(timedelta(minutes=2))
    with pytest.raises(Refused):
        nudge_by(runtime, game_id, BO)


def test_a_turn_played_meanwhile_takes_the_reminder_back(runtime, game_id):
    nudge_at_night(runtime, game_id)
    pass_lowest(runtime, game_id, DI)
    runtime.now.pass_by(8 * HOUR)
    postman.deliver(runtime)
    (letter,) = nudges_to(runtime, "Di")
    assert letter.state is LetterState.SUPERSEDED


def test_after_the_game_there_is_nobody_to_remind(runtime, game_id):
    link = play_link(runtime, game_id, BO)
    with runtime.database.writing() as session:
        session.get_one(GameRow, game_id).state = "over"
    with pytest.raises(Refused, match="No game is played"):
        nudge(runtime, link, runtime.now())


def test_somebody_else_s_link_or_an_ended_one_reminds_nobody(runtime, game_id):
    runtime.now.pass_by(HOURS)
    table_id = load(runtime, game_id).row.table_id
    with pytest.raises(SeatLost):
        nudge(runtime, PlayLink(table_id, BO, seats(runtime, table_id)[CY].player_id), runtime.now())
    with pytest.raises(LinkExpired):
        nudge(runtime, PlayLink(table_id, BO, seats(runtime, table_id)[BO].player_id, 7), runtime.now())
    assert nudges_to(runtime, "Di") == []


def test_two_who_ask_at_the_same_moment_cause_one_reminder(either_runtime):
    runtime = either_runtime
    game_id = game_that_waits_for_di(runtime)
    runtime.now.pass_by(HOURS)
    links = [play_link(runtime, game_id, seat) for seat in (ANN, BO, CY)]
    with ThreadPoolExecutor(3) as pool:
        for outcome in [pool.submit(nudge, runtime, link, runtime.now()) for link in links]:
            outcome.result()
    assert len(nudges_to(runtime, "Di")) == 1
    play_first(runtime, game_id)
    assert load(runtime, game_id).row.turns > 4


def test_a_reminder_waits_for_a_turn_that_is_being_taken(either_runtime):
    game_id = game_that_waits_for_di(either_runtime)
    either_runtime.now.pass_by(HOURS)
    link = play_link(either_runtime, game_id, BO)
    with ThreadPoolExecutor(1) as pool:
        with changing.game(either_runtime, game_id, either_runtime.now()):
            asked = pool.submit(nudge, either_runtime, link, either_runtime.now())
            assert wait([asked], timeout=0.5).not_done
        asked.result()
