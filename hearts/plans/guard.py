"""The guard: what a card would cost, by the robot's figures, against the best one that the seat sees.

The best of many estimates looks better than it is, since chance has favoured it. So a card that seems to matter, or
nearly, is weighed a second time, against that best one alone, over other deals.
"""

from dataclasses import dataclass
from typing import Final

from hearts.cards import Card, card_text, parse_code
from hearts.robot import Level, compared, consider, foresee, playouts_in
from hearts.robot.race import CostLimit
from hearts.robot.reading import Position, position
from hearts.turns import Play
from hearts.view import View

MILLISECONDS: Final = 10
"""The longest look at one card, on an ordinary core; converted to roll-outs, so that a seed gives the same price."""
SECOND_LOOK: Final = 30
"""The same for a second look, which one card in four needs. Most looks end before: once the answer is clear."""
DOUBTFUL: Final = 0.5
"""The part of the limit from which a price is found a second time."""


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of a card in expected points of the hand, found by `playouts` roll-outs.

    The seed reproduces it, with the same limit.
    """

    cost: float
    playouts: int
    seed: int


def price(view: View, card: Card, seed: int, limit: float | None = None) -> Price | None:
    """The price of playing `card`, which must be legal; None if the robot did not look at it.

    With a `limit`, it is as precise as is needed to tell whether the card costs so much. If it is not well below, it is
    that of a second look. Raises Contradiction if no deal fits what the seat sees.
    """
    place = position(view)
    until = None if limit is None else CostLimit(card, DOUBTFUL * limit)
    most = playouts_in(place, MILLISECONDS)
    choice = consider(place, level=Level.STRONG, playouts=most, seed=seed, limit=until)
    assert isinstance(choice.turn, Play)
    own, best = (choice.expected.get(card_text(one)) for one in (card, choice.turn.card))
    if own is None or best is None:
        return Price(0.0, choice.playouts, seed) if card == choice.turn.card else None
    return _checked(place, card, choice.turn.card, Price(_cost(own - best), choice.playouts, seed), limit)


def price_ahead(view: View, card: Card, seed: int, limit: float | None = None) -> Price:
    """The price of playing `card` to the trick on the table, to which the seat plays later; `view` is `foreseen`.

    `card` must be among its legal cards, and `limit` is as in `price`. Raises Contradiction if no deal fits what the
    seat sees.
    """
    place = position(view)
    until = None if limit is None else DOUBTFUL * limit
    expected, best, playouts = foresee(place, card, playouts=playouts_in(place, MILLISECONDS), seed=seed, limit=until)
    found = Price(_cost(expected[card_text(card)] - expected[best]), playouts, seed)
    return _checked(place, card, parse_code(best), found, limit)


def _checked(place: Position, card: Card, best: Card, found: Price, limit: float | None) -> Price:
    """The price of a second look, if the first has not `found` it well below the limit."""
    if limit is None or found.cost < DOUBTFUL * limit:
        return found
    cost, playouts = compared(place, card, best, limit, playouts=playouts_in(place, SECOND_LOOK), seed=found.seed + 1)
    return Price(_cost(cost), playouts, found.seed)


def _cost(points: float) -> float:
    return round(max(0.0, points), 2)
