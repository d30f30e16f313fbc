"""The steps of a player's visit, whichever link or page it begins at.

A visit is a row of steps, and `next_step` alone decides on the next one, from what each hand is like for the player:

1. a hand that has ended since they last chose a card, or were shown an end: its result;
2. the hand in which they have just chosen, as long as it goes on by itself: robots play to the trick in front of them;
3. what they have just passed, before another hand asks them;
4. a decision: in that hand if it asks them again, else in the hand that has asked for longest;
5. else nothing waits for them.

A page that asks for a decision keeps it until it is answered, whatever happens in other hands meanwhile.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from hearts.cycle import FINISHED
from hearts.seats import Seat
from hearts.turns import Deal, Pass
from webapp.games.asked.whose_turn import awaited
from webapp.games.record.store import BY_PLAYER, Record, TableGame


class StepKind(StrEnum):
    RESULT = "result"
    GOES_ON = "goes on"
    PASSED = "passed"
    DECISION = "decision"
    NOTHING = "nothing"


class VisitStep(NamedTuple):
    """A step of the visit, and the hand that it shows."""

    kind: StepKind
    hand: int


class HandState(NamedTuple):
    """A hand as its player's visit has it. Numbers are those of the game's records; 0: there is none."""

    number: int
    asks: bool = False  # the player
    asked_at: datetime | None = None  # since when
    goes_on: bool = False  # by itself: whoever plays next is no person
    ended: int = 0  # its last record, if it is over
    chosen: int = 0  # the last card, pass or moon that the player chose in it
    is_passed: bool = False  # that was their pass


def next_step(hands: Sequence[HandState], shown: int, *, at: int | None = None, waits: bool = True) -> VisitStep:
    """The next step of a visit to a game with these hands, of which there is at least one.

    `shown` is the number of the record up to which the player was shown their pass and how hands ended, `at` the hand
    whose question they are reading. Without `waits`, they do not want to see a hand go on by itself.
    """
    asking = [one for one in hands if one.asks]
    if at in [one.number for one in asking]:
        assert at is not None
        return VisitStep(StepKind.DECISION, at)
    if unseen := [one for one in hands if one.ended > shown]:
        return VisitStep(StepKind.RESULT, min(unseen, key=lambda one: one.ended).number)
    last = max(hands, key=lambda one: one.chosen)
    if last.goes_on and last.chosen and waits:
        return VisitStep(StepKind.GOES_ON, last.number)
    if asking and last not in asking and last.is_passed and last.chosen > shown:
        return VisitStep(StepKind.PASSED, last.number)
    if asking:
        longest = min(asking, key=lambda one: one.asked_at.isoformat() if one.asked_at else "")
        return VisitStep(StepKind.DECISION, (last if last in asking and last.chosen else longest).number)
    running = [one for one in hands if not one.ended] or hands
    return VisitStep(StepKind.NOTHING, (last if last in running and last.chosen else running[0]).number)


def hands_of(stored: TableGame, seat: Seat) -> list[HandState]:
    """The hands of the game for the player of `seat`: those dealt last and, until one of them has ended, those
    dealt together before them.
    """
    asking = {hand.game.hand: hand.clock.asked_at for hand in stored.open_hands() if seat in awaited(hand)}
    moving = {hand.game.hand for hand in stored.open_hands() if not awaited(hand)}
    made = []
    for game in stored.cycle.hands:
        choice = last_choice(stored.of_hand(game.hand), stored, seat)
        state = HandState(
            game.hand,
            asks=game.hand in asking,
            asked_at=asking.get(game.hand),
            goes_on=game.hand in moving,
            ended=_end(stored, seat, game.hand) if game.stage in FINISHED else 0,
            chosen=_number(choice),
            is_passed=choice is not None and isinstance(choice.turn, Pass),
        )
        made.append(state)
    if any(one.ended for one in made):
        return made
    first = stored.cycle.hands[0].hand
    ended = sorted({one.hand for one in stored.records if first - stored.row.at_once <= one.hand < first})
    before = [HandState(one, ended=_end(stored, seat, one), chosen=last_chosen(stored, seat, one)) for one in ended]
    return [*before, *made]


def shown_by_now(stored: TableGame, seat: Seat) -> int:
    """The number of the record up to which the player of `seat` has been shown how hands ended, as far as the records
    say: that of their last choice. A newcomer has nothing to catch up on.
    """
    return max(stored.turns_before(seat), _number(last_choice(stored.records, stored, seat)))


def last_chosen(stored: TableGame, seat: Seat, hand: int) -> int:
    """The number of the last record of the hand that the present player of `seat` has chosen; 0 if there is none."""
    return _number(last_choice(stored.of_hand(hand), stored, seat))


def last_choice(records: Sequence[Record], stored: TableGame, seat: Seat) -> Record | None:
    """The last of the records that the present player of `seat` has chosen; None if there is none."""
    theirs = (one for one in reversed(records) if not isinstance(one.turn, Deal) and one.turn.seat == seat)
    last = next((one for one in theirs if one.source in BY_PLAYER), None)
    return last if last and last.number > stored.turns_before(seat) else None


def _number(record: Record | None) -> int:
    return record.number if record else 0


def _end(stored: TableGame, seat: Seat, hand: int) -> int:
    """The number of the last record of a finished hand; 0 for a player who has not played it."""
    if stored.was_ended or not stored.has_played(seat, hand):
        return 0
    return max(one.number for one in stored.of_hand(hand))
