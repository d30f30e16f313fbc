"""Writes `moons.json`: hands in which the seat to play has a card that stops a moon, which otherwise succeeds.

    python -m tests.hearts.robot.make_moons

Each is a deal, the cards played so far, and the seat that shoots; all others play by rule and let moons through.
"""

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from hearts.cards import card_text
from hearts.game import Game, Stage, apply, new_game
from hearts.rules import Passing, Rules
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import View, view
from tests.hearts.robot.tables import careless, dealt, shooter, shoots

HANDS = 60


def threats(rng: random.Random) -> Iterator[tuple[Game, Seat]]:
    while True:
        game, after_it = dealt(new_game(Rules(passing=Passing.NONE)), rng), Seat(rng.randrange(4))
        while game.stage is Stage.PLAY:
            seen = view(game, game.to_act[0])
            taken = seen.taken[after_it]
            near = taken == sum(seen.taken) >= 14 and seen.seat != after_it and seen.trick and len(seen.legal) > 1
            if near and shoots(game, after_it, {}) and may_be_stopped(game, seen, after_it):
                yield game, after_it
                break
            game = apply(game, (shooter if seen.seat == after_it else careless)(seen))


def may_be_stopped(game: Game, seen: View, after_it: Seat) -> bool:
    return not all(shoots(apply(game, Play(seen.seat, card)), after_it, {}) for card in seen.legal)


def main() -> None:
    hands = [
        {
            "dealer": game.deal.dealer,
            "deal": [str(held) for held in game.deal.held],
            "plays": " ".join(map(card_text, game.plays)),
            "shooter": after_it,
        }
        for game, after_it in islice(threats(random.Random(1)), HANDS)
    ]
    text = ",\n".join(json.dumps(hand) for hand in hands)
    Path(__file__).with_name("moons.json").write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
