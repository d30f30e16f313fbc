"""When a game rests: after three deadlines in a row without anybody, and what does not count."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from hearts.cycle import Cycle
from hearts.rules import preset_rules
from tests.cast import NAMES, PACE, letters, start_game
from tests.hearts.builders import game_after
from tests.webapp.at_rest import rests
from tests.webapp.going_away import set_away
from webapp.games.clock import rest
from webapp.games.record.store import CHOSEN, TableGame
from webapp.models import (
    Clock,
    GameRow,
    GameState,
    LetterKind,
    Pause,
    SeatRow,
    SeatState,
    Stands,
    TableRow,
    TurnSource,
    Unattended,
)
from webapp.play import due_games
from worker import postman

ANN, BO, CY, DI = range(4)
ALONE = ("Ann",)
AT = datetime(2026, 3, 2, 12, tzinfo=UTC)  # the deadline
DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
ASKED_NEVER, MISSED, IS_AWAY = {}, {"missed": 1}, {"away": True}
PASS = game_after(rules=preset_rules("classic"))
BO_LEADS = game_after(leader=BO)


def at_deadline(seats, game=PASS, pace=PACE, last=PACE, *, counted=2, pause=None, state=GameState.PLAYING):
    """The game when its deadline is over. That of `counted` missed ones before, the last was `last` ago; robots take
    the `seats` that are left.
    """
    unattended = Unattended(counted, AT - last) if counted else None
    row = GameRow(state=state, unattended=unattended, clocks={game.hand: Clock(due_at=AT)})
    seconds = int(pace.total_seconds())
    table = TableRow(pass_seconds=seconds, play_seconds=seconds, pause=pause)
    players = [
        SeatRow(seat=seat, player_id=seat + 1, state=SeatState.ACCEPTED, **one) for seat, one in enumerate(seats)
    ]
    robots = [SeatRow(seat=seat, state=SeatState.ROBOT) for seat in range(len(seats), 4)]
    return TableGame(row, table, players + robots, (), Cycle(game.rules, 1, (game,)), game)


@pytest.mark.parametrize(
    ("game", "is_due"),
    [
        pytest.param({"seats": [MISSED] * 4}, True, id="the third in a row, missed by all"),
        pytest.param({"seats": [MISSED] * 4, "counted": 1}, False, id="the second"),
        pytest.param({"seats": [MISSED] * 4, "counted": 0}, False, id="the first"),
        pytest.param({"seats": [MISSED]}, True, id="likewise among robots"),
        pytest.param({"seats": [MISSED] * 4, "last": PACE - SECOND}, False, id="the time for a question is not over"),
        pytest.param({"seats": [ASKED_NEVER] * 4}, True, id="all are asked now"),
        pytest.param({"seats": [MISSED, ASKED_NEVER] * 2, "game": BO_LEADS}, False, id="Di has not been asked yet"),
        pytest.param(
            {"seats": [MISSED, ASKED_NEVER, MISSED], "game": BO_LEADS}, True, id="who is asked last misses it"
        ),
        pytest.param({"seats": [MISSED, MISSED, IS_AWAY]}, True, id="nobody waits for one who is away"),
        pytest.param({"seats": [IS_AWAY] * 2, "counted": 0}, True, id="all players are away: at once"),
        pytest.param({"seats": [IS_AWAY, MISSED], "counted": 0}, False, id="one of them is back"),
        pytest.param({"seats": [], "counted": 0}, False, id="robots alone"),
        pytest.param({"seats": [MISSED], "pace": 15 * SECOND}, False, id="a live table never rests"),
        pytest.param({"seats": [IS_AWAY], "pace": 15 * SECOND}, False, id="not even with nobody there"),
        pytest.param({"seats": [MISSED], "pause": Pause(Stands.HOST, AT, None)}, False, id="it is paused already"),
        pytest.param({"seats": [IS_AWAY], "state": GameState.OVER}, False, id="it is over"),
    ],
)
def test_a_game_rests_at_the_third_deadline_without_anybody(game, is_due):
    assert rest.is_due(at_deadline(**game), AT) is is_due


def test_a_game_rests_only_when_its_deadline_is_over():
    assert not rest.is_due(at_deadline([MISSED], last=2 * PACE), AT - SECOND)


@pytest.mark.parametrize(
    ("source", "last", "counted"),
    [
        *(pytest.param(source, PACE, None, id=f"{source.name}: anew") for source in CHOSEN),
        pytest.param(TurnSource.TIMEOUT, PACE, Unattended(3, AT), id="one more"),
        pytest.param(TurnSource.TIMEOUT, PACE - SECOND, Unattended(2, AT - PACE + SECOND), id="within one pace: once"),
        *(
            pytest.param(source, PACE, Unattended(2, AT - PACE), id=f"{source.name}: nothing")
            for source in TurnSource
            if source not in (*CHOSEN, TurnSource.TIMEOUT)
        ),
    ],
)
def test_only_a_persons_choice_begins_the_count_anew(source, last, counted):
    stored = at_deadline([MISSED] * 4, last=last)
    rest.note_turn(stored, source, AT)
    assert stored.row.unattended == counted


def test_the_first_missed_deadline_counts_as_one():
    stored = at_deadline([MISSED] * 4, counted=0)
    rest.note_turn(stored, TurnSource.TIMEOUT, AT)
    assert stored.row.unattended == Unattended(1, AT)


# the service obeys


def live_for(table, time):
    """The service runs, and nobody does anything."""
    runtime = table.runtime
    until = runtime.now() + time
    while runtime.now() < until:
        while due_games.play_due(runtime):
            pass
        postman.deliver(runtime)
        runtime.now.pass_by(HOUR if table.due_at else DAY)


def sent_to(runtime, player_id):
    """How many mails of each kind the player has got."""
    return Counter(one.kind for one in letters(runtime) if one.player_id == player_id and one.sent_at)


@pytest.mark.parametrize(("names", "robots"), [(NAMES, 0), (ALONE, 3)])
def test_absent_players_get_fewer_than_fifteen_mails_in_two_months(runtime, names, robots):
    table = start_game(runtime, names, robots=robots)
    live_for(table, 66 * DAY)
    assert table.row.state is GameState.OVER
    for player_id in {seat.player_id for seat in table.seats} - {None}:
        found = sent_to(runtime, player_id)
        assert found.total() < 15, found
        assert (found[LetterKind.RESTING], found[LetterKind.ENDED]) == (1, 1)


def test_after_three_missed_deadlines_in_a_row_nothing_happens(runtime, table):
    table.miss_deadline()
    table.miss_deadline()
    assert not rests(table)
    before = table.stored.turns
    table.miss_deadline()
    stored = table.stored
    assert (rests(table), stored.turns, stored.row.due_at) == (True, before, None)
    assert stored.row.wake_at == runtime.now() + rest.LASTS
    assert [one.seat for one in letters(runtime, LetterKind.RESTING)] == [ANN, BO, CY, DI]


def test_one_who_plays_of_four_keeps_the_game_going(table):
    for _ in range(12):
        if ANN in table.game.to_act:
            table.play_first()
        else:
            table.miss_deadline()
        assert not rests(table)


def test_a_game_whose_players_are_all_away_rests_at_once(runtime):
    table = start_game(runtime, ("Ann", "Bo"), robots=2)
    for seat in (ANN, BO):
        assert not rests(table)
        set_away(runtime, table.table_id, seat, away=True)
        table.play_for_absent()
    assert rests(table)
    set_away(runtime, table.table_id, BO, away=False)
    assert not rests(table), "Bo is back"
