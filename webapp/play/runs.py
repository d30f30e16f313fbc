"""The service's own turns in a hand: those of robots, and of players who are absent or late.

It thinks outside of any transaction, and writes nothing. It goes on to think about the hand as it will be after what it
has chosen, until a player has to decide, so that a whole run of turns can be taken together.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from hearts.robot import Level
from hearts.seats import Seat
from hearts.turns import Play
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import ROBOT, unasked_records
from webapp.games.clock import clocks
from webapp.games.record import store
from webapp.games.record.store import Record, TableGame
from webapp.models import TurnSource
from webapp.play.taking import ChosenTurn
from webapp.robots import thinking
from webapp.robots.thinking import Thought

LONGEST: Final = timedelta(seconds=0.25)
"""After this time of thinking, a run is taken and the next one begins: people watch, and a worker may die."""
_Waiting = Callable[[], int]  # how many games wait for a robot's turn


def has_turn(stored: TableGame, now: datetime) -> bool:
    """Whether the service has to play in the hand now."""
    return bool(_absent(stored, now))


def run_of(stored: TableGame, waiting: _Waiting, now: datetime) -> list[ChosenTurn]:
    """The next turns of a hand in which the service has one: of seats that it asks at the same time, or one after the
    other. The more games are `waiting`, the less robots think.
    """
    answers: list[ChosenTurn] = []
    ends = time.monotonic() + LONGEST.total_seconds()
    seats = _absent(stored, now)
    while True:
        found = [_by_robot(stored, seat, waiting) for seat in seats]
        answers += found
        # A missed deadline changes the seat and its clock: what the hand is like after that is not known yet.
        is_missed = any(answer.source is TurnSource.TIMEOUT for answer in found)
        if not found or is_missed or time.monotonic() > ends:
            return answers
        stored = _after(stored, found)
        # Nobody has missed a deadline of a hand that is only thought of yet.
        seats = _absent(stored, None)


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
    is_late = now is not None and clocks.is_late(stored, now)
    return [seat for seat in stored.game.to_act if is_late or stored.is_played_by_robot(seat)]


def _by_robot(stored: TableGame, seat: Seat, waiting: _Waiting) -> ChosenTurn:
    """Returns the robot's turn for an asked seat."""
    source = _source_for(stored, seat)
    # The host has chosen how well robots play; who is absent gets the best for which there is time.
    level = stored.table.robots if source is TurnSource.ROBOT else thinking.strongest(waiting())
    # Many games wait: less thought for each beats a long wait for the last of them.
    hurried = level is not Level.RULE and thinking.is_crowded(waiting())
    thought = thinking.think(stored.game, seat, level, hurried=hurried)
    if source is TurnSource.AS_WISHED:
        thought = Thought(thought.turn, replace(thought.grounds, by=ROBOT))
    due = due_of(stored.game, seat)
    assert due is not None
    seen = stored.game if isinstance(thought.turn, Play) else None  # no pass depends on another
    return ChosenTurn(due, thought.turn, source, thought.grounds, seen)


def _source_for(stored: TableGame, seat: Seat) -> TurnSource:
    """Why the robot plays for a seat, as its turn record says it."""
    if seat in stored.robots:
        return TurnSource.ROBOT
    # Who has said that they are away has missed nothing, also if their deadline is over by now.
    if stored.seats[seat].away:
        return TurnSource.AWAY
    return TurnSource.AS_WISHED if stored.is_played_by_robot(seat) else TurnSource.TIMEOUT
