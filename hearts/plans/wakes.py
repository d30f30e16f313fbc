"""Wake-ups: what stops a plan for one decision, whatever its orders say."""

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import Final

from hearts.cards import Card, Suit, suit
from hearts.plans.orders import points_on_table, queen_is_out, wins_so_far
from hearts.play import is_broken, law
from hearts.view import View

SWEEP: Final = 4
"""The points from which on a side that has taken all of them so far may be shooting the moon."""


class Wake(StrEnum):
    """When the player wants to be asked, whatever their plan says."""

    POINTS = "points"
    """There are points in the trick, and the card would win it so far."""
    QUEEN = "queen"
    """Spades are led while another player may hold the queen."""
    MOON = "moon"
    """One player has taken every point so far, and at least `SWEEP`."""
    BROKEN = "broken"
    """Hearts were broken since this seat's last card."""
    LEAD = "lead"
    """The seat leads."""


def wakes_for(view: View, card: Card, wakes: Collection[Wake], after_trick: int) -> bool:
    """Whether the player wants to be asked instead of `card` being played. It must be their turn to play."""
    if after_trick and len(view.tricks) >= after_trick:
        return True
    return any(_WAKES[wake](view, card) for wake in wakes)


def _points(view: View, card: Card) -> bool:
    return points_on_table(view) and wins_so_far(view, card)


def _queen(view: View, _: Card) -> bool:
    return view.trick is not None and suit(view.trick.cards[0]) is Suit.SPADES and queen_is_out(view)


def _moon(view: View, _: Card) -> bool:
    takers = [points for points in view.taken if points]
    return len(takers) == 1 and takers[0] >= SWEEP


def _broken(view: View, _: Card) -> bool:
    before = view.plays[: max(0, len(view.plays) - view.rules.players)]
    return view.broken and not is_broken(law(view.rules), before)


def _lead(view: View, _: Card) -> bool:
    return view.trick is None


_WAKES: Final[Mapping[Wake, Callable[[View, Card], bool]]] = {
    Wake.POINTS: _points,
    Wake.QUEEN: _queen,
    Wake.MOON: _moon,
    Wake.BROKEN: _broken,
    Wake.LEAD: _lead,
}
