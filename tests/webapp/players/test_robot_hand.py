"""A player lets a robot play a hand, and takes it back."""

from datetime import timedelta

from hearts.rules import preset_rules
from tests.cast import NAMES, load, seats, start_game
from tests.playing import pass_all, play_first
from tests.webapp.going_away import set_away
from webapp.games.asked.whose_turn import awaited
from webapp.models import TurnSource
from webapp.play import due_games
from webapp.players.robot_hand import set_robot_hand


def player_of(runtime, game_id, seat):
    return seats(runtime, load(runtime, game_id).row.table_id)[seat].player_id


def handed_over(runtime):
    """A game whose player at turn has let a robot play the hand; and their seat."""
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    (seat,) = load(runtime, game_id).game.to_act
    set_robot_hand(runtime, player_of(runtime, game_id, seat), load(runtime, game_id).table.id, 1, runtime.now())
    return game_id, seat


def test_a_robot_plays_one_hand_on_its_players_request(runtime):
    game_id = start_game(runtime, NAMES[:2], robots=2, rules=preset_rules("quick", passing="none"))
    stored = load(runtime, game_id)
    set_robot_hand(runtime, player_of(runtime, game_id, 0), stored.row.table_id, stored.game.hand, runtime.now())
    while not load(runtime, game_id).game.scores:
        due_games.play_for_absent(runtime, game_id)
        if not load(runtime, game_id).game.scores:
            assert awaited(load(runtime, game_id)) == (1,), "only Bo is asked"
            play_first(runtime, game_id)
    anns = [record for record in load(runtime, game_id).records if getattr(record.turn, "seat", None) == 0]
    assert {record.source for record in anns} <= {TurnSource.AS_WISHED, TurnSource.FORCED, TurnSource.CLAIM}
    assert {record.choice.by for record in anns if record.source is TurnSource.AS_WISHED} == {"robot"}
    due_games.play_for_absent(runtime, game_id)
    while awaited(load(runtime, game_id)) == (1,):
        play_first(runtime, game_id)
        due_games.play_for_absent(runtime, game_id)
    assert awaited(load(runtime, game_id)) == (0,), "in the next hand she plays herself"


def test_a_player_who_plays_a_card_has_the_hand_back(runtime):
    game_id, seat = handed_over(runtime)
    assert awaited(load(runtime, game_id)) == ()
    play_first(runtime, game_id)
    assert load(runtime, game_id).seats[seat].robot_hand is None


def test_a_hand_taken_back_has_its_deadline(runtime):
    game_id, seat = handed_over(runtime)
    due_at = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_robot_hand(runtime, player_of(runtime, game_id, seat), load(runtime, game_id).table.id, None, runtime.now())
    stored = load(runtime, game_id)
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at


def test_a_returning_player_has_the_hand_and_its_deadline(runtime):
    game_id, seat = handed_over(runtime)
    due_at = load(runtime, game_id).row.due_at
    runtime.now.pass_by(timedelta(hours=5))
    set_away(runtime, load(runtime, game_id).table.id, seat, away=False)
    stored = load(runtime, game_id)
    assert awaited(stored) == (seat,)
    assert stored.row.due_at == due_at
