"""What happened in a hand, in at most three sentences: what people would tell each other.

Who did what comes from `hearts.story` and `hearts.score`; here are the words, in `facts` those for single ones.
"""

from collections.abc import Sequence
from typing import Final

from hearts.deal import cards_each
from hearts.facts import CleanHand, Fact, LastTrickPoints, QueenTaken, TurningPoint, WonNoTrick, worth
from hearts.rules import Rules
from hearts.score import HandScore
from hearts.seats import sides
from hearts.turns import MoonChoice
from webapp.presentation.facts import queen_story, telling_of
from webapp.presentation.words import listed

SENTENCES: Final = 3
_MOON, _BONUSES, _FIFTIES = 100.0, 57.0, 56.0  # worth telling, on the scale of `hearts.facts.worth`

Told = tuple[float, str]  # how much it is worth telling, and the sentence


def story(rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact] = ()) -> tuple[str, ...]:
    """The hand of `score` in at most three sentences, the most telling first; `names` are by seat.

    A moon, bonuses and a fifty are always among them: they explain the numbers.
    """
    counted = _counted(rules, names, score)
    others = sorted(_others(rules, names, score, facts), reverse=True)
    chosen = [*counted, *others[: SENTENCES - len(counted)]]
    return tuple(sentence for _, sentence in sorted(chosen, key=lambda told: -told[0]))


def _counted(rules: Rules, names: Sequence[str], score: HandScore) -> list[Told]:
    """What explains the numbers: at most three sentences, however much there was."""
    teams = sides(rules.players, partnership=rules.partnership)
    side_names = [listed([names[seat] for seat in team]) for team in teams]
    told = [
        (_MOON, _moon(rules, side_names, score)),
        (_BONUSES, "; ".join(_bonuses(rules, names, score))),
        (_FIFTIES, "; ".join(_fifties(side_names, score))),
    ]
    return [(worth, f"{sentence}.") for worth, sentence in told if sentence]


def _others(rules: Rules, names: Sequence[str], score: HandScore, facts: Sequence[Fact]) -> list[Told]:
    """What else there is to tell, each with its worth; the queen and what belongs to her in one sentence."""
    queen, told = queen_story(rules, names, score, facts)
    left = [fact for fact in facts if fact not in told and not _goes_without_saying(fact, rules, score, facts)]
    sentences = [(worth(fact), telling_of(fact, rules, names)) for fact in left]
    if queen:
        sentences.append((worth(told[0]) if told else 70.0, queen))
    return [(worth, sentence) for worth, sentence in sentences if sentence]


def _goes_without_saying(fact: Fact, rules: Rules, score: HandScore, facts: Sequence[Fact]) -> bool:
    """Whether another fact says as much: of turning points one is enough, and no trick means no points."""
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
    shooter = side_names[score.moon]
    shot = f"{shooter} won every trick and shot the sun" if score.sun else f"{shooter} shot the moon"
    worth = rules.pack_total * (2 if score.sun else 1)
    if score.moon_choice is MoonChoice.SUBTRACT:
        return f"{shot}: {worth} points off"
    others = side_names[1 - score.moon] if rules.partnership else "everybody else"
    return f"{shot}: {worth} points for {others}"


def _bonuses(rules: Rules, names: Sequence[str], score: HandScore) -> list[str]:
    """What was taken off for jacks, and for winning no trick."""
    clauses = []
    for name, jacks in zip(names, score.jacks, strict=True):
        if rules.jack_points and jacks:
            cards = "both jacks" if jacks == 2 else "the jack" if rules.packs == 1 else "a jack"
            clauses.append(f"{name} took {cards} of diamonds: {-rules.jack_points * jacks} off")
    idle = [name for name, won in zip(names, score.tricks_won, strict=True) if won == 0]
    if rules.no_tricks_bonus and score.moon is None and idle:
        clauses.append(f"{listed(idle)} won no trick: {-rules.no_tricks_bonus} off{' each' if len(idle) > 1 else ''}")
    return clauses


def _fifties(side_names: Sequence[str], score: HandScore) -> list[str]:
    return [f"{side_names[side]} stood at exactly {score.totals[side] + 50} and got 50 off" for side in score.fifties]
