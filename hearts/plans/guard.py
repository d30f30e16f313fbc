"""The guard: what a card would cost, by the robot's figures, against the best one that the seat sees.

The best of many estimates looks better than it is, since chance has favoured it. So a card that seems to matter, or
nearly, is weighed a second time, against that best one alone, over other deals.
"""

from dataclasses import dataclass
from math import inf
from typing import Final

from hearts.cards import Card, card_text, parse_code
from hearts.robot import Level, consider, foresee, playouts_in, weighed
from hearts.robot.reading import Position, position
from hearts.turns import Play
from hearts.view import View

MILLISECONDS: Final = 10
"""What a look at one card may take on an ordinary core; converted to roll-outs, so that a seed gives the same price."""
SECOND_LOOK: Final = 20
"""The same for a second look, which one card in four needs."""
DOUBTFUL: Final = 0.5
"""The part of the limit from which a price is found a second time."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a card costs in expected points of the hand, found by `playouts` roll-outs; the seed reproduces it."""

    cost: float
    playouts: int
    seed: int


def price(view: View, card: Card, seed: int, limit: float = inf) -> Price | None:
    """The price of playing `card`, which must be legal; None if the robot did not look at it.

    If it is not well below `limit`, it is that of a second look. Raises Contradiction if no deal fits what the seat
    sees.
    """
    place = position(view)
    choice = consider(place, level=Level.STRONG, playouts=playouts_in(place, MILLISECONDS), seed=seed)
    assert isinstance(choice.turn, Play)
    own, best = (choice.expected.get(card_text(one)) for one in (card, choice.turn.card))
    if own is None or best is None:
        return Price(0.0, choice.playouts, seed) if card == choice.turn.card else None
    found = Price(_cost(own, best), choice.playouts, seed)
    return found if found.cost < DOUBTFUL * limit else _second_look(place, card, choice.turn.card, seed)


def price_ahead(view: View, card: Card, seed: int, limit: float = inf) -> Price:
    """The price of playing `card` to the trick on the table, to which the seat plays later; `view` is `foreseen`.

    `card` must be among its legal cards, and `limit` is as in `price`. Raises Contradiction if no deal fits what the
    seat sees.
    """
    place = position(view)
    expected, best, playouts = foresee(place, card, playouts=playouts_in(place, MILLISECONDS), seed=seed)
    found = Price(_cost(expected[card_text(card)], expected[best]), playouts, seed)
    return found if found.cost < DOUBTFUL * limit else _second_look(place, card, parse_code(best), seed)


def _second_look(place: Position, card: Card, best: Card, seed: int) -> Price:
    playouts = playouts_in(place, SECOND_LOOK)
    cards = Play(place.seat, card), Play(place.seat, best)
    return Price(_cost(*weighed(place, cards, playouts=playouts, seed=seed + 1)), playouts, seed)


def _cost(own: float, best: float) -> float:
    return round(max(0.0, own - best), 2)
