"""`python -m hearts choose`: one position a line in, one answer a line out, whatever the line."""

import json
import random
from itertools import count

import pytest

from hearts.cards import Cards
from hearts.game import Stage, new_game
from hearts.robot import Level, answers, choice_mapping, consider
from hearts.robot.position import NotAPosition, parse_position, position_mapping
from hearts.robot.reading import position
from hearts.view import view
from tests.hearts.robot.tables import any_rules, dealt, step

EXAMPLE = {
    "rules": {"preset": "classic"},
    "hand": 2,
    "dealer": 3,
    "seat": 1,
    "totals": [4, 0, 19, 3],
    "stage": "play",
    "pass": "right",
    "given": "AS KS 9D",
    "received": "2H 7C 7D",
    "held": "7C JC 4D 7D QD 2H TH",
    "leader": 0,
    "plays": "2C 5C KC AC 8D 3D",
    "kitty": None,
    "legal": "7D 4D QD",
}
PASSING = {
    **EXAMPLE,
    "stage": "pass",
    "given": None,
    "received": None,
    "held": "2C 3C 4C 5C 2D 3D 4D AS KS QS 2H 3H 4H",
    "leader": None,
    "plays": "",
    "legal": None,
}


def ask(*lines: str, level: Level = Level.STEADY, ms: int | None = None, seed: int = 1) -> list[dict]:
    return [json.loads(it) for it in answers(lines, level=level, ms=ms, seed=seed, clock=lambda: 0.0)]


def test_a_card_comes_with_its_reason_and_the_expected_cost_of_each_alternative():
    (found,) = ask(json.dumps(EXAMPLE))
    assert found["card"] in {"4D", "7D", "QD"}
    assert set(found["expected"]) == {"4D", "7D", "QD"}
    assert found["reason"].endswith(".")


def test_the_rule_level_gives_the_cost_of_alternatives_without_changing_its_choice():
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


def test_an_invalid_line_gets_an_error_and_the_next_an_answer():
    found = ask("{", json.dumps(EXAMPLE), "[]", "", "\ud800", json.dumps(PASSING), "[" * 100_000)
    assert ["error" in it for it in found] == [True, False, True, True, True, False, True]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"held": "4D QD XX"}, id="an invalid card"),
        pytest.param({"held": "4D 4D 7C"}, id="a card twice in one pack"),
        pytest.param({"held": "2C 4D"}, id="a card held and played"),
        pytest.param({"held": ""}, id="nothing to play"),
        pytest.param({"held": " ".join(map(str, Cards((1 << 40) - 1)))}, id="more cards than leave the others as many"),
        pytest.param({"legal": "7C"}, id="other legal cards than the rules allow"),
        pytest.param({"seat": 2}, id="another seat's turn"),
        pytest.param({"seat": 4}, id="no such seat"),
        pytest.param({"seat": True}, id="a seat of another type"),
        pytest.param({"dealer": None}, id="no dealer"),
        pytest.param({"leader": None}, id="no leader of cards played"),
        pytest.param({"plays": ""}, id="a leader and nothing led"),
        pytest.param({"stage": "pass"}, id="cards played before all have passed"),
        pytest.param({"totals": [1, 2, 3]}, id="a total too few"),
        pytest.param({"totals": "0"}, id="totals that are no list"),
        pytest.param({"stage": "over"}, id="a stage at which nothing is chosen"),
        pytest.param({"stage": ["play"]}, id="a stage of another type"),
        pytest.param({"pass": "up"}, id="no such direction"),
        pytest.param({"rules": {"preset": "whist"}}, id="no such preset"),
        pytest.param({"rules": {"players": [4]}}, id="players that are no number"),
        pytest.param({"rules": []}, id="rules that are no object"),
        pytest.param({"plays": 7}, id="plays that are no text"),
        pytest.param({"given": 7}, id="given of another type"),
        pytest.param({"colour": "red"}, id="a field that there is not"),
    ],
)
def test_an_impossible_position_is_an_error(change: dict):
    (found,) = ask(json.dumps({**EXAMPLE, **change}))
    assert set(found) == {"error"}
    assert found["error"]


@pytest.mark.parametrize("seed", range(60))
def test_a_position_can_be_written_and_read_back(seed: int):
    rng = random.Random(seed)
    game = dealt(new_game(any_rules(rng)), rng)
    for _ in range(rng.randrange(60)):
        after = step(game, rng)
        game = after if after.stage in (Stage.PASS, Stage.PLAY) else game
    place = position(view(game, rng.choice(game.to_act)))
    assert parse_position(json.loads(json.dumps(position_mapping(place)))) == place


@pytest.mark.parametrize("level", Level)
def test_every_missing_or_damaged_field_is_rejected_or_answered(level: Level):
    rng = random.Random(1)
    junk = [None, True, 0, -1, 2.5, "", "QS", "QS QS", [], {}, [None], "2C " * 60, 10**400]
    spoilt = [{**rng.choice((EXAMPLE, PASSING)), rng.choice(list(EXAMPLE)): rng.choice(junk)} for _ in range(300)]
    for found in ask(*map(json.dumps, spoilt), level=level, ms=2):
        assert "error" in found or found["reason"]


def test_a_seed_gives_the_same_answer_with_time_counted_in_roll_outs():
    line = json.dumps(EXAMPLE)
    assert ask(line, ms=5, seed=3) == ask(line, ms=5, seed=3)
    assert ask(line, ms=2)[0]["playouts"] < ask(line, ms=8)[0]["playouts"]


def test_a_choice_that_takes_too_long_is_stopped():
    clock = count()
    found = next(answers([json.dumps(EXAMPLE)], level=Level.STRONG, ms=1500, seed=1, clock=lambda: float(next(clock))))
    assert json.loads(found)["playouts"] < 500


def test_a_position_must_be_an_object():
    with pytest.raises(NotAPosition, match="object"):
        parse_position("QS")
