"""The stake of a choice: the cost of a card, by the robot's figures, against the best one that the seat sees.

The best of many estimates looks better than it is, since chance has favoured it. So a card that seems to matter, or
nearly, is weighed a second time, against that best one alone, over other deals.
"""

from dataclasses import dataclass
from typing import Final

from hearts.cards import QUEEN_OF_SPADES, Card, card_text
from hearts.robot import Level, compared, consider, playouts_in
from hearts.robot.race import CostLimit
from hearts.robot.reading import Position, position
from hearts.turns import Play
from hearts.view import View
from hearts.waits.default_card import wins_so_far

STAKE: Final = 0.25
"""The cost, in points of a hand, from which a choice matters."""
DOUBTFUL: Final = 0.5 * STAKE
"""The cost from which a card is weighed a second time."""
MILLISECONDS: Final = 10
"""The longest look at one card, on an ordinary core; converted to roll-outs, so that a seed gives the same price."""
SECOND_LOOK: Final = 30
"""The same for a second look, which one card in four needs. Most looks end before: once the answer is clear."""


@dataclass(frozen=True, slots=True)
class Price:
    """The cost of a card in expected points of the hand, found by `playouts` roll-outs. The seed reproduces it."""

    cost: float
    playouts: int
    seed: int


def price(view: View, card: Card, seed: int) -> Price | None:
    """The price of playing `card`, which must be legal, as precise as is needed to tell whether it matters.

    None if the robot did not look at the card. Raises Contradiction if no deal fits what the seat sees.
    """
    place = position(view)
    most = playouts_in(place, MILLISECONDS)
    choice = consider(place, level=Level.STRONG, playouts=most, seed=seed, limit=CostLimit(card, DOUBTFUL))
    assert isinstance(choice.turn, Play)
    own, best = (choice.expected.get(card_text(one)) for one in (card, choice.turn.card))
    if own is None or best is None:
        return Price(0.0, choice.playouts, seed) if card == choice.turn.card else None
    return _checked(place, card, choice.turn.card, Price(_cost(own - best), choice.playouts, seed))


def small_price(view: View, card: Card, seed: int) -> Price | None:
    """The price of playing `card`, if that hardly matters; None if the player is to choose. Raises as `price`."""
    found = price(view, card, seed)
    return found if found and found.cost < STAKE else None


def may_shed_queen(view: View) -> bool:
    """Whether the seat may get rid of a queen of spades that counts: the trick as it lies would not go to her.

    To its player that is the event of the hand, so it matters however little the robot finds at stake.
    """
    is_hers = view.rules.queen_points != 0 and QUEEN_OF_SPADES in view.legal
    return view.trick is not None and is_hers and not wins_so_far(view, QUEEN_OF_SPADES)


def _checked(place: Position, card: Card, best: Card, found: Price) -> Price:
    """The price of a second look, if the first has not `found` it well below the stake."""
    if found.cost < DOUBTFUL:
        return found
    cost, playouts = compared(place, card, best, STAKE, playouts=playouts_in(place, SECOND_LOOK), seed=found.seed + 1)
    return Price(_cost(cost), playouts, found.seed)


def _cost(points: float) -> float:
    return round(max(0.0, points), 2)
