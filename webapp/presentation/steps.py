"""The steps in which a finished hand is replayed, and the jumps between them. `relive` decides what a step shows."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from hearts.turns import Pass, Play
from webapp.games.record.finished import FinishedHand


class Kind(StrEnum):
    """The kinds of step."""

    DEAL = "deal"
    PASS = "pass"
    CARD = "card"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Step:
    """The hand after some of its turns."""

    kind: Kind
    turns: int  # the number of those turns; the deal is the first
    trick: int = 0  # the number of its trick; 0 if no card is played

    def shows(self, turn: int) -> bool:
        """Whether the step is about that turn of the hand, counted from 1."""
        return 1 < turn <= self.turns if self.kind is Kind.PASS else turn == self.turns


@dataclass(frozen=True, slots=True)
class Jumps:
    """The steps, counted from 1, to which one can jump from a step; None if there is none of a kind."""

    back: int | None
    next: int | None
    next_trick: int | None
    next_turning_point: int | None


def steps_of(hand: FinishedHand) -> tuple[Step, ...]:
    """The steps of a hand: the deal, the pass if there is one, every card, the score."""
    steps = [Step(Kind.DEAL, 1)]
    passes = [number for number, record in enumerate(hand.records, 1) if isinstance(record.turn, Pass)]
    if passes:
        steps.append(Step(Kind.PASS, passes[-1]))
    plays = [number for number, record in enumerate(hand.records, 1) if isinstance(record.turn, Play)]
    players = hand.rules.players
    steps += [Step(Kind.CARD, number, place // players + 1) for place, number in enumerate(plays)]
    return (*steps, Step(Kind.SCORE, len(hand.records)))


def step_of(steps: Sequence[Step], turn: int) -> int:
    """The number, from 1, of the step that shows that turn of the hand."""
    return next(number for number, step in enumerate(steps, 1) if step.shows(turn))


def end_of_trick(steps: Sequence[Step], trick: int) -> int:
    """The number, from 1, of the step that shows the last card of that trick."""
    return max(number for number, step in enumerate(steps, 1) if step.trick == trick)


def jumps(steps: Sequence[Step], number: int, turning_points: Collection[int]) -> Jumps:
    """The jumps from step `number`; `turning_points` are turns of the hand."""
    trick, later = steps[number - 1].trick, range(number + 1, len(steps) + 1)
    turning = {step_of(steps, turn) for turn in turning_points}
    return Jumps(
        back=number - 1 or None,
        next=next(iter(later), None),
        next_trick=next((at for at in later if steps[at - 1].trick > trick), None),
        next_turning_point=next((at for at in later if at in turning), None),
    )
