"""When a game rests: after three deadlines in a row without anybody, and what does not count."""

from collections import Counter
from datetime import timedelta

import pytest

from tests.cast import letters, load, start_game
from tests.playing import miss_deadline, pass_all, play_first
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import table_of
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
    game_id = start_game(runtime, names, robots=robots)
    live_for(runtime, timedelta(days=66))
    assert load(runtime, game_id).row.state is GameState.OVER
    for player_id in {seat.player_id for seat in load(runtime, game_id).seats} - {None}:
        found = sent_to(runtime, player_id)
        assert found.total() < 15, found
        assert (found[LetterKind.RESTING], found[LetterKind.ENDED]) == (1, 1)


def test_after_three_missed_deadlines_in_a_row_nothing_happens(runtime, game_id):
    miss_deadline(runtime, game_id)
    miss_deadline(runtime, game_id)
    assert not rests(runtime, game_id)
    before = load(runtime, game_id).turns
    miss_deadline(runtime, game_id)
    stored = load(runtime, game_id)
    assert (rests(runtime, game_id), stored.turns, stored.row.due_at) == (True, before, None)
    assert stored.row.wake_at == runtime.now() + rest.LASTS
    assert [one.seat for one in letters(runtime, LetterKind.RESTING)] == [ANN, BO, CY, DI]


@pytest.mark.parametrize("source", [TurnSource.PAGE, TurnSource.LINK, TurnSource.REPLY])
def test_a_card_that_a_person_chooses_begins_the_count_anew(runtime, game_id, source):
    miss_deadline(runtime, game_id)
    miss_deadline(runtime, game_id)
    play_first(runtime, game_id, source)
    due_games.play_for_absent(runtime, game_id)
    miss_deadline(runtime, game_id)
    miss_deadline(runtime, game_id)
    assert not rests(runtime, game_id)
    miss_deadline(runtime, game_id)
    assert rests(runtime, game_id)


def test_robots_turns_do_not_count(runtime):
    game_id = start_game(runtime, ALONE, robots=3)
    put_to_rest(runtime, game_id)
    assert TurnSource.ROBOT in {record.source for record in load(runtime, game_id).records}


def test_deadlines_that_pass_within_one_pace_count_once(runtime):
    game_id = start_game(runtime, at_once=4)
    miss_deadline(runtime, game_id)
    assert load(runtime, game_id).row.unattended.deadlines == 1, "four hands, four players each"
    miss_deadline(runtime, game_id)
    assert not rests(runtime, game_id)
    miss_deadline(runtime, game_id)
    assert rests(runtime, game_id)


def test_a_table_waits_for_whom_it_has_not_asked_yet(runtime, game_id):
    pass_all(runtime, game_id)
    opener = load(runtime, game_id).records[-1].turn.seat
    for _ in range(rest.DEADLINES):
        miss_deadline(runtime, game_id)
    while opener not in load(runtime, game_id).game.to_act:
        assert not rests(runtime, game_id)
        miss_deadline(runtime, game_id)
    miss_deadline(runtime, game_id)
    assert rests(runtime, game_id)


def test_one_who_plays_of_four_keeps_the_game_going(runtime):
    game_id = start_game(runtime)
    for _ in range(12):
        if ANN in load(runtime, game_id).game.to_act:
            play_first(runtime, game_id)
        else:
            miss_deadline(runtime, game_id)
        assert not rests(runtime, game_id)


def test_a_game_whose_players_are_all_away_rests_at_once(runtime):
    game_id = start_game(runtime, ("Ann", "Bo"), robots=2)
    pass_all(runtime, game_id, [ANN, BO])
    for seat in (ANN, BO):
        assert not rests(runtime, game_id)
        set_away(runtime, table_of(runtime, game_id), seat, away=True)
        due_games.play_for_absent(runtime, game_id)
    assert rests(runtime, game_id)
    set_away(runtime, table_of(runtime, game_id), BO, away=False)
    assert not rests(runtime, game_id), "Bo is back"


def test_a_live_table_never_rests(runtime):
    game_id = start_game(runtime, ALONE, robots=3, pace=timedelta(seconds=15))
    for _ in range(2 * rest.DEADLINES):
        miss_deadline(runtime, game_id)
    assert not rests(runtime, game_id)
