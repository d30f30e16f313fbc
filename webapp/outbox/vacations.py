"""Takes a vacation day for a player who has missed a deadline, instead of having a robot play for them."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.whose_turn import asked_of, awaited
from webapp.games.clock import vacation
from webapp.games.clock.hours import deadline
from webapp.games.clock.pace import set_wake
from webapp.games.clock.presence import quiet_of
from webapp.games.record import changing
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow
from webapp.outbox import questions


def excused(stored: TableGame, now: datetime) -> list[Seat]:
    """The seats whose deadline in this hand is over, and for whose players a vacation day is taken, or was for another
    of the hands that are played side by side.
    """
    if stored.clock.due_at is None or stored.clock.due_at > now or not vacation.has_vacation(stored.table):
        return []
    return [seat for seat in awaited(stored) if _is_excused(stored, seat, now)]


def take_for_absent(runtime: Runtime, game_id: int, hand: int, now: datetime) -> bool:
    """Moves a hand's deadline that is over by a day, clear of nights and days off, for the players for whom a vacation
    day is taken; the next mail tells them. Returns whether it did: somebody may have played meanwhile.
    """
    with changing.game(runtime, game_id, now, hand, wakes_for_games=False) as game:
        session, stored = game.session, game.stored
        seats = excused(stored, now)
        if seats:
            _move_deadline(session, stored, seats, now)
        for seat in awaited(stored) if seats else ():
            questions.queue_question(session, stored, stored.seats[seat], now)
        for seat in seats:
            _excuse(stored, seat, now)
    return bool(seats)


def _is_excused(stored: TableGame, seat: Seat, now: datetime) -> bool:
    row, due = stored.seats[seat], asked_of(stored, seat)
    if due is None or vacation.was_taken_for(row, due):
        return False
    return _running_day(stored, seat, now) is not None or vacation.may_take_one(stored.table, row, due)


def _running_day(stored: TableGame, seat: Seat, now: datetime) -> datetime | None:
    """The end of the day that was taken for the player in another hand; None if none is, or it is over."""
    others = [one for one in stored.open_hands() if one.game.hand != stored.game.hand]
    days = [
        one.clock.due_at
        for one in others
        if (due := asked_of(one, seat)) and vacation.was_taken_for(one.seats[seat], due)
    ]
    return max((at for at in days if at is not None and at > now), default=None)


def _move_deadline(session: Session, stored: TableGame, seats: Sequence[Seat], now: datetime) -> None:
    clock = stored.clock
    assert clock.due_at is not None
    at = max(_running_day(stored, seat, now) or _a_day_later(session, stored, seat, now) for seat in seats)
    clock.moved_by += round((at - clock.due_at).total_seconds())
    clock.due_at = at
    set_wake(stored, now)


def _a_day_later(session: Session, stored: TableGame, seat: Seat, now: datetime) -> datetime:
    row = stored.seats[seat]
    player = session.get_one(PlayerRow, row.player_id)
    return deadline(now, vacation.DAY, player.time_zone, quiet_of(player), vacation.days_off_at(row, player))


def _excuse(stored: TableGame, seat: Seat, now: datetime) -> None:
    """Takes a day for the player, unless one is running that was taken in another hand."""
    row, due = stored.seats[seat], asked_of(stored, seat)
    assert due is not None
    if _running_day(stored, seat, now) is not None:
        vacation.extend_to(row, due)
        return
    vacation.take_one(row, due, now)
