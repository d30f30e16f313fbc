"""A game that waits for a card, and what many tests of play share."""

from collections.abc import Iterable

from hearts.cards import Card, card_text, suit
from hearts.game import Game, Stage
from hearts.rules import preset_rules
from tests.cast import start_game
from tests.copying import copied
from tests.table import Table
from webapp.core.runtime import Runtime

QUICK = preset_rules("quick", target=30)  # more than a hand has points, so that there are two hands
BO = 1


def codes(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


@copied
def waiting_game(runtime: Runtime) -> Table:
    """A game in which Bo has led, Cy is to play, and everybody can follow with a choice of cards."""
    made = start_game(runtime)
    while not _bo_has_led(made.game):
        made.play_first()
    return made


def _bo_has_led(game: Game) -> bool:
    if game.stage is not Stage.PLAY or len(game.on_table) != 1 or game.leader != BO:
        return False
    led = suit(game.on_table[0])
    return all(sum(suit(card) is led for card in held) > 1 for seat, held in enumerate(game.held) if seat != BO)
