"""Passing by rule: what goes, and what is kept."""

from typing import Any

import pytest

from hearts.cards import ONCE_MASK, Cards
from hearts.robot.passing import pick_pass
from hearts.robot.reading import table_numbers
from tests.hearts.robot.asked import seen


def passed(held: str, **rules: Any) -> set[str]:
    place = seen(held, stage="pass", rules=rules, totals=[0] * rules.get("players", 4), **{"pass": "left"})
    mask = place.held.mask
    return set(str(Cards(pick_pass(mask & ONCE_MASK, mask >> 52, table_numbers(place)))).split())


@pytest.mark.parametrize(
    ("held", "rules", "gone", "kept"),
    [
        pytest.param("QS KS 2S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H", {}, "QS KS", "2S", id="an unguarded queen and king"),
        pytest.param("QS 2S 3S 4S 5S 2C 3C 4C AC 2D AD 2H AH", {}, "AC AD AH", "QS", id="a queen with four below"),
        pytest.param(
            "QS 2S 3S 4C 5C 6C 9C TC 4D KD AD KH AH", {"queen_points": 0}, "KH AH KD", "QS", id="a queen without points"
        ),
        pytest.param("JD AD KD 2C 3C 4C 5C 6C 2S 3S 2H 3H 4H", {}, "AD KD JD", "2H", id="a jack without points"),
        pytest.param(
            "JD AD KD 2C 3C 4C 5C 6C 2S 3S 2H 3H 4H", {"jack_points": -10}, "AD KD", "JD", id="a jack worth having"
        ),
    ],
)
def test_the_pass_by_rule_is_what_costs_most_to_keep(held: str, rules: dict[str, Any], gone: str, kept: str):
    found = passed(held, **rules)
    assert set(gone.split()) <= found
    assert not found & set(kept.split())


def test_of_a_card_held_twice_one_is_passed():
    rules = {"preset": "cancellation", "players": 6, "passing": "left"}
    assert len(passed("AC AC AD AD 2S 2S 3S 3S 2H 2H 3H 3H 4H 4H 5D 5D 6D", **rules)) == 3


@pytest.mark.parametrize("count", [1, 2, 4])
def test_as_many_cards_go_as_the_rules_say(count: int):
    assert len(passed("QS KS 2S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H", pass_count=count)) == count
