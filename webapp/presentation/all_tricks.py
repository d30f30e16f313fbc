"""A finished hand on one page: a table of the cards passed and played to each trick, by seat, to read or print."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hearts.play import Trick
from hearts.turns import Pass
from webapp.games.record.finished import FinishedHand
from webapp.presentation.faces import Face, faces
from webapp.presentation.scoresheet import short_names
from webapp.presentation.steps import Step, step_of
from webapp.presentation.tricks import trick_sheet


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that was played to a trick."""

    face: Face
    step: int  # the step that shows it
    led: bool
    won: bool
    cancelled: bool
    is_turning_point: bool


@dataclass(frozen=True, slots=True)
class TrickLine:
    """One trick; `cards` are by seat."""

    number: int
    step: int  # the step that shows its lead
    cards: tuple[Laid, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PassLine:
    """The cards passed, by seat."""

    step: int
    given: tuple[tuple[Face, ...], ...]
    are_turning_points: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class AllTricks:
    names: tuple[str, ...]  # by seat
    shorts: tuple[str, ...]  # short names, for narrow columns
    passed: PassLine | None
    tricks: tuple[TrickLine, ...]
    taken: tuple[int, ...]  # points, by seat

    @property
    def is_crowded(self) -> bool:
        return len(self.names) > 5

    @property
    def has_turning_points(self) -> bool:
        played = any(card.is_turning_point for line in self.tricks for card in line.cards)
        return played or bool(self.passed and any(self.passed.are_turning_points))


def all_tricks(hand: FinishedHand, steps: Sequence[Step], turning_points: Collection[int]) -> AllTricks:
    """The table of a hand with these steps; `turning_points` are turns of it, counted from 1."""
    at = [step_of(steps, turn) for turn in turning_points]
    tricks = tuple(_line(hand, steps, at, number, trick) for number, trick in enumerate(hand.games[-1].tricks, 1))
    shorts = short_names(hand.names)
    return AllTricks(tuple(hand.names), tuple(shorts), _passed(hand, steps, turning_points), tricks, hand.score.taken)


def _line(
    hand: FinishedHand, steps: Sequence[Step], turning_points: Collection[int], number: int, trick: Trick
) -> TrickLine:
    players = hand.rules.players
    sheet = trick_sheet(hand.rules, hand.names, None, number, trick)
    first = next(at for at, step in enumerate(steps, 1) if step.trick == number)
    laid = [
        Laid(one.face, first + place, place == 0, one.wins, one.cancelled, first + place in turning_points)
        for place, one in enumerate(sheet.laid)
    ]
    by_seat = tuple(laid[(seat - trick.leader) % players] for seat in range(players))
    return TrickLine(number, first, by_seat, sheet.points)


def _passed(hand: FinishedHand, steps: Sequence[Step], turning_points: Collection[int]) -> PassLine | None:
    passes = [(record.turn, turn) for turn, record in enumerate(hand.records, 1) if isinstance(record.turn, Pass)]
    if not passes:
        return None
    by_seat = sorted(passes, key=lambda passed: passed[0].seat)
    costly = tuple(turn in turning_points for _, turn in by_seat)
    return PassLine(step_of(steps, passes[0][1]), tuple(faces(passed.cards) for passed, _ in by_seat), costly)
