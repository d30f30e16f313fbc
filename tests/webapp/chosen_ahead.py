"""Cards that players choose ahead, and the trick for which they do."""

from hearts.cards import HEARTS
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import load, play_link, start_game
from tests.copying import copied
from tests.playing import play_first
from webapp.games.asked.due import Due
from webapp.models import TurnSource
from webapp.play import taking
from webapp.players import ahead

BO = Seat(1)


def due(runtime, game_id):
    game = load(runtime, game_id).game
    return Due(game.hand, f"trick {game.trick}")


def choose(runtime, game_id, seat, card, what=None, *, seen=None):
    """The player of the seat chooses the card for the trick, having seen so many cards there, or all that lie there."""
    lying = len(load(runtime, game_id).game.on_table) if seen is None else seen
    link, what = play_link(runtime, game_id, seat), what or due(runtime, game_id)
    return ahead.choose(runtime, link, what, card, runtime.now(), seen=lying)


@copied
def with_a_heart_led(runtime):
    """A game in which Bo has led a heart, Cy is to play, and everybody can follow with a choice of cards."""
    made = start_game(runtime, rules=preset_rules("classic", hearts_lead="anytime", passing="none"))
    while not (heart := _heart_to_lead(load(runtime, made).game)):
        play_first(runtime, made)
    taking.take_turn(runtime, made, due(runtime, made), Play(BO, heart), TurnSource.PAGE, runtime.now())
    return made


def _heart_to_lead(game):
    if game.stage is not Stage.PLAY or game.on_table or game.to_act != (BO,):
        return None
    can_follow = all(len(held & HEARTS) > 1 for held in game.held)
    return min(legal(game, BO) & HEARTS, default=None) if can_follow else None
