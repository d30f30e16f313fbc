"""`python -m bench.live`: how long a game takes that four people play live.

Robots by rules of thumb play whole games; a person needs `CHOOSES` where a seat has a choice, and the page its time to
show each card and trick (`webapp/static/motion.js`). Prints hands, choices and minutes of a round, and of games to 50
and to 100 points.
"""

import random
from dataclasses import replace
from datetime import timedelta
from statistics import mean

from bench.printing import say
from hearts.deal import deal, dealer_after, one_round
from hearts.game import Game, Stage, apply, new_game
from hearts.robot import choose
from hearts.robot.choice import has_a_choice
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.view import view

GAMES = 100
CHOOSES = timedelta(seconds=7)  # a person, for a card: a quarter of the usual live pace
PASSES = timedelta(seconds=20)  # the slowest of four, for the cards to pass
SHOWN = timedelta(milliseconds=430)  # a card that flies to the table
LIES = timedelta(milliseconds=900)  # a finished trick
READS = timedelta(seconds=10)  # the end of a hand, and the sight of the next cards
LENGTHS = {
    "a round": replace(Rules(), hands=one_round(Rules())),
    "to 50 points": replace(Rules(), target=50),
    "to 100 points": replace(Rules(), target=100),
}


def played(rules: Rules, chance: random.Random) -> tuple[int, int, timedelta]:
    """The hands of one game, its choices of cards, and how long four people take for it."""
    game, dealer, choices, time = new_game(rules), Seat(0), 0, timedelta()
    while game.stage is not Stage.OVER:
        if game.stage is Stage.DEAL:
            turn = deal(rules, dealer, chance)
            dealer, time = dealer_after(dealer, rules), time + READS
            game = apply(game, turn)
            continue
        seat, was = game.to_act[0], game
        seen = view(game, seat)
        is_choice = game.stage is Stage.PLAY and has_a_choice(seen)
        choices += is_choice
        time += _time_of(game, is_choice=is_choice)
        game = apply(game, choose(seen, chance))
        if was.stage is Stage.PASS and game.stage is not Stage.PASS:
            time += PASSES
    return len(game.scores), choices, time


def _time_of(game: Game, *, is_choice: bool) -> timedelta:
    """For one card; a pass counts once for all four."""
    if game.stage is not Stage.PLAY:
        return timedelta()
    return (CHOOSES if is_choice else timedelta()) + SHOWN + LIES / game.rules.players


def main() -> None:
    chance = random.Random(1)
    say(f"{'':14} {'hands':>5} {'choices a hand':>14} {'minutes':>8}")
    for name, rules in LENGTHS.items():
        found = [played(rules, chance) for _ in range(GAMES)]
        hands, choices = mean(one[0] for one in found), mean(one[1] for one in found)
        minutes = mean(one[2].total_seconds() for one in found) / 60
        say(f"{name:14} {hands:5.1f} {choices / hands:14.1f} {minutes:8.0f}")


if __name__ == "__main__":
    main()
