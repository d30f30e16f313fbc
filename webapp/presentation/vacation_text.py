"""Vacation days as text, for players "spare days": how many are left, and for which absent player the table waits."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock.days_off import today_of
from webapp.games.clock.vacation import days_left, has_vacation, vacation_until, was_taken_for
from webapp.games.record.stand_in import is_lent
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.presentation.phrasing import by_number, number_word
from webapp.presentation.timestamps import day_text


def left_sentence(left: int) -> str:
    """How many spare days the reader has left."""
    if not left:
        return "You have no spare days left in this game."
    number = number_word(left)
    return by_number(
        left, "You have one spare day left in this game.", f"You have {number} spare days left in this game."
    )


def had_bank_sentence(left: int) -> str:
    """Tells the reader, whose game began with time banks, what has come in their place."""
    gone = "Time banks are gone. Each turn has its own time, and a missed deadline costs a spare day."
    return f"{gone} {left_sentence(left)}"


def taken_sentence(left: int) -> str:
    """Tells the reader that we have used one of their spare days, and how many they have left."""
    used = "You missed a deadline. We used one of your spare days, so no robot plays for you yet."
    return f"{used} {left_sentence(left)}{' We use the next one only after you have played.' if left else ''}"


def left_note(table: TableRow, seat: SeatRow) -> str:
    """Returns a note on a player's spare days, for the others, beside their name; empty before the first is taken."""
    left = days_left(table, seat)
    has_taken = seat.vacation is not None and seat.player_id is not None and not is_lent(seat)
    if not has_taken or not has_vacation(table) or left == table.vacation_days:
        return ""
    return by_number(left, "one spare day left", f"{number_word(left)} spare days left")


def vacation_sentence(table: TableRow) -> str:
    """Says how many spare days each player of the table has; empty if they have none."""
    days = table.vacation_days
    if not has_vacation(table):
        return ""
    return by_number(
        days,
        "Each player has one spare day a game, for a deadline that they miss.",
        f"Each player has {number_word(days)} spare days a game, one for each deadline that they miss.",
    )


def vacation_notes(session: Session, stored: TableGame, reader: Seat, now: datetime) -> Sequence[str]:
    """Notes on the other players for whom the table waits, or whose missed turn has taken a spare day; and on the
    reader's own days where these have taken the place of a time bank.
    """
    mine = stored.seats[reader]
    own = [had_bank_sentence(days_left(stored.table, mine))] if mine.vacation and mine.vacation.had_bank else []
    others = [seat for seat in stored.seats if seat.vacation and seat.seat != reader and not seat.away]
    notes = [_note(session, stored, seat, now) for seat in others] if has_vacation(stored.table) else []
    return [*own, *(note for note in notes if note)]


def _note(session: Session, stored: TableGame, seat: SeatRow, now: datetime) -> str:
    player = session.get_one(PlayerRow, seat.player_id)
    if until := vacation_until(seat, player, now):
        return f"{seat.name} is away: the table waits until the end of {day_text(until, today_of(player, now))}."
    due = asked_of(stored, Seat(seat.seat))
    was_late = due is not None and was_taken_for(seat, due)
    return f"{seat.name} missed a deadline: one of their spare days is used." if was_late else ""
