"""Takes a vacation day for a player who has missed a deadline, instead of having a robot play for them."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games import store, vacation
from webapp.games.clock import deadline
from webapp.games.pace import set_wake
from webapp.games.planning import asked_of, awaited
from webapp.games.presence import lock_players, quiet_of
from webapp.games.store import Stored
from webapp.models import LetterKind, PlayerRow
from webapp.outbox import letters, questions, timing


def excused(session: Session, stored: Stored, now: datetime) -> list[Seat]:
    """The seats whose deadline is over, and for whose players a vacation day is taken."""
    if stored.row.due_at is None or stored.row.due_at > now or not vacation.has_vacation(stored.table):
        return []
    return [seat for seat in awaited(stored) if _is_excused(session, stored, seat)]


def take_for_absent(runtime: Runtime, game_id: int, now: datetime) -> bool:
    """Moves a deadline that is over by a day, clear of nights and days off, and queues a mail to each player for whom a
    vacation day is taken. Returns whether it did: somebody may have played meanwhile.
    """
    with runtime.database.writing() as session:
        stored = store.load(session, game_id, lock=True)
        lock_players(session, stored.seats)
        seats = excused(session, stored, now)
        if seats:
            _move_deadline(session, stored, seats, now)
        for seat in awaited(stored) if seats else ():
            questions.queue_question(session, runtime, stored, stored.seats[seat], now)
        for seat in seats:
            _take_one(session, runtime, stored, seat, now)
    runtime.bell.deliver()
    return bool(seats)


def _is_excused(session: Session, stored: Stored, seat: Seat) -> bool:
    row, due = stored.seats[seat], asked_of(stored, seat)
    player = session.get_one(PlayerRow, row.player_id)
    return due is not None and vacation.may_take_one(stored.table, row, player, due)


def _move_deadline(session: Session, stored: Stored, seats: Sequence[Seat], now: datetime) -> None:
    row = stored.row
    assert row.due_at is not None
    at = max(_a_day_later(session, stored, seat, now) for seat in seats)
    row.moved_by += round((at - row.due_at).total_seconds())
    row.due_at = at
    set_wake(stored, now)


def _a_day_later(session: Session, stored: Stored, seat: Seat, now: datetime) -> datetime:
    row = stored.seats[seat]
    player = session.get_one(PlayerRow, row.player_id)
    return deadline(now, vacation.DAY, player.time_zone, quiet_of(player), vacation.days_off_at(row, player))


def _take_one(session: Session, runtime: Runtime, stored: Stored, seat: Seat, now: datetime) -> None:
    row, due = stored.seats[seat], asked_of(stored, seat)
    assert due is not None
    vacation.take_one(row, due)
    if timing.should_queue(LetterKind.VACATION, stored, row, due, now):
        letters.queue_in_game(session, runtime, LetterKind.VACATION, stored, row, due, now)
