"""Nudges: reminders that a player who waits may ask us to send; each question has one at most.

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
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow
from webapp.outbox import timing
from webapp.outbox.in_game import queue_in_game

NUDGE = "nudge"  # the reason of such a reminder


@dataclass(frozen=True, slots=True)
class Nudge:
    """The seats for which a table waits: those whom we may remind now, and those whom somebody has had reminded."""

    open: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()


def nudge_of(session: Session, stored: TableGame, by: Seat, now: datetime) -> Nudge:
    """Returns the seats whose players the seat `by` may have reminded, and those whom somebody has had reminded."""
    others = [seat for seat in awaited(stored) if seat != by] if _is_time(stored, now, now) else []
    if not others:
        return Nudge()
    nudged = _nudged(session, stored, others)
    waiting = _players(session, [stored.seats[seat] for seat in others if seat not in nudged])
    may_be = tuple(seat for seat in others if seat in waiting and _may_be_reminded(stored, seat, waiting[seat], now))
    return Nudge(may_be, tuple(seat for seat in others if seat in nudged))


def queue_nudges(session: Session, runtime: Runtime, stored: TableGame, seats: tuple[Seat, ...], now: datetime) -> None:
    """Queues a reminder to the players of `seats`, whom `nudge_of` names."""
    for seat in seats:
        due = due_of(stored.game, seat)
        assert due is not None
        row = stored.seats[seat]
        letter = queue_in_game(session, runtime, LetterKind.REMINDER, stored, row, due, now, again=f" {NUDGE}")
        letter.reason = NUDGE


def _is_time(stored: TableGame, now: datetime, at: datetime) -> bool:
    clock = stored.clock
    if clock.asked_at is None or clock.due_at is None:
        return False
    return may_nudge(clock.asked_at, clock.due_at, pace_of(stored), now, at)


def _nudged(session: Session, stored: TableGame, seats: Sequence[Seat]) -> set[Seat]:
    """Returns those of `seats`, all asked the same, whose present players somebody has had reminded of it."""
    due = due_of(stored.game, seats[0])
    assert due is not None
    of_question = (LetterRow.game_id == stored.id, LetterRow.hand == due.hand, LetterRow.about == due.what)
    found = session.exec(select(LetterRow.seat, LetterRow.player_id).where(*of_question, LetterRow.reason == NUDGE))
    reminded = set(found)
    return {seat for seat in seats if (seat, stored.seats[seat].player_id) in reminded}


def _players(session: Session, rows: Sequence[SeatRow]) -> dict[Seat, PlayerRow]:
    """The players of these seats, by seat."""
    ids = [row.player_id for row in rows]
    by_id = {one.id: one for one in session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(ids)))}
    return {Seat(row.seat): by_id[row.player_id] for row in rows if row.player_id is not None}


def _may_be_reminded(stored: TableGame, seat: Seat, player: PlayerRow, now: datetime) -> bool:
    """Whether a reminder reaches the player in time, they want it at once, and it is none of their days off."""
    is_reached = stored.seats[seat].mails and player.unreachable_at is None
    wants = player.reminders and timing.wants_each_turn(player)
    is_working = today_of(player, now) not in days_off_at(stored.seats[seat], player)
    return is_reached and wants and is_working and _is_time(stored, now, may_disturb_at(player, now))
