"""A plan as a value, and its JSON form."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from hearts.plans.orders import EVERY_ORDER, Order
from hearts.plans.wakes import Wake


class Asking(StrEnum):
    """When the player is asked, from cautious to bold. Nobody is asked about the only card that may be played."""

    ASK = "ask"
    """Always."""
    SAME = "same"
    """Not between cards that are equivalent."""
    SHORT = "short"
    """The same as `SAME`; where the card of the orders would cost less than the limit, for a short time only."""
    MATTERS = "matters"
    """Only where the card of the orders would cost as much as the limit, by the robot's figures."""


LIMITS: Final = (0.25, 0.5, 1.0, 2.0)
"""The limits that a player may set, in points of a hand."""
LATEST: Final = 12
"""The last trick after which a player may ask to be woken."""


class BadPlan(ValueError):
    """A mapping is no plan; the sentence says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A player's rules for cards that are played without asking them. Raises BadPlan if a value is not on offer."""

    asking: Asking = Asking.ASK
    limit: float = 1.0
    """The points from which a card of the orders matters."""
    orders: frozenset[Order] = EVERY_ORDER
    """The orders that are on."""
    wakes: frozenset[Wake] = frozenset()
    after_trick: int = 0
    """The player is asked in every trick after this one; 0: this does not matter."""

    def __post_init__(self) -> None:
        if self.limit not in LIMITS:
            raise BadPlan(f"limit must be one of {', '.join(map(str, LIMITS))}")
        if type(self.after_trick) is not int or not 0 <= self.after_trick <= LATEST:
            raise BadPlan(f"after_trick must be a whole number from 0 to {LATEST}")


ASK: Final = Plan()
"""The plan of somebody who wants to play every card."""
STAKE: Final = 0.25
"""The cost below which a choice hardly matters, in points of a hand."""
FULL_WAIT: Final = Plan(asking=Asking.SAME)
"""Every choice has the full time."""
SHORT_WAIT: Final = Plan(asking=Asking.SHORT, limit=STAKE)
"""A choice that hardly matters has a short time; then the card of the orders is played."""
NO_WAIT: Final = Plan(asking=Asking.MATTERS, limit=STAKE)
"""A choice that hardly matters is played at once."""


def plan_mapping(plan: Plan) -> dict[str, Any]:
    """The plan as JSON values; `parse_plan` reads it back."""
    return {
        "asking": plan.asking.value,
        "limit": plan.limit,
        "orders": [order.value for order in Order if order in plan.orders],
        "wakes": [wake.value for wake in Wake if wake in plan.wakes],
        "after_trick": plan.after_trick,
    }


def parse_plan(mapping: Mapping[str, Any]) -> Plan:
    """The plan that `plan_mapping` wrote. Raises BadPlan."""
    try:
        return Plan(
            asking=_word(Asking, mapping["asking"]),
            limit=float(mapping["limit"]),
            orders=_words(Order, mapping["orders"]),
            wakes=_words(Wake, mapping["wakes"]),
            after_trick=mapping["after_trick"],
        )
    except BadPlan:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise BadPlan(f"not a plan: {error}") from error


_Word = TypeVar("_Word", bound=StrEnum)


def _word(kind: type[_Word], word: object) -> _Word:
    try:
        return kind(str(word))
    except ValueError:
        raise BadPlan(f"{str(word)[:40]!r} is none of {', '.join(kind)}") from None


def _words(kind: type[_Word], words: Iterable[object]) -> frozenset[_Word]:
    if isinstance(words, str):
        raise BadPlan(f"{words[:40]!r} is no list")
    return frozenset(_word(kind, word) for word in words)
