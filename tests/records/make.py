"""Makes the files beside it: `python -m tests.records.make`.

A whole random game of each preset, from a seed and scored by the plain version of the rules (`scores.json`),
and positions from such games with the number of ways to go on (`counted.json`), counted by the plain version too. The
tests check `hearts` against both. Make them again only where the rules of play change.
"""

import json
import random
from pathlib import Path

from hearts.record import record_of, record_text
from hearts.rules import preset_rules
from tests.hearts import plain
from tests.hearts.builders import options_of, random_games

HERE = Path(__file__).parent
CAST = ("Ann", "Bo", "Cy", "Di", "Emil", "Fay", "Gus", "Ida", "Jo", "Kai", "Lea")
GAMES = {
    "classic": 4,
    "traditional": 3,
    "rulebook": 5,
    "quick": 4,
    "club": 3,
    "partners": 4,
    "omnibus": 6,
    "kitty": 7,
    "cancellation": 11,
}
MOST_WAYS = 4000


def game(rules, seed):
    turns = [turn for _, turn, _ in random_games(rules, random.Random(seed), 60)]
    return record_text(record_of(rules, CAST[: rules.players], turns))


def positions(rules, text, rng):
    """The first hand at its opening, in its second trick, and before its last three."""
    record = json.loads(text)
    hand = record["hands"][0]
    plays = hand["plays"].split()
    for played in (0, rules.players + rng.randrange(rules.players), len(plays) - 3 * rules.players):
        hand["plays"] = " ".join(plays[:played])
        position = plain.opened(options_of(rules), 1, hand)
        for card in plays[:played]:
            position.play(card)
        counts = ways(position)
        yield {"record": {**record, "hands": [hand]}, "counts": counts}
        hand["plays"] = " ".join(plays)


def ways(position):
    """The number of ways to play 1, 2, 3, … cards on, up to `MOST_WAYS` or the end of the hand."""
    counts = []
    left = sum(map(len, position.held))
    for depth in range(1, left + 1):
        deeper = plain.counted(position, depth)
        if deeper[-1] > MOST_WAYS:
            break
        counts = deeper
    return counts


def main():
    scores, counted = {}, []
    for seed, (preset, players) in enumerate(GAMES.items(), 1):
        rules = preset_rules(preset, players=players)
        text = game(rules, seed)
        (HERE / f"{preset}.json").write_text(text, encoding="utf-8")
        scores[preset] = [
            {name: told[name] for name in ("taken", "moon", "points", "totals")}
            for told in plain.replayed(options_of(rules), json.loads(text))
        ]
        counted += [json.loads(json.dumps(position)) for position in positions(rules, text, random.Random(seed))]
    write(HERE / "scores.json", scores)
    write(HERE / "counted.json", counted)


def write(file, content):
    lines = json.dumps(content, indent=1)
    file.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
