"""The guard: what a card would cost, by the robot's figures, against the best one that the seat sees."""

from dataclasses import dataclass
from typing import Final

from hearts.cards import Card, card_text
from hearts.robot import Level, consider, foresee, playouts_in
from hearts.robot.reading import position
from hearts.turns import Play
from hearts.view import View

MILLISECONDS: Final = 10
"""What a look at one card may take on an ordinary core; converted to roll-outs, so that a seed gives the same price."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a card costs in expected points of the hand; `playouts` and `seed` reproduce it."""

    cost: float
    playouts: int
    seed: int


def price(view: View, card: Card, seed: int) -> Price | None:
    """The price of playing `card`, which must be legal; None if the robot did not look at it.

    Raises Contradiction if no deal fits what the seat sees.
    """
    place = position(view)
    choice = consider(place, level=Level.STRONG, playouts=playouts_in(place, MILLISECONDS), seed=seed)
    assert isinstance(choice.turn, Play)
    own, best = (choice.expected.get(card_text(one)) for one in (card, choice.turn.card))
    if own is None or best is None:
        return Price(0.0, choice.playouts, seed) if card == choice.turn.card else None
    return Price(round(max(0.0, own - best), 2), choice.playouts, seed)


def price_ahead(view: View, card: Card, seed: int) -> Price:
    """The price of playing `card` to the trick on the table, to which the seat plays later; `view` is `foreseen`.

    `card` must be among its legal cards. Raises Contradiction if no deal fits what the seat sees.
    """
    place = position(view)
    expected, best, playouts = foresee(place, card, playouts=playouts_in(place, MILLISECONDS), seed=seed)
    return Price(round(max(0.0, expected[card_text(card)] - expected[best]), 2), playouts, seed)
