"""When a game rests: after three deadlines in a row without anybody, and what does not count."""

from collections import Counter
from datetime import timedelta

import pytest

from tests.cast import letters, start_game
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.going_away import set_away
from webapp.games.clock import rest
from webapp.models import GameState, LetterKind, TurnSource
from webapp.play import due_games
from worker import postman

ANN, BO, CY, DI = range(4)
ALONE = ("Ann",)
HOUR = timedelta(hours=1)


def live_for(runtime, time):
    """The service runs, and nobody does anything."""
    until = runtime.now() + time
    while runtime.now() < until:
        while due_games.play_due(runtime):
            pass
        postman.deliver(runtime)
        runtime.now.pass_by(HOUR)


def sent_to(runtime, player_id):
    """How many mails of each kind the player has got."""
    return Counter(one.kind for one in letters(runtime) if one.player_id == player_id and one.sent_at)


@pytest.mark.parametrize(("names", "robots"), [(("Ann", "Bo", "Cy", "Di"), 0), (ALONE, 3)])
def test_absent_players_get_fewer_than_fifteen_mails_in_two_months(runtime, names, robots):
    table = start_game(runtime, names, robots=robots)
    live_for(runtime, timedelta(days=66))
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


@pytest.mark.parametrize("source", [TurnSource.PAGE, TurnSource.LINK, TurnSource.REPLY])
def test_a_card_that_a_person_chooses_begins_the_count_anew(runtime, table, source):
    table.miss_deadline()
    table.miss_deadline()
    table.play_first(source)
    table.play_for_absent()
    table.miss_deadline()
    table.miss_deadline()
    assert not rests(table)
    table.miss_deadline()
    assert rests(table)


def test_robots_turns_do_not_count(runtime):
    table = start_game(runtime, ALONE, robots=3)
    put_to_rest(table)
    assert TurnSource.ROBOT in {record.source for record in table.records}


def test_deadlines_that_pass_within_one_pace_count_once(runtime):
    table = start_game(runtime, at_once=4)
    table.miss_deadline()
    assert table.row.unattended.deadlines == 1, "four hands, four players each"
    table.miss_deadline()
    assert not rests(table)
    table.miss_deadline()
    assert rests(table)


def test_a_table_waits_for_whom_it_has_not_asked_yet(runtime, table):
    table.pass_all()
    opener = table.records[-1].turn.seat
    for _ in range(rest.DEADLINES):
        table.miss_deadline()
    while opener not in table.game.to_act:
        assert not rests(table)
        table.miss_deadline()
    table.miss_deadline()
    assert rests(table)


def test_one_who_plays_of_four_keeps_the_game_going(runtime):
    table = start_game(runtime)
    for _ in range(12):
        if ANN in table.game.to_act:
            table.play_first()
        else:
            table.miss_deadline()
        assert not rests(table)


def test_a_game_whose_players_are_all_away_rests_at_once(runtime):
    table = start_game(runtime, ("Ann", "Bo"), robots=2)
    table.pass_all([ANN, BO])
    for seat in (ANN, BO):
        assert not rests(table)
        set_away(runtime, table.table_id, seat, away=True)
        table.play_for_absent()
    assert rests(table)
    set_away(runtime, table.table_id, BO, away=False)
    assert not rests(table), "Bo is back"


def test_a_live_table_never_rests(runtime):
    table = start_game(runtime, ALONE, robots=3, pace=timedelta(seconds=15))
    for _ in range(2 * rest.DEADLINES):
        table.miss_deadline()
    assert not rests(table)
