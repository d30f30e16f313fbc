"""A pause for which the players ask, and a rest: when they begin, who ends them, and what everybody has then."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.cast import NAMES, PACE, leave, letters, load, play_link, seat_link, start_game
from tests.playing import pass_lowest, play_first, play_hand
from tests.races import at_once
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import end_game, host_of, table_of
from webapp.core.say import Refused
from webapp.core.tokens import LinkExpired, SeatLost
from webapp.models import GameState, LetterKind, LetterState, TurnSource
from webapp.play import due_games
from webapp.tables import agreeing, hosting
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)


def vote(runtime, game_id, seat, *, wanted=True):
    agreeing.vote_pause(runtime, play_link(runtime, game_id, seat), wanted=wanted, now=runtime.now())


def is_paused(runtime, game_id):
    stored = load(runtime, game_id)
    assert (stored.table.pause is None) == (stored.row.due_at is not None)
    return stored.table.pause is not None


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
    assert agreeing.asking(load(runtime, game_id).seats) == []
    pass_lowest(runtime, game_id, BO)  # players may go on
    vote(runtime, game_id, DI)
    assert not is_paused(runtime, game_id), "anybody ends a pause for which players have voted"


def test_a_pause_by_vote_runs_out(runtime, game_id):
    for seat in (ANN, BO, CY):
        vote(runtime, game_id, seat)
    runtime.now.pass_by(agreeing.VOTED_LASTS - timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == [game_id]
    due_games.play_for_absent(runtime, game_id)
    assert not is_paused(runtime, game_id)
    assert load(runtime, game_id).row.due_at > runtime.now()


def test_ending_a_hosts_pause_takes_more_than_half(runtime, game_id):
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=True, now=runtime.now())
    runtime.now.pass_by(agreeing.VOTED_LASTS)
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
    assert agreeing.asking(load(runtime, game_id).seats) == []


def test_after_the_game_nobody_can_pause_it(runtime, game_id):
    vote(runtime, game_id, BO)
    link = play_link(runtime, game_id, CY)
    end_game(runtime, table_of(runtime, game_id))
    with pytest.raises(Refused, match="No game is played"):
        agreeing.vote_pause(runtime, link, wanted=True, now=runtime.now())
    assert not any(seat.wants_pause for seat in load(runtime, game_id).seats)


def test_votes_at_the_same_moment_pause_the_clock_once(either_runtime):
    game_id = start_game(either_runtime)
    done = at_once(*(lambda seat=seat: vote(either_runtime, game_id, seat) for seat in (BO, CY, DI)))
    assert done == [None, None, None]
    assert is_paused(either_runtime, game_id)
    assert agreeing.asking(load(either_runtime, game_id).seats) == []


def test_anybody_ends_a_voted_pause_from_their_table(runtime, game_id):
    for seat in (ANN, BO, CY):
        vote(runtime, game_id, seat)
    assert is_paused(runtime, game_id)
    go_on(runtime, game_id, DI)
    assert not is_paused(runtime, game_id)
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=True, now=runtime.now())
    go_on(runtime, game_id, DI)
    assert is_paused(runtime, game_id), "the host's pause needs more than half"


# a rest


def go_on(runtime, game_id, seat=BO):
    agreeing.go_on(runtime, seat_link(runtime, table_of(runtime, game_id), seat), runtime.now())


@pytest.mark.parametrize("seat", [ANN, DI])
def test_one_tap_of_anybody_gives_the_game_a_full_time(runtime, game_id, seat):
    put_to_rest(runtime, game_id)
    runtime.now.pass_by(timedelta(days=10))
    go_on(runtime, game_id, seat)
    stored = load(runtime, game_id)
    assert (rests(runtime, game_id), stored.row.due_at >= runtime.now() + PACE) == (False, True)
    (asked,) = stored.game.to_act
    leave(runtime)
    postman.deliver(runtime)
    runtime.now.at = stored.row.due_at - PACE / 4
    mailed = [
        one for one in letters(runtime, LetterKind.TURNS) if one.asked and one.created_at >= stored.clock.asked_at
    ]
    assert {one.seat for one in mailed} == {asked}, "and it is asked anew, who reads no mail by a last call"
    put_to_rest(runtime, game_id)
    assert len(letters(runtime, LetterKind.RESTING)) == 8


def test_a_mail_of_a_finished_rest_is_not_sent(runtime, game_id):
    put_to_rest(runtime, game_id)
    go_on(runtime, game_id)
    postman.deliver(runtime)
    assert {one.state for one in letters(runtime, LetterKind.RESTING)} == {LetterState.SUPERSEDED}


def test_a_card_sets_the_game_going(runtime, game_id):
    put_to_rest(runtime, game_id)
    before = load(runtime, game_id)
    play_first(runtime, game_id, TurnSource.REPLY)
    due_games.play_for_absent(runtime, game_id)
    after = load(runtime, game_id)
    assert (rests(runtime, game_id), after.turns > before.turns) == (False, True)
    assert after.row.due_at >= runtime.now() + PACE
    leave(runtime)
    mails = letters(runtime, LetterKind.TURNS)
    queued = {one.seat for one in mails if one.state is LetterState.QUEUED and one.asked}
    assert queued == set(after.game.to_act), "and not who has just played"


def test_the_host_ends_a_rest_as_a_pause(runtime, game_id):
    put_to_rest(runtime, game_id)
    hosting.pause(runtime, host_of(runtime, table_of(runtime, game_id)), paused=False, now=runtime.now())
    assert not rests(runtime, game_id)


def test_a_stranger_and_a_dead_link_set_nothing_going(runtime, game_id):
    put_to_rest(runtime, game_id)
    link = seat_link(runtime, table_of(runtime, game_id), BO)
    for change, error in (({"seat": CY}, SeatLost), ({"links": 1}, LinkExpired)):
        with pytest.raises(error):
            agreeing.go_on(runtime, replace(link, **change), runtime.now())
    assert rests(runtime, game_id)


def test_after_sixty_days_its_finished_hands_are_the_game(runtime):
    game_id = start_game(runtime, rules=preset_rules("classic"))
    play_hand(runtime, game_id)
    put_to_rest(runtime, game_id)
    runtime.now.pass_by(timedelta(days=60) - HOUR)
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(HOUR)
    due_games.play_due(runtime)
    stored = load(runtime, game_id)
    assert (stored.row.state, stored.was_ended, len(stored.game.scores)) == (GameState.OVER, True, 1)
    assert stored.game.stage is not Stage.OVER
    assert [one.reason for one in letters(runtime, LetterKind.ENDED)] == ["rested"] * 4
