"""Setting a game going that rests: who may, what everybody has then, and its end if nobody does."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.cast import PACE, leave, letters, load, seat_link, start_game
from tests.playing import play_first, play_hand
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.tables.hosted import host_of, table_of
from webapp.core.tokens import LinkExpired, SeatLost
from webapp.models import GameState, LetterKind, LetterState, TurnSource
from webapp.play import due_games
from webapp.tables import hosting, resting
from worker import postman

ANN, BO, CY, DI = range(4)
HOUR = timedelta(hours=1)


def go_on(runtime, game_id, seat=BO):
    resting.go_on(runtime, seat_link(runtime, table_of(runtime, game_id), seat), runtime.now())


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
    mailed = [one for one in letters(runtime, LetterKind.TURNS) if one.asked and one.created_at >= stored.row.asked_at]
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
            resting.go_on(runtime, replace(link, **change), runtime.now())
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
