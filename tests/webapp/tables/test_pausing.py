"""A pause for which the players ask, and a rest: when they begin, who ends them, and what everybody has then."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.cast import NAMES, PACE, leave, letters, seat_link, start_game
from tests.races import at_once
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.going_away import set_away
from tests.webapp.tables.hosted import end_game, host_of
from webapp.core.say import Refused
from webapp.core.tokens import LinkExpired, SeatLost
from webapp.models import GameState, LetterKind, LetterState, TurnSource
from webapp.play import due_games
from webapp.tables import agreeing, hosting
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)


def vote(table, seat, *, wanted=True):
    agreeing.vote_pause(table.runtime, table.play_link(seat), wanted=wanted, now=table.runtime.now())


def is_paused(table):
    stored = table.stored
    assert (stored.table.pause is None) == (stored.row.due_at is not None)
    return stored.table.pause is not None


def test_over_half_of_the_players_pause_and_resume_the_clock(runtime, table):
    vote(table, BO)
    vote(table, BO)
    vote(table, CY)
    assert not is_paused(table), "two of four are not more than half"
    vote(table, CY, wanted=False)
    vote(table, DI)
    assert not is_paused(table)
    vote(table, ANN)
    assert is_paused(table)
    assert agreeing.asking(table.seats) == []
    table.pass_lowest(BO)  # players may go on
    vote(table, DI)
    assert not is_paused(table), "anybody ends a pause for which players have voted"


def test_a_pause_by_vote_runs_out(runtime, table):
    for seat in (ANN, BO, CY):
        vote(table, seat)
    runtime.now.pass_by(agreeing.VOTED_LASTS - timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(timedelta(minutes=1))
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id]
    table.play_for_absent()
    assert not is_paused(table)
    assert table.due_at > runtime.now()


def test_ending_a_hosts_pause_takes_more_than_half(runtime, table):
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    runtime.now.pass_by(agreeing.VOTED_LASTS)
    for seat in (ANN, BO, CY):
        assert is_paused(table)
        vote(table, seat)
    assert not is_paused(table)


@pytest.mark.parametrize(("people", "needed"), [(1, 1), (2, 2), (3, 2)])
def test_robots_and_players_who_are_away_do_not_count(runtime, people, needed):
    table = start_game(runtime, NAMES[: people + 1], robots=3 - people)
    set_away(runtime, table.table_id, people, away=True)
    for seat in range(needed):
        assert not is_paused(table)
        vote(table, seat)
    assert is_paused(table)


def test_the_hosts_own_button_ends_what_players_have_asked_for(runtime, table):
    vote(table, BO)
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    assert is_paused(table)
    assert agreeing.asking(table.seats) == []


def test_after_the_game_nobody_can_pause_it(runtime, table):
    vote(table, BO)
    link = table.play_link(CY)
    end_game(runtime, table.table_id)
    with pytest.raises(Refused, match="No game is played"):
        agreeing.vote_pause(runtime, link, wanted=True, now=runtime.now())
    assert not any(seat.wants_pause for seat in table.seats)


def test_votes_at_the_same_moment_pause_the_clock_once(either_runtime):
    table = start_game(either_runtime)
    done = at_once(*(lambda seat=seat: vote(table, seat) for seat in (BO, CY, DI)))
    assert done == [None, None, None]
    assert is_paused(table)
    assert agreeing.asking(table.seats) == []


def test_anybody_ends_a_voted_pause_from_their_table(runtime, table):
    for seat in (ANN, BO, CY):
        vote(table, seat)
    assert is_paused(table)
    go_on(table, DI)
    assert not is_paused(table)
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=True, now=runtime.now())
    go_on(table, DI)
    assert is_paused(table), "the host's pause needs more than half"


# a rest


def go_on(table, seat=BO):
    agreeing.go_on(table.runtime, seat_link(table.runtime, table.table_id, seat), table.runtime.now())


@pytest.mark.parametrize("seat", [ANN, DI])
def test_one_tap_of_anybody_gives_the_game_a_full_time(runtime, table, seat):
    put_to_rest(table)
    runtime.now.pass_by(timedelta(days=10))
    go_on(table, seat)
    stored = table.stored
    assert (rests(table), stored.row.due_at >= runtime.now() + PACE) == (False, True)
    (asked,) = stored.game.to_act
    leave(runtime)
    postman.deliver(runtime)
    runtime.now.at = stored.row.due_at - PACE / 4
    mailed = [
        one for one in letters(runtime, LetterKind.TURNS) if one.asked and one.created_at >= stored.clock.asked_at
    ]
    assert {one.seat for one in mailed} == {asked}, "and it is asked anew, who reads no mail by a last call"
    put_to_rest(table)
    assert len(letters(runtime, LetterKind.RESTING)) == 8


def test_a_mail_of_a_finished_rest_is_not_sent(runtime, table):
    put_to_rest(table)
    go_on(table)
    postman.deliver(runtime)
    assert {one.state for one in letters(runtime, LetterKind.RESTING)} == {LetterState.SUPERSEDED}


def test_a_card_sets_the_game_going(runtime, table):
    put_to_rest(table)
    before = table.stored
    table.play_first(TurnSource.REPLY)
    table.play_for_absent()
    after = table.stored
    assert (rests(table), after.turns > before.turns) == (False, True)
    assert after.row.due_at >= runtime.now() + PACE
    leave(runtime)
    mails = letters(runtime, LetterKind.TURNS)
    queued = {one.seat for one in mails if one.state is LetterState.QUEUED and one.asked}
    assert queued == set(after.game.to_act), "and not who has just played"


def test_the_host_ends_a_rest_as_a_pause(runtime, table):
    put_to_rest(table)
    hosting.pause(runtime, host_of(runtime, table.table_id), paused=False, now=runtime.now())
    assert not rests(table)


def test_a_stranger_and_a_dead_link_set_nothing_going(runtime, table):
    put_to_rest(table)
    link = seat_link(runtime, table.table_id, BO)
    for change, error in (({"seat": CY}, SeatLost), ({"links": 1}, LinkExpired)):
        with pytest.raises(error):
            agreeing.go_on(runtime, replace(link, **change), runtime.now())
    assert rests(table)


def test_after_sixty_days_its_finished_hands_are_the_game(runtime):
    table = start_game(runtime, rules=preset_rules("classic"))
    table.play_hand()
    put_to_rest(table)
    runtime.now.pass_by(timedelta(days=60) - HOUR)
    assert due_games.claim_due(runtime, runtime.now()) == []
    runtime.now.pass_by(HOUR)
    due_games.play_due(runtime)
    stored = table.stored
    assert (stored.row.state, stored.was_ended, len(stored.game.scores)) == (GameState.OVER, True, 1)
    assert stored.game.stage is not Stage.OVER
    assert [one.reason for one in letters(runtime, LetterKind.ENDED)] == ["rested"] * 4
