"""Turn records: what was played, how that came about, and their numbers. `store` reads and writes them."""

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from hearts.turns import Deal, Turn
from webapp.models import Grounds, TurnSource

BY_PLAYER = (TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY)
CHOSEN = (*BY_PLAYER, TurnSource.AHEAD)  # by the player, at whatever time


class Record(NamedTuple):
    """A turn record: what was played, how it came to be played, a robot's reasons if one chose, and in which hand."""

    turn: Turn
    source: TurnSource
    choice: Grounds | None = None
    hand: int = 0  # 0 until it is appended
    number: int = 0  # likewise; from 1 within the game


def numbered(records: Iterable[Record], dealt: int = 0, after: int = 0) -> tuple[Record, ...]:
    """The records, each with its number and that of its hand: as the row says, or else how many were dealt by then.

    `dealt` is how many hands were dealt before these records, `after` how many records came before them.
    """
    records = tuple(records)
    hands = [*accumulate((isinstance(record.turn, Deal) for record in records), initial=dealt)][1:]
    return tuple(
        one._replace(hand=one.hand or hand, number=number)
        for number, (one, hand) in enumerate(zip(records, hands, strict=True), after + 1)
    )
