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
from webapp.core.say import say, say_many
from webapp.presentation.faces import face
from webapp.presentation.phrasing import listed, number_word, some_points

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
            return say_many(
                len(seats),
                "{names} took most points: {points}.",
                "{names} took most points, {points} each.",
                names=who,
                points=points,
            )
        case QueenPassed(giver=giver, receiver=receiver):
            who, whom = names[giver], names[receiver]
            if rules.packs == 1:
                return say("{giver} passed the queen of spades to {receiver}.", giver=who, receiver=whom)
            return say("{giver} passed a queen of spades to {receiver}.", giver=who, receiver=whom)
        case QueenDucked(seat=seat, times=times):
            return _ducked(names[seat], times) if times > 1 else ""
        case CleanHand(seats=seats):
            who = _people(seats, names)
            return say_many(len(seats), "{names} took no points.", "{names} took no points.", names=who)
        case LastTrickPoints(seat=seat, points=points):
            brought = say_many(
                points,
                "The last trick brought {name} {number} point.",
                "The last trick brought {name} {number} points.",
                name=names[seat],
            )
            return brought if points >= BIG_LAST_TRICK else ""
        case HeartsBroken(seat=seat, trick=trick, card=card):
            name, text = names[seat], face(card).text
            return say("{name} broke hearts in trick {trick} with {card}.", name=name, trick=trick, card=text)
        case WonNoTrick(seats=seats):
            who = _people(seats, names)
            won_none = say_many(len(seats), "{names} won no trick.", "{names} won no trick.", names=who)
            return "" if rules.no_tricks_bonus else won_none
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
        if rules.packs == 1:
            return say("Nobody took the queen of spades.")
        return say("Nobody took a queen of spades.")
    sentences = []
    for name, queens in takers:
        if queens > 1:
            sentences.append(say("{name} took both queens of spades.", name=name))
        elif rules.packs == 1:
            sentences.append(say("{name} took the queen of spades.", name=name))
        else:
            sentences.append(say("{name} took a queen of spades.", name=name))
    most = max(score.taken)
    if len(takers) == 1 and score.taken.count(most) == 1 and names[score.taken.index(most)] == takers[0][0]:
        sentences.append(_most_with_queens(*takers[0], most))
    return " ".join(sentences)


def _most_with_queens(name: str, queens: int, points: int) -> str:
    if queens == 1:
        return say("With it, {name} took most points: {points}.", name=name, points=points)
    return say("With them, {name} took most points: {points}.", name=name, points=points)


def _queen(names: Sequence[str], taken: QueenTaken, facts: Sequence[Fact]) -> tuple[str, list[Fact]]:
    """Sentences on the only queen of a single pack, and the facts that they cover."""
    taker = names[taken.seat]
    passed = next((fact for fact in facts if isinstance(fact, QueenPassed) and fact.giver == taken.seat), None)
    if passed:
        came_back = say(
            "{giver} passed the queen of spades to {receiver} and got it back in trick {trick}.",
            giver=taker,
            receiver=names[passed.receiver],
            trick=taken.trick,
        )
        return came_back, [taken, passed]
    duckers = [fact for fact in facts if isinstance(fact, QueenDucked) and fact.seat != taken.seat and fact.times > 1]
    if duckers and taken.how is not How.LEFT_OVER:
        best = max(duckers, key=lambda fact: fact.times)
        took = say("{name} took it in trick {trick}.", name=taker, trick=taken.trick)
        return f"{_ducked(names[best.seat], best.times)} {took}", [taken, best]
    return _how_taken(names, taken), [taken]


def _ducked(name: str, times: int) -> str:
    if times == 2:
        return say("{name} ducked the queen of spades twice.", name=name)
    return say_many(
        times,
        "{name} ducked the queen of spades once.",
        "{name} ducked the queen of spades {word} times.",
        name=name,
        word=number_word(times),
    )


def _how_taken(names: Sequence[str], taken: QueenTaken) -> str:
    taker, trick = names[taken.seat], taken.trick
    if taken.played_by is None:
        return say(
            "The queen of spades lay in the kitty and went to {name} with trick {trick}.", name=taker, trick=trick
        )
    gaps = {"name": taker, "other": names[taken.played_by], "trick": trick}
    match taken.how:
        case _ if taken.seat == taken.played_by:
            return say("{name} had to take the queen of spades home in trick {trick}.", **gaps)
        case How.LED:
            return say("{name} took the queen of spades that {other} led in trick {trick}.", **gaps)
        case How.FOLLOWED:
            return say("{name} got the queen of spades from {other} in trick {trick}.", **gaps)
        case _:
            return say("{name} won trick {trick} and the queen of spades that {other} threw in.", **gaps)


def _queens(names: Sequence[str], taken: Sequence[QueenTaken], rules: Rules) -> str:
    """A sentence on the queens of two packs, or on two players who took one."""
    first, *others = sorted(taken, key=lambda one: one.trick)
    gaps = {"name": names[first.seat], "trick": first.trick}
    if not others:
        if rules.packs > 1:
            return say("{name} took a queen of spades in trick {trick}; nobody took the other.", **gaps)
        return say("{name} took the queen of spades in trick {trick}.", **gaps)
    second = others[0]
    gaps |= {"other": names[second.seat], "second": second.trick}
    if first.seat != second.seat:
        return say("{name} took a queen of spades in trick {trick}, {other} the other in trick {second}.", **gaps)
    if first.trick != second.trick:
        return say("{name} took both queens of spades in tricks {trick} and {second}.", **gaps)
    return say("{name} took both queens of spades in trick {trick}.", **gaps)


def _moon_stopped(fact: MoonStopped, names: Sequence[str]) -> str:
    name, points, trick = names[fact.seat], fact.points, fact.trick
    if fact.by is None:
        return say(
            "{name} had all the points until trick {trick}, {points} of them, but the last went to nobody.",
            name=name,
            trick=trick,
            points=points,
        )
    return say_many(
        points,
        "{name} went for the moon and had {number} point, but {other} took some in trick {trick}.",
        "{name} went for the moon and had {number} points, but {other} took some in trick {trick}.",
        name=name,
        other=names[fact.by],
        trick=trick,
    )


def _turning_point(fact: TurningPoint) -> str:
    cost = some_points(round(fact.cost))
    match fact.better:
        case "add":
            return say(
                "Your way to count the moon cost about {points} (only you are told); the robot would have given the"
                " points to the others.",
                points=cost,
            )
        case "subtract":
            return say(
                "Your way to count the moon cost about {points} (only you are told); the robot would have had the"
                " points taken off.",
                points=cost,
            )
    played, better = _faces(fact.played), _faces(fact.better)
    if fact.trick == 0:
        return say(
            "Passing {cards} cost about {points} (only you are told); the robot would have passed {others}.",
            cards=played,
            points=cost,
            others=better,
        )
    return say(
        "Your {card} in trick {trick} cost about {points} (only you are told); the robot would have played {other}.",
        card=played,
        trick=fact.trick,
        points=cost,
        other=better,
    )


def _faces(codes: str) -> str:
    return " ".join(face(parse_card(code)).text for code in codes.split())


def _people(seats: Sequence[int], names: Sequence[str]) -> str:
    """The players by name, or their number if they are many: "Ann and Bo", "6 of 11 players"."""
    if len(seats) <= FEW:
        return listed([names[seat] for seat in seats])
    return say("{some} of {all} players", some=len(seats), all=len(names))


PARTS: Final = 3
_MOON, _BONUSES, _FIFTIES = 100.0, 57.0, 56.0  # worth telling, on the scale of `hearts.facts.worth`

Weighted = tuple[float, str]  # how much it is worth telling, and its sentences


def story(rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact] = ()) -> tuple[str, ...]:
    """The hand of `score` in at most three parts of whole sentences, the most interesting first; `names` are by seat.

    A moon, bonuses and a fifty are always included, because they explain the numbers.
    """
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    always: list[Weighted] = [
        (_MOON, _moon(rules, side_names, score)),
        (_BONUSES, " ".join(_bonuses(rules, names, score))),
        (_FIFTIES, " ".join(_fifties(rules, side_names, score))),
    ]
    chosen = [part for part in always if part[1]]
    # One part covers the queen and the facts that belong to it.
    queen, covered = queen_story(rules, names, score, facts)
    left = [fact for fact in facts if fact not in covered and not _goes_without_saying(fact, rules, score, facts)]
    others = [(worth(fact), fact_sentence(fact, rules, names)) for fact in left]
    others.append((worth(covered[0]) if covered else 70.0, queen))
    best = sorted((part for part in others if part[1]), reverse=True)
    chosen += best[: PARTS - len(chosen)]
    return tuple(sentence for _, sentence in sorted(chosen, key=lambda part: -part[0]))


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
    who, points = side_names[score.moon], some_points(rules.moon_points(sun=score.sun))
    is_off = score.moon_choice is MoonChoice.SUBTRACT
    if rules.partnership:
        gaps = {"names": who, "points": points, "others": side_names[1 - score.moon]}
        if score.sun and is_off:
            return say("{names} won every trick and shot the sun: {points} off.", **gaps)
        if score.sun:
            return say("{names} won every trick and shot the sun: {points} for {others}.", **gaps)
        if is_off:
            return say("{names} shot the moon: {points} off.", **gaps)
        return say("{names} shot the moon: {points} for {others}.", **gaps)
    if score.sun and is_off:
        return say("{name} won every trick and shot the sun: {points} off.", name=who, points=points)
    if score.sun:
        return say("{name} won every trick and shot the sun: {points} for everybody else.", name=who, points=points)
    if is_off:
        return say("{name} shot the moon: {points} off.", name=who, points=points)
    return say("{name} shot the moon: {points} for everybody else.", name=who, points=points)


def _bonuses(rules: Rules, names: Sequence[str], score: HandScore) -> list[str]:
    """The points taken off for jacks, and for winning no trick."""
    sentences = []
    for name, jacks in zip(names, score.jacks, strict=True):
        off = -rules.jack_points * jacks
        if off and jacks == 2:
            sentences.append(say("{name} took both jacks of diamonds: {points} off.", name=name, points=off))
        elif off and rules.packs == 2:
            sentences.append(say("{name} took a jack of diamonds: {points} off.", name=name, points=off))
        elif off:
            sentences.append(say("{name} took the jack of diamonds: {points} off.", name=name, points=off))
    idle = [name for name, won in zip(names, score.tricks_won, strict=True) if won == 0]
    if rules.no_tricks_bonus and score.moon is None and idle:
        who, off = listed(idle), -rules.no_tricks_bonus
        sentences.append(
            say_many(
                len(idle),
                "{names} won no trick: {points} off.",
                "{names} won no trick: {points} off each.",
                names=who,
                points=off,
            )
        )
    return sentences


def _fifties(rules: Rules, side_names: Sequence[str], score: HandScore) -> list[str]:
    found = [(side_names[side], score.totals[side] + 50) for side in score.fifties]
    if rules.partnership:
        return [say("{names} stood at exactly {total} and got 50 off.", names=who, total=total) for who, total in found]
    return [say("{name} stood at exactly {total} and got 50 off.", name=who, total=total) for who, total in found]
