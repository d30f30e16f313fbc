"""The search's cost of a finished roll-out."""

import random

import pytest

from hearts.game import new_game
from hearts.robot import bits, search
from hearts.robot.engine import cost, score
from hearts.robot.reading import fresh_state, position, table_numbers
from hearts.rules import Rules
from hearts.view import view
from tests.hearts.robot.tables import dealt


@pytest.mark.parametrize(
    ("shooter", "besides"),
    [
        pytest.param(0, bits.DOUBT, id="its own, of which more are stopped in play"),
        pytest.param(1, bits.FEAR, id="another's, which players resent"),
    ],
)
def test_a_moon_costs_more_than_its_points(shooter: int, besides: int):
    place = position(view(dealt(new_game(Rules()), random.Random(1)), 0))
    rules = table_numbers(place)
    state, work, results = fresh_state(place, rules), [0] * bits.WORK, [0] * search.RESULTS
    state[bits.TAKEN + shooter] = rules[bits.PACK_TOTAL]
    search._add(state, rules, work, results, 0)
    score(state, rules, work)
    assert results[search.COST] == cost(rules, work) + rules[besides] > cost(rules, work)
