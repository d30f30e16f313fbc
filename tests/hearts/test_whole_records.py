"""The records of whole games, replayed to the score, and counted playouts.

`tests/records` holds a game of each preset with the score of every hand, and positions with the number of ways to go
on, as perft counts them for chess. `tests/records/make.py` made both with the plain version of the rules, which shares
no code with `hearts`; here the plain version runs again, so that neither files nor version can drift.
"""

import json
from pathlib import Path

import pytest

from hearts.check import events, record_turns
from hearts.game import Stage, apply, legal, replay
from hearts.record import parse_record, record_text
from hearts.rules import Preset
from hearts.turns import Play
from tests.hearts import plain
from tests.hearts.builders import options_of

RECORDS = Path(__file__).parent.parent / "records"
SCORES = json.loads((RECORDS / "scores.json").read_text(encoding="utf-8"))
COUNTED = json.loads((RECORDS / "counted.json").read_text(encoding="utf-8"))


def text_of(preset):
    return (RECORDS / f"{preset}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("preset", Preset)
def test_a_recorded_game_of_each_preset_replays_to_its_score(preset):
    record = parse_record(text_of(preset))
    *moves, end = events(record)
    scored = [event for event in moves if event["event"] == "hand"]
    names = ("taken", "moon", "points", "totals")
    assert [{name: event[name] for name in names} for event in scored] == SCORES[preset]
    assert (record.rules.preset, end["over"], end["totals"]) == (preset, True, SCORES[preset][-1]["totals"])


@pytest.mark.parametrize("preset", Preset)
def test_a_recorded_game_is_written_as_it_was_read(preset):
    assert record_text(parse_record(text_of(preset))) == text_of(preset)


@pytest.mark.parametrize("preset", Preset)
def test_the_plain_rules_give_the_same_score(preset):
    record = parse_record(text_of(preset))
    replayed = plain.replayed(options_of(record.rules), json.loads(text_of(preset)))
    assert [hand["totals"] for hand in replayed] == [hand["totals"] for hand in SCORES[preset]]


@pytest.mark.parametrize("position", COUNTED, ids=lambda position: position["record"]["rules"]["preset"])
def test_each_position_has_as_many_continuations_as_recorded(position):
    record = parse_record(json.dumps(position["record"]))
    game = replay(record.rules, record_turns(record))
    assert counted(game, len(position["counts"])) == position["counts"]


@pytest.mark.parametrize("position", COUNTED[::3], ids=lambda position: position["record"]["rules"]["preset"])
def test_the_plain_rules_count_as_many_continuations(position):
    rules = parse_record(json.dumps(position["record"])).rules
    opening = plain.opened(options_of(rules), 1, position["record"]["hands"][0])
    assert plain.counted(opening, len(position["counts"])) == position["counts"]


def counted(game, depth):
    """How many ways there are to play 1, 2, … `depth` cards on in this hand."""
    counts = [0] * depth
    if not depth or game.stage is not Stage.PLAY:
        return counts
    seat = game.to_act[0]
    for card in legal(game, seat):
        deeper = counted(apply(game, Play(seat, card)), depth - 1)
        counts = [count + more for count, more in zip(counts, [1, *deeper], strict=True)]
    return counts
