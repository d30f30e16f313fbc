"""Which passes are worth a look: those that leave the cheapest cards, by two tables of prices.

One table holds for a seat that ducks, the other for one that tries to shoot the moon. What a seat keeps costs as much
as its suits, and a suit the sum of some entries, in 64ths of a point. They were fitted to the costs of all passes from
many hands, and only compare passes from the same hand.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

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


def cheapest_passes(held: int, number: int, table: Sequence[int], most: int) -> list[int]:
    """Masks of the passes of `number` cards from the mask `held`: those that leave the cheapest cards come first."""
    found = [(0, 0, 0)]
    for suit, kind in enumerate(KINDS):
        parts = list(_parts(held >> 13 * suit & 8191, number, kind, table))
        found = [
            (price + more, given | part << 13 * suit, cards + of_suit)
            for price, given, cards in found
            for more, part, of_suit in parts
            if cards + of_suit <= number
        ]
    return [given for _, given, cards in sorted(found) if cards == number][:most]


def _parts(mine: int, number: int, kind: int, table: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """For each set of up to `number` cards of a suit: the price of the rest, the mask of the set, and its size."""
    cards = [1 << rank for rank in range(13) if mine >> rank & 1]
    for size in range(min(number, len(cards)) + 1):
        for some in combinations(cards, size):
            given = sum(some)
            yield sum(table[entry] for entry in entries(mine & ~given, kind)), given, size


def entries(kept: int, kind: int) -> list[int]:
    """The places in a table whose sum is the price of the cards kept of a suit."""
    ranks = [rank for rank in range(13) if kept >> rank & 1]
    places = [CARD + (kind * 13 + rank) * 5 + min(lower, 4) for lower, rank in enumerate(ranks)]
    places.append(LENGTH + kind * 9 + min(len(ranks), 8))
    if kind == 1:
        above, below = (kept >> _QUEEN + 1).bit_count(), (kept & (1 << _QUEEN) - 1).bit_count()
        places.append(SPADES + ((kept >> _QUEEN & 1) * 3 + above) * 7 + min(below, 6))
    return places
