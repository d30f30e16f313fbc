"""The story of a hand in at most three parts, each of a sentence or two, as people would tell it to each other.

`hearts.story` and `hearts.score` say who did what; this module selects and phrases that, `fact_text` single facts.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from hearts.cards import parse_card
from hearts.deal import cards_each
from hearts.facts import (
    CleanHand,
    Fact,
    HeartsBroken,
    How,
    JackTaken,
    LastTrickPoints,
    MoonShot,
    MoonStopped,
    MostPoints,
    QueenDucked,
    QueenPassed,
    QueenTaken,
    TurningPoint,
    WonNoTrick,
    worth,
)
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import sides
from hearts.turns import MoonChoice
from webapp.presentation.faces import face
from webapp.presentation.phrasing import by_number, counted, listed, number_word

# Single facts of a hand as sentences, and one or two about the queen of spades with everything that belongs to it.
# The sentences are kind to unlucky players, and use names instead of pronouns, because names are all that we know. Only
# what a turn cost is addressed to its player, since nobody else is told.

FEW: Final = 3  # the most names that are readable in a list
BIG_LAST_TRICK: Final = 5


def fact_sentence(fact: Fact, rules: Rules, names: Sequence[str]) -> str:
    """The fact as a sentence; empty if another sentence covers it or it is not worth one."""
    match fact:
        case MoonStopped():
            return _moon_stopped(fact, names)
        case TurningPoint():
            return _turning_point(fact)
        case MostPoints(seats=seats, points=points):
            who = _people(seats, names)
            return by_number(
                len(seats), f"{who} took most points: {points}.", f"{who} took most points, {points} each."
            )
        case QueenPassed(giver=giver, receiver=receiver):
            return f"{names[giver]} passed {_a_queen(rules)} to {names[receiver]}."
        case QueenDucked(seat=seat, times=times):
            return _ducked(names[seat], times) if times > 1 else ""
        case CleanHand(seats=seats):
            return f"{_people(seats, names)} took no points."
        case LastTrickPoints(seat=seat, points=points):
            return f"The last trick brought {names[seat]} {points} points." if points >= BIG_LAST_TRICK else ""
        case HeartsBroken(seat=seat, trick=trick, card=card):
            return f"{names[seat]} broke hearts in trick {trick} with {face(card).text}."
        case WonNoTrick(seats=seats):
            return "" if rules.no_tricks_bonus else f"{_people(seats, names)} won no trick."
        case MoonShot() | JackTaken() | QueenTaken():
            return ""
        case _:
            assert_never(fact)


def queen_story(
    rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact]
) -> tuple[str, tuple[Fact, ...]]:
    """Tells who took the queen, how, and whether it brought most of the points; also returns the facts that this
    covers.

    They are empty if the queen counts nothing or a moon was shot.
    """
    if not rules.queen_points or score.moon is not None:
        return "", ()
    taken = [fact for fact in facts if isinstance(fact, QueenTaken)]
    if not taken:
        return _without_details(rules, names, score), ()
    if len(taken) > 1 or rules.packs > 1:
        sentences, covered = _queens(names, taken, rules), list[Fact](taken)
    else:
        sentences, covered = _queen(names, taken[0], facts)
    most = next((fact for fact in facts if isinstance(fact, MostPoints)), None)
    if most and {one.seat for one in taken} == set(most.seats) and len(most.seats) == 1:
        also = _most_with_queens(names[most.seats[0]], len(taken), most.points)
        return f"{sentences} {also}", (*covered, most)
    return sentences, tuple(covered)


def _without_details(rules: Rules, names: Sequence[str], score: HandScore) -> str:
    """The same if only the score is known, or nobody took the queen."""
    takers = [(name, queens) for name, queens in zip(names, score.queens, strict=True) if queens]
    if not takers:
        return f"Nobody took {_a_queen(rules)}."
    sentences = [
        by_number(queens, f"{name} took {_a_queen(rules)}.", f"{name} took both queens of spades.")
        for name, queens in takers
    ]
    most = max(score.taken)
    if len(takers) == 1 and score.taken.count(most) == 1 and names[score.taken.index(most)] == takers[0][0]:
        sentences.append(_most_with_queens(*takers[0], most))
    return " ".join(sentences)


def _most_with_queens(name: str, queens: int, points: int) -> str:
    return by_number(
        queens, f"With it, {name} took most points: {points}.", f"With them, {name} took most points: {points}."
    )


def _queen(names: Sequence[str], taken: QueenTaken, facts: Sequence[Fact]) -> tuple[str, list[Fact]]:
    """Sentences on the only queen of a single pack, and the facts that they cover."""
    taker = names[taken.seat]
    passed = next((fact for fact in facts if isinstance(fact, QueenPassed) and fact.giver == taken.seat), None)
    if passed:
        to = names[passed.receiver]
        return f"{taker} passed the queen of spades to {to} and got it back in trick {taken.trick}.", [taken, passed]
    duckers = [fact for fact in facts if isinstance(fact, QueenDucked) and fact.seat != taken.seat and fact.times > 1]
    if duckers and taken.how is not How.LEFT_OVER:
        best = max(duckers, key=lambda fact: fact.times)
        ducked = _ducked(names[best.seat], best.times)
        return f"{ducked} {taker} took it in trick {taken.trick}.", [taken, best]
    return _how_taken(names, taken), [taken]


def _ducked(name: str, times: int) -> str:
    if times == 2:
        return f"{name} ducked the queen of spades twice."
    return f"{name} ducked the queen of spades {number_word(times)} times."


def _how_taken(names: Sequence[str], taken: QueenTaken) -> str:
    taker, trick = names[taken.seat], taken.trick
    if taken.played_by is None:
        return f"The queen of spades lay in the kitty and went to {taker} with trick {trick}."
    player = names[taken.played_by]
    match taken.how:
        case _ if taken.seat == taken.played_by:
            return f"{taker} had to take the queen of spades home in trick {trick}."
        case How.LED:
            return f"{taker} took the queen of spades that {player} led in trick {trick}."
        case How.FOLLOWED:
            return f"{taker} got the queen of spades from {player} in trick {trick}."
        case _:
            return f"{taker} won trick {trick} and the queen of spades that {player} threw in."


def _queens(names: Sequence[str], taken: Sequence[QueenTaken], rules: Rules) -> str:
    """A sentence on the queens of two packs, or on two players who took one."""
    first, *others = sorted(taken, key=lambda one: one.trick)
    taker, trick = names[first.seat], first.trick
    if not others:
        if rules.packs > 1:
            return f"{taker} took a queen of spades in trick {trick}; nobody took the other."
        return f"{taker} took the queen of spades in trick {trick}."
    second = others[0]
    if first.seat != second.seat:
        other = names[second.seat]
        return f"{taker} took a queen of spades in trick {trick}, {other} the other in trick {second.trick}."
    if trick != second.trick:
        return f"{taker} took both queens of spades in tricks {trick} and {second.trick}."
    return f"{taker} took both queens of spades in trick {trick}."


def _moon_stopped(fact: MoonStopped, names: Sequence[str]) -> str:
    seat = names[fact.seat]
    if fact.by is None:
        return (
            f"{seat} had all the points until trick {fact.trick}, {fact.points} of them, but the last went to nobody."
        )
    return (
        f"{seat} went for the moon and had {fact.points} points, but {names[fact.by]} took some in trick {fact.trick}."
    )


def _turning_point(fact: TurningPoint) -> str:
    cost = counted(round(fact.cost), "point")
    match fact.better:
        case "add":
            return (
                f"Your way to count the moon cost about {cost} (only you are told); the robot would have given the"
                " points to the others."
            )
        case "subtract":
            return (
                f"Your way to count the moon cost about {cost} (only you are told); the robot would have had the"
                " points taken off."
            )
    played, better = _faces(fact.played), _faces(fact.better)
    if fact.trick == 0:
        return f"Passing {played} cost about {cost} (only you are told); the robot would have passed {better}."
    return (
        f"Your {played} in trick {fact.trick} cost about {cost} (only you are told); the robot would have played"
        f" {better}."
    )


def _faces(codes: str) -> str:
    return " ".join(face(parse_card(code)).text for code in codes.split())


def _people(seats: Sequence[int], names: Sequence[str]) -> str:
    """The players by name, or their number if they are many: "Ann and Bo", "6 of 11 players"."""
    if len(seats) <= FEW:
        return listed([names[seat] for seat in seats])
    return f"{len(seats)} of {len(names)} players"


def _a_queen(rules: Rules) -> str:
    return "the queen of spades" if rules.packs == 1 else "a queen of spades"


PARTS: Final = 3
_MOON, _BONUSES, _FIFTIES = 100.0, 57.0, 56.0  # worth telling, on the scale of `hearts.facts.worth`

Weighted = tuple[float, str]  # how much it is worth telling, and its sentences


def story(rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact] = ()) -> tuple[str, ...]:
    """The hand of `score` in at most three parts of whole sentences, the most interesting first; `names` are by seat.

    A moon, bonuses and a fifty are always included, because they explain the numbers.
    """
    counted = _counted(rules, names, score)
    others = sorted(_others(rules, names, score, facts), reverse=True)
    chosen = [*counted, *others[: PARTS - len(counted)]]
    return tuple(sentence for _, sentence in sorted(chosen, key=lambda weighted: -weighted[0]))


def _counted(rules: Rules, names: Sequence[str], score: HandScore) -> list[Weighted]:
    """At most three parts that explain the numbers."""
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    sentences = [
        (_MOON, _moon(rules, side_names, score)),
        (_BONUSES, " ".join(_bonuses(rules, names, score))),
        (_FIFTIES, " ".join(_fifties(side_names, score))),
    ]
    return [(worth, sentence) for worth, sentence in sentences if sentence]


def _others(rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact]) -> list[Weighted]:
    """Everything else that is worth telling; one part covers the queen and the facts that belong to it."""
    queen, covered = queen_story(rules, names, score, facts)
    left = [fact for fact in facts if fact not in covered and not _goes_without_saying(fact, rules, score, facts)]
    sentences = [(worth(fact), fact_sentence(fact, rules, names)) for fact in left]
    if queen:
        sentences.append((worth(covered[0]) if covered else 70.0, queen))
    return [(worth, sentence) for worth, sentence in sentences if sentence]


def _goes_without_saying(fact: Fact, rules: Rules, score: HandScore, facts: Sequence[Fact]) -> bool:
    """Whether another fact implies this one: one turning point is enough, and no trick means no points."""
    match fact:
        case CleanHand(seats=seats):
            return bool(rules.no_tricks_bonus) and not any(score.tricks_won[seat] for seat in seats)
        case TurningPoint():
            return fact != next(other for other in facts if isinstance(other, TurningPoint))
        case WonNoTrick():
            return score.sun or any(isinstance(other, CleanHand) for other in facts)
        case LastTrickPoints(seat=seat):
            queens = [other for other in facts if isinstance(other, QueenTaken)]
            return any((queen.seat, queen.trick) == (seat, cards_each(rules)) for queen in queens)
        case _:
            return False


def _moon(rules: Rules, side_names: Sequence[str], score: HandScore) -> str:
    if score.moon is None:
        return ""
    shooter, worth = side_names[score.moon], rules.pack_total * (2 if score.sun else 1)
    if score.moon_choice is MoonChoice.SUBTRACT:
        if score.sun:
            return f"{shooter} won every trick and shot the sun: {worth} points off."
        return f"{shooter} shot the moon: {worth} points off."
    if rules.partnership:
        others = side_names[1 - score.moon]
        if score.sun:
            return f"{shooter} won every trick and shot the sun: {worth} points for {others}."
        return f"{shooter} shot the moon: {worth} points for {others}."
    if score.sun:
        return f"{shooter} won every trick and shot the sun: {worth} points for everybody else."
    return f"{shooter} shot the moon: {worth} points for everybody else."


def _bonuses(rules: Rules, names: Sequence[str], score: HandScore) -> list[str]:
    """The points taken off for jacks, and for winning no trick."""
    sentences = []
    for name, jacks in zip(names, score.jacks, strict=True):
        if rules.jack_points and jacks:
            sentences.append(_jacks(rules, name, jacks))
    idle = [name for name, won in zip(names, score.tricks_won, strict=True) if won == 0]
    if rules.no_tricks_bonus and score.moon is None and idle:
        who, off = listed(idle), -rules.no_tricks_bonus
        sentences.append(
            by_number(len(idle), f"{who} won no trick: {off} off.", f"{who} won no trick: {off} off each.")
        )
    return sentences


def _jacks(rules: Rules, name: str, jacks: int) -> str:
    off = -rules.jack_points * jacks
    if jacks == 2:
        return f"{name} took both jacks of diamonds: {off} off."
    if rules.packs == 2:
        return f"{name} took a jack of diamonds: {off} off."
    return f"{name} took the jack of diamonds: {off} off."


def _fifties(side_names: Sequence[str], score: HandScore) -> list[str]:
    return [f"{side_names[side]} stood at exactly {score.totals[side] + 50} and got 50 off." for side in score.fifties]
