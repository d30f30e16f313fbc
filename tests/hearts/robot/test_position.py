"""A position as JSON: read back as it was written, or rejected."""

import json
import random

import pytest

from hearts.cards import Cards
from hearts.game import Stage, new_game
from hearts.robot.position import NotAPosition, parse_position, position_mapping
from hearts.robot.reading import position
from hearts.view import view
from tests.every import of_every
from tests.hearts.robot.asked import EXAMPLE, ask
from tests.hearts.robot.tables import any_rules, dealt, step


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


@of_every(range(60))
def test_a_position_can_be_written_and_read_back(seed: int):
    rng = random.Random(seed)
    game = dealt(new_game(any_rules(rng)), rng)
    for _ in range(rng.randrange(60)):
        after = step(game, rng)
        game = after if after.stage in (Stage.PASS, Stage.PLAY) else game
    place = position(view(game, rng.choice(game.to_act)))
    assert parse_position(json.loads(json.dumps(position_mapping(place)))) == place


def test_a_position_must_be_an_object():
    with pytest.raises(NotAPosition, match="object"):
        parse_position("QS")
