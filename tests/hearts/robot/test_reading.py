"""Reading a position: the numbers of its rules, what a point is worth to its seat, and the cards played so far."""

from dataclasses import replace

import pytest

from hearts.cards import card_text
from hearts.robot import bits
from hearts.robot.reading import has_prices, replayed, table_numbers
from hearts.rules import preset_rules
from tests.hearts.robot.asked import seen


@pytest.mark.parametrize("totals", [[0, 0, 0, 0], [50, 20, 90, 30], [-26, 0, 26, 99]])
def test_all_others_points_together_weigh_as_much_as_ones_own(totals):
    numbers = table_numbers(seen("2D 3D", "", rules={"opening": "eldest"}, totals=totals))
    own, *others = numbers[bits.WEIGHTS : bits.WEIGHTS + 4]
    assert own == bits.POINT
    assert sum(others) == pytest.approx(-bits.POINT, abs=3)
    by_total = sorted(zip(totals[1:], others, strict=True))
    assert [weight for _, weight in by_total] == sorted(others)


def test_partners_share_one_weight():
    numbers = table_numbers(seen("2D 3D", "", rules={"preset": "partners", "opening": "eldest"}, totals=[10, 80]))
    assert numbers[bits.ME] == 0
    assert numbers[bits.WEIGHTS : bits.WEIGHTS + 3] == [bits.POINT, -bits.POINT, 0]


@pytest.mark.parametrize(
    ("preset", "options", "found"),
    [
        ("classic", {}, True),
        ("classic", {"players": 7}, True),
        ("classic", {"jack_points": -10}, False),
        ("partners", {}, False),
        ("cancellation", {"players": 6}, False),
    ],
)
def test_one_pack_without_partners_or_a_jack_has_prices(preset, options, found):
    assert has_prices(preset_rules(preset, **options)) is found


@pytest.mark.parametrize(
    ("hand", "target"),
    [
        pytest.param(3, 100, id="a hand before the last one"),
        pytest.param(4, -(1 << 20), id="the last hand"),
        pytest.param(5, -(1 << 20), id="an extra hand"),
    ],
)
def test_any_total_ends_the_game_with_its_last_hand(hand, target):
    place = seen("2D 3D", "", rules={"opening": "eldest", "hands": 4}, totals=[0, 0, 0, 0])
    assert table_numbers(replace(place, hand=hand))[bits.TARGET] == target
    without_limit = replace(place, hand=hand, rules=preset_rules("classic", opening="eldest"))
    assert table_numbers(without_limit)[bits.TARGET] == 100


def test_the_others_cards_alone_are_watched_until_they_are_played():
    watched = []
    place = seen("KD QD JD", "2C AC 3C 4C 2D 5D 6D", leader=0)
    replayed(place, table_numbers(place), lambda state, card: watched.append((state[bits.SEAT], card_text(card))))
    assert watched == [(1, "AC"), (2, "3C"), (3, "4C"), (1, "2D"), (2, "5D"), (3, "6D")]


def test_a_replayed_hand_has_its_own_cards_and_taken_cards():
    place = seen("2D 3D 4D", "2C AC 3C QS 7H 2H 3H 8H", leader=0, rules={"first_trick_points": True})
    state = replayed(place, table_numbers(place))
    assert state[bits.HELD : bits.HELD + 4] == [place.held.mask, 0, 0, 0]
    assert state[bits.TAKEN : bits.TAKEN + 4] == [4, 13, 0, 0]
    assert (state[bits.SEAT], state[bits.BROKEN], state[bits.TRICKS_LEFT]) == (0, 1, 3)
