"""Single facts of a hand as sentences, and one sentence about the queen of spades with everything that belongs to it.

The sentences are kind to unlucky players, and use names instead of pronouns, because names are all that we know. Only
what a turn cost is addressed to its player, since nobody else is told.
"""

from collections.abc import Sequence
from typing import Final, assert_never

from hearts.cards import parse_card
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
)
from hearts.rules import Rules
from hearts.score import HandScore
from webapp.presentation.faces import face
from webapp.presentation.phrasing import counted, listed, number_word

FEW: Final = 3  # so many names in a list are still readable
BIG_LAST_TRICK: Final = 5
_QUEEN: Final = "the queen of spades"
_TIMES: Final = {1: "", 2: " twice"}
_MOONS: Final = {"add": "given the points to the others", "subtract": "had the points taken off"}


def fact_sentence(fact: Fact, rules: Rules, names: Sequence[str]) -> str:
    """The fact as a sentence; empty if another sentence covers it or it is not worth one."""
    match fact:
        case MoonStopped():
            return _moon_stopped(fact, names)
        case TurningPoint():
            return _turning_point(fact)
        case MostPoints(seats=seats, points=points):
            each = f", {points} each" if len(seats) > 1 else f": {points}"
            return f"{_people(seats, names)} took most points{each}."
        case QueenPassed(giver=giver, receiver=receiver):
            return f"{names[giver]} passed {_a_queen(rules)} to {names[receiver]}."
        case QueenDucked(seat=seat, times=times):
            return f"{names[seat]} ducked {_QUEEN}{_how_often(times)}." if times > 1 else ""
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
    """Who took the queen, how, and whether it brought most of the points: a sentence, and the facts that it covers.

    The sentence is empty if the queen counts nothing or a moon was shot.
    """
    if not rules.queen_points or score.moon is not None:
        return "", ()
    taken = [fact for fact in facts if isinstance(fact, QueenTaken)]
    if not taken:
        return _without_details(rules, names, score)
    if len(taken) > 1 or rules.packs > 1:
        sentence, covered = _queens(names, taken, rules), list[Fact](taken)
    else:
        sentence, covered = _queen(names, taken[0], facts, score.number)
    most = next((fact for fact in facts if isinstance(fact, MostPoints)), None)
    if most and {one.seat for one in taken} == set(most.seats) and len(most.seats) == 1:
        return f"{sentence}, and with {'them' if len(taken) > 1 else 'it'} most points: {most.points}.", (
            *covered,
            most,
        )
    return f"{sentence}.", tuple(covered)


def _without_details(rules: Rules, names: Sequence[str], score: HandScore) -> tuple[str, tuple[Fact, ...]]:
    """The same if only the score is known, or nobody took the queen."""
    takers = [(name, queens) for name, queens in zip(names, score.queens, strict=True) if queens]
    if not takers:
        return f"Nobody took {_a_queen(rules)}.", ()
    clauses = [f"{name} took {'both queens of spades' if queens == 2 else _a_queen(rules)}" for name, queens in takers]
    most = max(score.taken)
    if len(takers) == 1 and score.taken.count(most) == 1 and names[score.taken.index(most)] == takers[0][0]:
        return f"{clauses[0]}, and with {'them' if takers[0][1] == 2 else 'it'} most points: {most}.", ()
    return f"{' and '.join(clauses)}.", ()


def _queen(names: Sequence[str], taken: QueenTaken, facts: Sequence[Fact], hand: int) -> tuple[str, list[Fact]]:
    """A sentence, without a full stop, on the only queen of a single pack, and the facts that it covers."""
    passed = next((fact for fact in facts if isinstance(fact, QueenPassed) and fact.giver == taken.seat), None)
    if passed:
        back = (
            f"{names[passed.giver]} passed {_QUEEN} to {names[passed.receiver]} and got it back in trick {taken.trick}"
        )
        return back, [taken, passed]
    duckers = [fact for fact in facts if isinstance(fact, QueenDucked) and fact.seat != taken.seat and fact.times > 1]
    if duckers and taken.how is not How.LEFT_OVER:
        best = max(duckers, key=lambda fact: fact.times)
        ducked = f"{names[best.seat]} ducked {_QUEEN}{_how_often(best.times)}"
        return f"{ducked}; {names[taken.seat]} took it in trick {taken.trick}", [taken, best]
    return _how_taken(names, taken, hand), [taken]


def _how_taken(names: Sequence[str], taken: QueenTaken, hand: int) -> str:
    taker, trick = names[taken.seat], f"trick {taken.trick}"
    if taken.played_by is None:
        return f"{_QUEEN[0].upper()}{_QUEEN[1:]} lay in the kitty and went to {taker} with {trick}"
    player = names[taken.played_by]
    if taken.seat == taken.played_by:
        ways = f"{taker} won {trick} with {_QUEEN}", f"{taker} had to take {_QUEEN} home in {trick}"
        return ways[hand % 2]
    match taken.how:
        case How.LED:
            ways = (
                f"{taker} took {_QUEEN}, led by {player}, in {trick}",
                f"{taker} took {_QUEEN} that {player} led in {trick}",
            )
        case How.FOLLOWED:
            ways = f"{taker} caught {_QUEEN} from {player} in {trick}", f"{taker} got {_QUEEN} from {player} in {trick}"
        case _:
            ways = (
                f"{player} gave {_QUEEN} to {taker} in {trick}",
                f"{taker} won {trick} and {_QUEEN} that {player} threw in",
            )
    return ways[hand % 2]


def _queens(names: Sequence[str], taken: Sequence[QueenTaken], rules: Rules) -> str:
    """A sentence, without a full stop, on the queens of two packs, or on two players who took one."""
    first, *others = sorted(taken, key=lambda one: one.trick)
    if not others:
        rest = "; nobody took the other" if rules.packs > 1 else ""
        return f"{names[first.seat]} took {_a_queen(rules)} in trick {first.trick}{rest}"
    second = others[0]
    if first.seat == second.seat:
        where = f"tricks {first.trick} and {second.trick}" if first.trick != second.trick else f"trick {first.trick}"
        return f"{names[first.seat]} took both queens of spades in {where}"
    one, other = f"{names[first.seat]} took a queen of spades in trick {first.trick}", names[second.seat]
    return f"{one}, {other} the other in trick {second.trick}"


def _moon_stopped(fact: MoonStopped, names: Sequence[str]) -> str:
    seat = names[fact.seat]
    if fact.by is None:
        return (
            f"{seat} had all the points until trick {fact.trick}, {fact.points} of them, but the last went to nobody."
        )
    return (
        f"{seat} was after the moon with {fact.points} points until {names[fact.by]} took some in trick {fact.trick}."
    )


def _turning_point(fact: TurningPoint) -> str:
    cost = f"cost about {counted(round(fact.cost), 'point')} (only you are told)"
    if fact.played in _MOONS:
        return f"Your way to count the moon {cost}; the robot would have {_MOONS[fact.better]}."
    played, better = _faces(fact.played), _faces(fact.better)
    if fact.trick == 0:
        return f"Passing {played} {cost}; the robot would have passed {better}."
    return f"Your {played} in trick {fact.trick} {cost}; the robot would have played {better}."


def _faces(codes: str) -> str:
    return " ".join(face(parse_card(code)).text for code in codes.split())


def _people(seats: Sequence[int], names: Sequence[str]) -> str:
    """The players by name, or their number if they are many: "Ann and Bo", "Six players"."""
    if len(seats) <= FEW:
        return listed([names[seat] for seat in seats])
    return f"{number_word(len(seats)).capitalize()} of {number_word(len(names))} players"


def _a_queen(rules: Rules) -> str:
    return _QUEEN if rules.packs == 1 else "a queen of spades"


def _how_often(times: int) -> str:
    return _TIMES.get(times, f" {number_word(times)} times")
