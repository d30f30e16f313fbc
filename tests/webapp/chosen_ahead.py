"""Cards that players choose ahead, and the trick for which they do."""

from hearts.cards import HEARTS
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import start_game
from tests.copying import copied
from webapp.games.asked.due import Due
from webapp.models import TurnSource
from webapp.play import taking
from webapp.players import ahead

BO, DI = Seat(1), Seat(3)


def due(table):
    game = table.game
    return Due(game.hand, f"trick {game.trick}")


def choose(table, seat, card, what=None, *, seen=None):
    """The player of the seat chooses the card for the trick, having seen so many cards there, or all that lie there."""
    lying = len(table.game.on_table) if seen is None else seen
    link, what = table.play_link(seat), what or due(table)
    return ahead.choose(table.runtime, link, what, card, table.runtime.now(), seen=lying)


@copied
def with_a_heart_led(runtime):
    """A game in which Bo has led a heart, Cy is to play, and everybody can follow with several, Di with a choice."""
    made = start_game(runtime, rules=preset_rules("classic", hearts_lead="anytime", passing="none"))
    while not (heart := _heart_to_lead(made.stored.game)):
        made.play_first()
    taking.take_turn(runtime, made.game_id, due(made), Play(BO, heart), TurnSource.PAGE, runtime.now())
    return made


def _heart_to_lead(game):
    """Bo's lowest, if two hearts of Di's still differ in worth once Cy has played another."""
    if game.stage is not Stage.PLAY or game.on_table or game.to_act != (BO,):
        return None
    lead = min(legal(game, BO) & HEARTS, default=None)
    if lead is None or any(len(held & HEARTS) < 2 for held in game.held):
        return None
    dis = game.held[DI] & HEARTS
    others = [card for seat in (0, 1, 2) for card in game.held[seat] & HEARTS if card != lead]
    return lead if sum(min(dis) < card < max(dis) for card in others) > 1 else None
