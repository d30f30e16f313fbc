"""`python -m hearts choose`: one position a line in, one answer a line out, whatever the line."""

import json
import random
from itertools import count

import pytest

from hearts.robot import Level, answers, choice_mapping, consider
from hearts.robot.position import parse_position
from tests.hearts.robot.asked import EXAMPLE, PASSING, ask


def test_a_card_has_its_reason_and_every_alternatives_cost():
    (found,) = ask(json.dumps(EXAMPLE))
    assert found["card"] in {"4D", "7D", "QD"}
    assert set(found["expected"]) == {"4D", "7D", "QD"}
    assert found["reason"].endswith(".")


def test_the_rule_level_prices_alternatives_without_changing_its_choice():
    for line in (EXAMPLE, PASSING):
        (found,) = ask(json.dumps(line), level=Level.RULE, seed=7)
        assert found["expected"]
        assert found["playouts"] > 0
        again = consider(parse_position(line), level=Level.RULE, playouts=found["playouts"], seed=7)
        assert choice_mapping(again) == found
        bare = consider(parse_position(line), level=Level.RULE, seed=7)
        assert choice_mapping(bare) == {**found, "expected": {}, "playouts": 0}
    assert set(ask(json.dumps(EXAMPLE), level=Level.RULE)[0]["expected"]) == {"4D", "7D", "QD"}


def test_a_pass_is_a_list_of_cards():
    (found,) = ask(json.dumps(PASSING))
    assert len(found["cards"]) == 3
    assert set(found["cards"]) <= set(PASSING["held"].split())
    assert "QS KS AS" in found["expected"]


def test_a_shooter_chooses_how_the_moon_counts():
    moon = shot_moon()
    found = ask(json.dumps(moon), json.dumps({**moon, "totals": [90, 20, 90, 90]}))
    assert [it["moon"] for it in found] == ["add", "subtract"]
    assert found[0]["expected"] == {"add": 0.0, "subtract": -26.0}


def shot_moon() -> dict:
    """Seat 0 has taken every trick."""
    hands = ["AKQJT98765432", "", "", ""]
    order = [f"{rank}{suit}" for suit in "C" for rank in hands[0]]
    others = [[f"{rank}{suit}" for rank in hands[0]] for suit in "DSH"]
    plays = " ".join(" ".join(trick) for trick in zip(order[::-1], *others, strict=True))
    rules = {"preset": "classic", "moon": "choice", "first_trick_points": True}
    gone = {"given": None, "received": None, "held": "", "leader": 0, "plays": plays, "legal": None}
    return {**EXAMPLE, **gone, "rules": rules, "seat": 0, "stage": "moon", "pass": "keep", "totals": [0, 0, 0, 0]}


def test_a_line_after_an_invalid_one_is_still_answered():
    found = ask("{", json.dumps(EXAMPLE), "[]", "", "\ud800", json.dumps(PASSING), "[" * 100_000)
    assert ["error" in it for it in found] == [True, False, True, True, True, False, True]


@pytest.mark.parametrize("level", Level)
def test_every_missing_or_damaged_field_is_rejected_or_answered(level: Level):
    rng = random.Random(1)
    junk = [None, True, 0, -1, 2.5, "", "QS", "QS QS", [], {}, [None], "2C " * 60, 10**400]
    spoilt = [{**rng.choice((EXAMPLE, PASSING)), rng.choice(list(EXAMPLE)): rng.choice(junk)} for _ in range(300)]
    for found in ask(*map(json.dumps, spoilt), level=level, ms=2):
        assert "error" in found or found["reason"]


def test_with_time_in_roll_outs_a_seed_repeats_its_answer():
    line = json.dumps(EXAMPLE)
    assert ask(line, ms=5, seed=3) == ask(line, ms=5, seed=3)
    assert ask(line, ms=2)[0]["playouts"] < ask(line, ms=8)[0]["playouts"]


def test_a_choice_that_takes_too_long_is_stopped():
    clock = count()
    found = next(answers([json.dumps(EXAMPLE)], level=Level.STRONG, ms=1500, seed=1, clock=lambda: float(next(clock))))
    assert json.loads(found)["playouts"] < 500
