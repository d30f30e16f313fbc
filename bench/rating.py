"""How soon the rating in the lobby knows who plays better, and whether leaving pays: python -m bench.rating

Players differ by some points a hand, as people and robots of this project's levels do; a hand is mostly luck. Games are
between four drawn at random. With the option --leave one of two equal players leaves each game in which they are last
halfway.
"""

import random
import sys
from collections.abc import Sequence
from statistics import mean

from webapp.games.book import Rating, rated

PLAYERS, HANDS = 40, 9
SPREAD, LUCK = 0.7, 6.5  # standard deviations, in points a hand: between players, and between hands of one
LOOKED_AT = (10, 20, 40, 80)  # games of each player, on the average


def totals(skills: Sequence[float], hands: int, chance: random.Random) -> list[float]:
    return [sum(chance.gauss(6.5 + skill, LUCK) for _ in range(hands)) for skill in skills]


def places(points: Sequence[float]) -> list[int]:
    return [1 + sum(other < one for other in points) for one in points]


def order_agrees(skills: Sequence[float], ratings: Sequence[Rating]) -> float:
    """The share of all pairs of players whose order the ratings have right."""
    pairs = [(one, other) for one in range(len(skills)) for other in range(one)]
    return mean((skills[one] < skills[other]) == (ratings[one].mean > ratings[other].mean) for one, other in pairs)


def learn(seed: int) -> dict[int, tuple[float, float, float]]:
    """By games of each player: the share of pairs in the right order, the mean doubt, the share that is settled."""
    chance = random.Random(seed)
    skills, ratings = [chance.gauss(0, SPREAD) for _ in range(PLAYERS)], [Rating()] * PLAYERS
    found = {}
    for game in range(1, max(LOOKED_AT) * PLAYERS // 4 + 1):
        seats = chance.sample(range(PLAYERS), 4)
        after = rated(
            [ratings[seat] for seat in seats], places(totals([skills[seat] for seat in seats], HANDS, chance))
        )
        for seat, rating in zip(seats, after, strict=True):
            ratings[seat] = rating
        if (each := game * 4 // PLAYERS) in LOOKED_AT and game * 4 % PLAYERS == 0:
            doubts = [one.doubt for one in ratings]
            settled = mean(one.is_settled for one in ratings)
            found[each] = order_agrees(skills, ratings), mean(doubts), settled
    return found


def leave(seed: int, games: int = 40) -> tuple[int, int]:
    """The numbers of two equal players after those games: one who stays, and one who leaves when last halfway."""
    chance = random.Random(seed)
    numbers = []
    for leaves in (False, True):
        own, others = Rating(), [Rating()] * 3
        for _ in range(games):
            half = totals([0] * 4, HANDS // 2, chance)
            whole = [one + more for one, more in zip(half, totals([0] * 4, HANDS - HANDS // 2, chance), strict=True)]
            came = places(whole)
            if leaves and half[0] == max(half):
                came[0] = 5  # behind all others
            own, *others = rated([own, *others], came)
            others = [Rating()] * 3  # other strangers each time
        numbers.append(own.number)
    return numbers[0], numbers[1]


def main(seeds: int = 20) -> None:
    if "--leave" in sys.argv:
        stayed, left = zip(*(leave(seed) for seed in range(10 * seeds)), strict=True)
        print(f"after 40 games: who stays {mean(stayed):.0f}, who leaves when last halfway {mean(left):.0f}")  # noqa: T201
        return
    learned = [learn(seed) for seed in range(seeds)]
    for games in LOOKED_AT:
        agrees, doubt, settled = (mean(some) for some in zip(*(one[games] for one in learned), strict=True))
        print(f"{games} games: {agrees:.0%} of pairs right, doubt {doubt:.2f}, settled {settled:.0%}")  # noqa: T201


if __name__ == "__main__":
    main()
