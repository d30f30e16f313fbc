"""The story of a hand in at most three parts, each of a sentence or two, as people would tell it to each other.

`hearts.story` and `hearts.score` say who did what; this module selects and phrases that, `fact_text` single facts.
"""

from collections.abc import Sequence
from typing import Final

from hearts.deal import cards_each
from hearts.facts import CleanHand, Fact, LastTrickPoints, QueenTaken, TurningPoint, WonNoTrick, worth
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import sides
from hearts.turns import MoonChoice
from webapp.presentation.fact_text import fact_sentence, queen_story
from webapp.presentation.phrasing import by_number, listed

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
