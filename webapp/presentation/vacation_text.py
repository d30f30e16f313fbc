"""Vacation days as text: what a player has left and may take, and who at the table is on vacation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.days_off import today_of
from webapp.games.planning import asked_of
from webapp.games.stand_in import is_lent
from webapp.games.store import Stored
from webapp.games.vacation import days_left, has_vacation, next_days, vacation_until, was_taken_for
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.presentation.phrasing import by_number, counted, number_word
from webapp.presentation.timestamps import day_text


@dataclass(frozen=True, slots=True)
class VacationSheet:
    """What a player may do about their vacation at a table. `choices`: numbers of days, and until when they last."""

    left: str  # a sentence
    until: str | None  # their last day, if they are on vacation
    choices: list[tuple[str, str]]


def vacation_sheet(table: TableRow, seat: SeatRow, player: PlayerRow, now: datetime) -> VacationSheet | None:
    """The vacation of the player of a seat while a game is played.

    None if the table has none, or they are away or play for somebody else.
    """
    if not has_vacation(table) or seat.away or is_lent(seat):
        return None
    left, today, until = days_left(table, seat), today_of(player, now), vacation_until(seat, player, now)
    days = [day_text(day, today) for day in next_days(seat, player, left, now)]
    choices = [(str(number), f"{counted(number, 'day')}, to {day}") for number, day in enumerate(days, 1)]
    return VacationSheet(left_sentence(left), day_text(until, today) if until else None, choices)


def left_sentence(left: int) -> str:
    """How many vacation days the reader has left."""
    if not left:
        return "You have no vacation days left in this game."
    number = number_word(left)
    return by_number(
        left, "You have one vacation day left in this game.", f"You have {number} vacation days left in this game."
    )


def left_note(table: TableRow, seat: SeatRow) -> str:
    """What others see of a player's vacation days, beside their name; empty before the first is taken."""
    left = days_left(table, seat)
    has_taken = seat.vacation is not None and seat.player_id is not None and not is_lent(seat)
    if not has_taken or not has_vacation(table) or left == table.vacation_days:
        return ""
    return by_number(left, "one vacation day left", f"{number_word(left)} vacation days left")


def vacation_sentence(table: TableRow) -> str:
    """What the players of the table have agreed on; empty if they have no vacation days."""
    days = table.vacation_days
    if not has_vacation(table):
        return ""
    return by_number(
        days, "Each player has one vacation day a game.", f"Each player has {number_word(days)} vacation days a game."
    )


def vacation_notes(session: Session, stored: Stored, reader: Seat, now: datetime) -> Sequence[str]:
    """Who is on vacation, and for whom of those whose turn it is a vacation day was taken; not for the reader."""
    others = [seat for seat in stored.seats if seat.vacation and seat.seat != reader and not seat.away]
    notes = [_note(session, stored, seat, now) for seat in others] if has_vacation(stored.table) else []
    return [note for note in notes if note]


def _note(session: Session, stored: Stored, seat: SeatRow, now: datetime) -> str:
    player = session.get_one(PlayerRow, seat.player_id)
    if until := vacation_until(seat, player, now):
        return f"{seat.name} is on vacation until {day_text(until, today_of(player, now))}."
    due = asked_of(stored, Seat(seat.seat))
    was_late = due is not None and was_taken_for(seat, due)
    return f"{seat.name} missed a deadline, and took a vacation day." if was_late else ""
