"""Measures how often the card that a review calls a hand's dearest is that by a much deeper search.

    python -m bench.costliest              until the review has named a card in 200 hands of a seat
    python -m bench.costliest --hands 20   fewer

Players by rule play, who at every sixth card take any that is legal: so there is something to find. The deep search has
10,000 roll-outs for each card that could have been played, at each decision that may be the costliest by 1,000.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from bench.printing import say, say_load
from bench.robot import dealt
from hearts.game import Game, Stage, apply, legal, new_game
from hearts.review import Opinion, costliest_card, review
from hearts.robot import are_alike, choose, warm_up, weighed
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Play, Turn
from hearts.view import View, view

DEEP: Final = 10_000
"""The roll-outs for each card."""
SHALLOW: Final = 1_000
"""The roll-outs after which a decision that is clearly cheaper than another is left out."""
CLEARLY: Final = 1.5
"""By how many points."""
NOISE: Final = 0.15
"""The points by which two costs may differ by chance, after the deep search: three standard errors."""
CARELESS: Final = 1 / 6
FIRST: Final = 7 * 10**6
"""The number of the first deal."""


@dataclass
class Tally:
    """The hands of a seat, and in how many of them the review named a card, and the right one."""

    hands: int = 0
    named: int = 0
    right: int = 0
    alike: int = 0
    """Hands in which the deep search cannot tell the named card from the dearest."""

    def text(self) -> str:
        return (
            f"a card is named in {self.named} of {self.hands} hands of a seat; it is the dearest in {self.right}, "
            f"and as dear, within {NOISE} points, in {self.alike} more: "
            f"{100 * (self.right + self.alike) / max(1, self.named):.1f} %"
        )


def played_hand(number: int) -> tuple[Game, list[Turn]]:
    """The game before a classic hand, and its turns."""
    before, rng = new_game(Rules()), random.Random(number)
    before.hand = number % 12
    game = dealt(Rules(), number)
    assert game.deal is not None
    turns: list[Turn] = [game.deal]
    while not game.scores:
        seat = game.to_act[0]
        turn = choose(view(game, seat), rng)
        if game.stage is Stage.PLAY and rng.random() < CARELESS:
            turn = Play(seat, rng.choice(list(legal(game, seat))))
        turns.append(turn)
        game = apply(game, turn)
    return before, turns


def cost(seen: View, turn: Play, playouts: int) -> float:
    """How many points the card costs its seat more than the best one, with that many roll-outs for each."""
    others: list[Play] = []
    for card in seen.legal:
        other = Play(seen.seat, card)
        if not any(are_alike(seen, other, one) for one in (turn, *others)):
            others.append(other)
    points = weighed(seen, (turn, *others), playouts=2 * playouts * (1 + len(others)), seed=DEEP)
    return points[0] - min(points)


def costs(before: Game, turns: Sequence[Turn], opinions: Sequence[Opinion]) -> dict[int, float]:
    """By the number of its turn, the cost of each decision about a card that may be the costliest of `opinions`."""
    wanted, game, places = {one.turn for one in opinions if one.trick}, before, {}
    for number, turn in enumerate(turns, 1):
        if number in wanted and isinstance(turn, Play):
            places[number] = (view(game, turn.seat), turn)
        game = apply(game, turn)
    shallow = {number: cost(*place, SHALLOW) for number, place in places.items()}
    least = max(shallow.values()) - CLEARLY
    return {number: cost(*places[number], DEEP) for number, found in shallow.items() if found >= least}


def hands_of_a_seat(seed: int = 1) -> Iterator[tuple[Game, list[Turn], list[Opinion]]]:
    """Hands, each with a seat's part of the review as the service makes it."""
    for number in count(FIRST):
        before, turns = played_hand(number)
        opinions = review(before, turns, seed=seed)
        for seat in range(before.rules.players):
            yield before, turns, [one for one in opinions if one.seat == Seat(seat)]


def measured(wanted: int) -> Tally:
    """The tally of as many hands as the review needs to name that many cards."""
    tally = Tally()
    for before, turns, opinions in hands_of_a_seat():
        if tally.named == wanted:
            break
        tally.hands += 1
        named = costliest_card(opinions)
        if named is None:
            continue
        tally.named += 1
        found = costs(before, turns, opinions)
        behind = max(found.values()) - found.get(named.turn, 0.0)
        tally.right += behind == 0
        tally.alike += 0 < behind <= NOISE
        if behind > NOISE:
            say(f"not so: {named.played} in trick {named.trick}, {named.cost} points by the review, {behind:.2f} less")
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.costliest")
    parser.add_argument("--hands", type=int, default=200, help="in how many the review must name a card")
    asked = parser.parse_args()
    warm_up()
    say(measured(asked.hands).text())
    say_load()


if __name__ == "__main__":
    main()
