"""A pause for which the players ask: when it begins, and when it ends."""

from datetime import timedelta

import pytest

from tests.cast import NAMES, load, play_link, start_game
from tests.playing import pass_lowest
from tests.races import at_once
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import end_game, host_of, table_of
from webapp.core.refusal import Refused
from webapp.play import due_games
from webapp.tables import hosting, pausing

ANN, BO, CY, DI = range(4)


def vote(runtime, game_id, seat, *, wanted=True):
    pausing.vote(runtime, play_link(runtime, game_id, seat), wanted=wanted, now=runtime.now())


def is_paused(runtime, game_id):
    stored = load(runtime, game_id)
    assert (stored.table.paused_at is None) == (stored.row.due_at is not None)
    return stored.table.paused_at is not None


def test_over_half_of_the_players_pause_and_resume_the_clock(runtime, game_id):
    vote(runtime, game_id, BO)
    vote(runtime, game_id, BO)
    vote(runtime, game_id, CY)
    assert not is_paused(runtime, game_id), "two of four are not more than half"
    vote(runtime, game_id, CY, wanted=False)
    vote(runtime, game_id, DI)
    assert not is_paused(runtime, game_id)
    vote(runtime, game_id, ANN)
    assert is_paused(runtime, game_id)
    assert pausing.asking(load(runtime, game_id).seats) == []
    pass_lowest(runtime, game_id, BO)  # players may go on
    vote(runtime, game_id, DI)
    assert not is_paused(runtime, game_id), "anybody ends a pause for which players have voted"


def test_a_pause_by_vote_runs_out(runtime, game_id):
    for seat in (ANN, BO, CY):
        vote(runtime, game_id, seat)
    runtime.now.pass_by(pausing.VOTED_LASTS - timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    due_games.play_for_absent(runtime, game_id)
    assert not is_paused(runtime, game_id)
    assert load(runtime, game_id).row.due_at > runtime.now()


def test_ending_a_hosts_pause_takes_more_than_half(runtime, game_id):
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=True, now=runtime.now())
    runtime.now.pass_by(pausing.VOTED_LASTS)
    for seat in (ANN, BO, CY):
        assert is_paused(runtime, game_id)
        vote(runtime, game_id, seat)
    assert not is_paused(runtime, game_id)


@pytest.mark.parametrize(("people", "needed"), [(1, 1), (2, 2), (3, 2)])
def test_robots_and_players_who_are_away_do_not_count(runtime, people, needed):
    game_id = start_game(runtime, NAMES[: people + 1], robots=3 - people)
    set_away(runtime, table_of(runtime, game_id), people, away=True)
    for seat in range(needed):
        assert not is_paused(runtime, game_id)
        vote(runtime, game_id, seat)
    assert is_paused(runtime, game_id)


def test_the_hosts_own_button_ends_what_players_have_asked_for(runtime, game_id):
    vote(runtime, game_id, BO)
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=True, now=runtime.now())
    assert is_paused(runtime, game_id)
    assert pausing.asking(load(runtime, game_id).seats) == []


def test_after_the_game_nobody_can_pause_it(runtime, game_id):
    vote(runtime, game_id, BO)
    link = play_link(runtime, game_id, CY)
    end_game(runtime, table_of(runtime, game_id))
    with pytest.raises(Refused, match="No game is played"):
        pausing.vote(runtime, link, wanted=True, now=runtime.now())
    assert not any(seat.wants_pause for seat in load(runtime, game_id).seats)


def test_votes_at_the_same_moment_pause_the_clock_once(either_runtime):
    game_id = start_game(either_runtime)
    done = at_once(*(lambda seat=seat: vote(either_runtime, game_id, seat) for seat in (BO, CY, DI)))
    assert done == [None, None, None]
    assert is_paused(either_runtime, game_id)
    assert pausing.asking(load(either_runtime, game_id).seats) == []
