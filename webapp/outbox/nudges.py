"""Nudges: mails about turns that a player who waits may ask us to send, read or not; each question has one at most.

A nudge does not say who asked for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.days_off import today_of
from webapp.games.clock.hours import may_nudge
from webapp.games.clock.pace import pace_of
from webapp.games.clock.presence import may_disturb_at
from webapp.games.clock.vacation import days_off_at
from webapp.games.record.live import is_live
from webapp.games.record.store import TableGame
from webapp.models import Frequency, PlayerRow, SeatRow
from webapp.outbox import turn_mail
from webapp.outbox.turn_mail_times import Key, Why


@dataclass(frozen=True, slots=True)
class Nudge:
    """The seats for which a table waits: those whom we may remind now, and those whom somebody has had reminded."""

    open: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()


def nudge_of(session: Session, stored: TableGame, by: Seat, now: datetime) -> Nudge:
    """Returns the seats whose players the seat `by` may have reminded, and those whom somebody has had reminded."""
    may_be_time = _is_time(stored, now, now) and not is_live(pace_of(stored))
    others = [seat for seat in awaited(stored) if seat != by] if may_be_time else []
    if not others:
        return Nudge()
    nudged = {seat for seat in others if _was_nudged(session, stored, seat)}
    waiting = _players(session, [stored.seats[seat] for seat in others if seat not in nudged])
    may_be = tuple(seat for seat in others if seat in waiting and _may_be_reminded(stored, seat, waiting[seat], now))
    return Nudge(may_be, tuple(seat for seat in others if seat in nudged))


def queue_nudges(session: Session, runtime: Runtime, stored: TableGame, seats: tuple[Seat, ...], now: datetime) -> None:
    """Mails the players of `seats`, whom `nudge_of` names, what waits for them."""
    for seat in seats:
        player = session.get_one(PlayerRow, stored.seats[seat].player_id)
        letter = turn_mail.mail_now(session, runtime, player, now, Why.NUDGE)
        if letter is not None:
            letter.created_at = letter.next_at = may_disturb_at(player, now)


def _is_time(stored: TableGame, now: datetime, at: datetime) -> bool:
    clock = stored.clock
    if clock.asked_at is None or clock.due_at is None:
        return False
    return may_nudge(clock.asked_at, clock.due_at, pace_of(stored), now, at)


def _was_nudged(session: Session, stored: TableGame, seat: Seat) -> bool:
    due, player_id, asked_at = due_of(stored.game, seat), stored.seats[seat].player_id, stored.clock.asked_at
    assert due is not None
    assert player_id is not None
    assert asked_at is not None
    return turn_mail.was_nudged(session, player_id, Key(stored.id, int(seat), due.hand, due.what), asked_at)


def _players(session: Session, rows: Sequence[SeatRow]) -> dict[Seat, PlayerRow]:
    """The players of these seats, by seat."""
    ids = [row.player_id for row in rows]
    by_id = {one.id: one for one in session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(ids)))}
    return {Seat(row.seat): by_id[row.player_id] for row in rows if row.player_id is not None}


def _may_be_reminded(stored: TableGame, seat: Seat, player: PlayerRow, now: datetime) -> bool:
    """Whether a reminder reaches the player in time, they want it at once, and it is none of their days off."""
    is_reached = stored.seats[seat].mails and player.unreachable_at is None
    wants = player.frequency is Frequency.EVERY
    is_working = today_of(player, now) not in days_off_at(stored.seats[seat], player)
    return is_reached and wants and is_working and _is_time(stored, now, may_disturb_at(player, now))
