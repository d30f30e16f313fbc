"""The passes that are worth a look: those that leave the cheapest cards, by two tables of prices.

One table holds for a seat that ducks, the other for one that tries to shoot the moon. The kept cards cost as much as
their suits, and a suit the sum of some entries, in 64ths of a point. They were fitted to the costs of all passes from
many hands, and only compare passes from the same hand.
"""

from base64 import b64decode
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from struct import unpack
from typing import Final

from hearts.robot import keeping_prices

# Where the parts of a table begin. There are three kinds of suits: 0 clubs and diamonds, 1 spades, 2 hearts.
CARD: Final = 0
"""Kind × rank × own lower."""
LENGTH: Final = CARD + 3 * 13 * 5
"""Kind × length."""
SPADES: Final = LENGTH + 3 * 9
"""Whether the queen is kept × cards above it × cards below it."""
ENTRIES: Final = SPADES + 2 * 3 * 7

KINDS: Final = (0, 0, 1, 2)
_QUEEN: Final = 10


@cache
def to_duck() -> tuple[int, ...]:
    """By entry, its share of a price in 64ths of a point, for a seat that ducks."""
    return unpacked(keeping_prices.DUCK)


@cache
def to_shoot() -> tuple[int, ...]:
    """The same for a seat that tries to shoot the moon."""
    return unpacked(keeping_prices.SHOOT)


def unpacked(table: str) -> tuple[int, ...]:
    """A table as `bench.passes` has written it."""
    return unpack(f"<{ENTRIES}h", b64decode(table))


def cheapest_passes(held: int, number: int, table: Sequence[int], most: int) -> list[int]:
    """Masks of the passes of `number` cards from the mask `held`: those that leave the cheapest cards come first.

    There are `most` of them, or all if there are fewer.
    """
    found = [[(0, 0)], *([] for _ in range(number))]
    for suit, kind in enumerate(KINDS):
        found = _joined(found, _parts(held, suit, kind, number, table), most)
    return [given for _, given in found[number]]


_Passes = list[list[tuple[int, int]]]
"""By number of cards: prices of what is kept, with the masks of what is passed, cheapest first."""


def _joined(some: _Passes, others: _Passes, most: int) -> _Passes:
    """The cheapest passes of cards from both; the dearer ones of either cannot be part of them."""
    return [
        sorted(
            (price + more, given | part)
            for cards in range(size + 1)
            for price, given in some[cards]
            for more, part in others[size - cards][:most]
        )[:most]
        for size in range(len(some))
    ]


def _parts(held: int, suit: int, kind: int, number: int, table: Sequence[int]) -> _Passes:
    """The passes of up to `number` cards of a suit, with the price of what is kept of it."""
    mine = held >> 13 * suit & 8191
    cards = [1 << rank for rank in range(13) if mine >> rank & 1]
    return [
        sorted((_price(mine & ~sum(some), kind, table), sum(some) << 13 * suit) for some in combinations(cards, size))
        for size in range(number + 1)
    ]


def _price(kept: int, kind: int, table: Sequence[int]) -> int:
    return sum([table[entry] for entry in entries(kept, kind)])


def entries(kept: int, kind: int) -> list[int]:
    """The places in a table whose sum is the price of the cards kept of a suit."""
    ranks = [rank for rank in range(13) if kept >> rank & 1]
    places = [CARD + (kind * 13 + rank) * 5 + min(lower, 4) for lower, rank in enumerate(ranks)]
    places.append(LENGTH + kind * 9 + min(len(ranks), 8))
    if kind == 1:
        above, below = (kept >> _QUEEN + 1).bit_count(), (kept & (1 << _QUEEN) - 1).bit_count()
        places.append(SPADES + ((kept >> _QUEEN & 1) * 3 + above) * 7 + min(below, 6))
    return places
