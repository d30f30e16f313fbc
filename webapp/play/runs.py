"""The service's own turns in a hand: those of robots, of players who are absent or late, and what hardly matters.

It thinks outside of any transaction, and writes nothing. It goes on to think about the hand as it will be after what it
has chosen, until a player has to decide, so that a whole run of turns can be taken together.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from hearts.robot import Level
from hearts.seats import Seat
from hearts.turns import Play
from hearts.waits import Price
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import (
    ROBOT,
    Pending,
    ShortWait,
    grounds,
    pending,
    short_wait_of,
    unasked_records,
)
from webapp.games.clock import deadlines, short_wait
from webapp.games.record import store
from webapp.games.record.records import Record
from webapp.games.record.store import TableGame
from webapp.models import TurnSource, Wait
from webapp.play.taking import ChosenTurn, Left
from webapp.robots import thinking
from webapp.robots.thinking import Thought

LONGEST: Final = timedelta(seconds=0.25)
"""After this time of thinking, a run is taken and the next one begins: people watch, and a worker may die."""
_Waiting = Callable[[], int]  # how many games wait for a robot's turn


@dataclass(frozen=True, slots=True)
class Run:
    """Turns in a hand that need no player: of seats that it asks at the same time, or one after the other."""

    answers: list[ChosenTurn]
    left: Left | None = None
    """The card that is left to its player after these turns; None if there is none."""


def has_turn(stored: TableGame, now: datetime) -> bool:
    """Whether the service has to play in the hand now, or to look whether a choice matters."""
    return bool(pending(stored) or short_wait.is_over(stored, now) or _absent(stored, now))


def run_of(stored: TableGame, waiting: _Waiting, now: datetime) -> Run:
    """The next turns of a hand in which the service has one. The more games are `waiting`, the less robots think."""
    answers: list[ChosenTurn] = []
    ends = time.monotonic() + LONGEST.total_seconds()
    seats = _absent(stored, now)
    after_wait = short_wait_of(stored) if short_wait.is_over(stored, now) else None
    while True:
        if waiting_card := pending(stored):
            price = thinking.small_price(stored.game, waiting_card)
            if price is None or waiting_card.wait is Wait.SHORT:
                return Run(answers, Left(stored.game, waiting_card, price))
            found = [_unasked(stored, waiting_card, price)]
        elif after_wait is not None:
            found, after_wait = [_after_wait(stored, after_wait)], None
        else:
            found = [_by_robot(stored, seat, waiting) for seat in seats]
        answers += found
        if not found or not _is_known_after(found) or time.monotonic() > ends:
            return Run(answers)
        stored = _after(stored, found)
        seats = _absent(stored, None)


def _is_known_after(answers: list[ChosenTurn]) -> bool:
    """Whether it is known what the hand is like after these turns: a missed deadline changes the seat and its clock."""
    return not any(answer.source is TurnSource.TIMEOUT for answer in answers)


def _after(stored: TableGame, answers: list[ChosenTurn]) -> TableGame:
    """The game as it will be after these turns and all that then needs no decision, up to the end of the hand."""
    records = [Record(answer.turn, answer.source, answer.choice) for answer in answers]
    while records:
        for record in records:
            stored = store.extended(stored, record)
        records = unasked_records(stored) if stored.game.to_act else []
    return stored


def _absent(stored: TableGame, now: datetime | None) -> list[Seat]:
    """The seats for which the service has to play in this hand, also those whose deadline is over at the time `now`."""
    is_late = now is not None and deadlines.is_late(stored, now)
    return [seat for seat in stored.game.to_act if is_late or stored.is_played_by_robot(seat)]


def _unasked(stored: TableGame, pending: Pending, price: Price) -> ChosenTurn:
    """Returns the turn of a player who is not asked, since the choice hardly matters."""
    thought = Thought(Play(pending.seat, pending.card), grounds(price))
    return _answer(stored, pending.seat, TurnSource.WAIT, thought, pending)


def _after_wait(stored: TableGame, short: ShortWait) -> ChosenTurn:
    """Returns the turn at the end of a short wait."""
    thought = Thought(Play(short.seat, short.card), short.grounds)
    return replace(_answer(stored, short.seat, TurnSource.WAIT, thought), short_wait=short)


def _by_robot(stored: TableGame, seat: Seat, waiting: _Waiting) -> ChosenTurn:
    """Returns the robot's turn for an asked seat."""
    source = _source_for(stored, seat)
    level = stored.table.robots if source is TurnSource.ROBOT else thinking.strongest(waiting())
    hurried = level is not Level.RULE and thinking.is_crowded(waiting())
    thought = thinking.think(stored.game, seat, level, hurried=hurried)
    if source is TurnSource.WAIT:
        thought = Thought(thought.turn, replace(thought.grounds, by=ROBOT))
    return _answer(stored, seat, source, thought)


def _answer(
    stored: TableGame, seat: Seat, source: TurnSource, thought: Thought, pending: Pending | None = None
) -> ChosenTurn:
    due = due_of(stored.game, seat)
    assert due is not None
    seen = stored.game if isinstance(thought.turn, Play) else None  # no pass depends on another
    return ChosenTurn(due, thought.turn, source, thought.grounds, seen, pending)


def _source_for(stored: TableGame, seat: Seat) -> TurnSource:
    """Why the robot plays for a seat, as its turn record says it."""
    if seat in stored.robots:
        return TurnSource.ROBOT
    if stored.seats[seat].away:
        return TurnSource.AWAY
    return TurnSource.WAIT if stored.is_played_by_robot(seat) else TurnSource.TIMEOUT
