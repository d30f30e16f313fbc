"""The passes that a search considers."""

import random
from itertools import combinations

import pytest

from hearts.cards import FACES, Cards
from hearts.robot.keeping import ENTRIES, KINDS, cheapest_passes, entries, to_duck, to_shoot


def price(kept: int, table: tuple[int, ...]) -> int:
    return sum(table[entry] for suit, kind in enumerate(KINDS) for entry in entries(kept >> 13 * suit & 8191, kind))


@pytest.mark.parametrize("table", [to_duck(), to_shoot()])
def test_the_passes_that_leave_the_cheapest_cards_come_first(table: tuple[int, ...]):
    held = random.Random(1).sample(FACES, 13)
    every = [Cards.of(some).mask for some in combinations(held, 3)]
    mask = Cards.of(held).mask
    prices = sorted(price(mask & ~given, table) for given in every)
    found = cheapest_passes(mask, 3, table, 30)
    assert [price(mask & ~given, table) for given in found] == prices[:30]
    assert len(set(found)) == 30
    assert set(found) <= set(every)


def test_kinds_of_suits_share_no_prices():
    places = [{entry for kept in range(0, 8192, 7) for entry in entries(kept, kind)} for kind in range(3)]
    assert len(set.union(*places)) == sum(map(len, places))
    assert max(map(max, places)) < ENTRIES


@pytest.mark.parametrize(
    ("held", "given"),
    [
        pytest.param("2C 3C 4C 2D 3D 4D 2S AS KS 2H 3H 4H 5H", "AS KS", id="high spades with one below the queen"),
        pytest.param("2C 3C 4C 2D 3D AD 2S 3S 4S 5S 2H KH AH", "KH AH", id="the highest hearts"),
    ],
)
def test_one_who_ducks_passes_what_would_win_points(held: str, given: str):
    best = Cards(cheapest_passes(Cards.parse(held).mask, 3, to_duck(), 1)[0])
    assert set(Cards.parse(given)) <= set(best)


def test_one_who_shoots_passes_low_cards_of_short_suits():
    held = Cards.parse("AC KC QC JC TC 9C AS KS QS AH KH 2D 3H")
    best = Cards(cheapest_passes(held.mask, 3, to_shoot(), 1)[0])
    assert {"2D", "3H"} <= set(str(best).split())
