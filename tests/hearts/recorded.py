"""Records of a game that tests replay, whole or damaged."""

import json
import random

from hearts.record import record_of, record_text
from tests.hearts.builders import random_games, rules_of

RULES = rules_of(passing="left-right-keep", target=60)
CAST = ("Ann", "Bo", "Cy", "Di")
STEPS = list(random_games(RULES, random.Random(11), 30))
TURNS = [turn for _, turn, _ in STEPS]
END = STEPS[-1][2]


def recorded(turns, rules=RULES, cast=CAST):
    return json.loads(record_text(record_of(rules, cast, turns)))


def spoilt(hand=0, turns=None, **changes):
    record = recorded(TURNS if turns is None else turns)
    record["hands"][hand].update(changes)
    return record
