"""Banks of time as text: what the players of a table have agreed on, and what is left of theirs."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.clock.banks import left_at
from webapp.games.clock.hours import Bank
from webapp.games.clock.pace import bank_of
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.presentation.timestamps import days_and_hours, span


def bank_label(bank: Bank) -> str:
    """A bank in a list of them, short enough for a phone: "3 days + 12 hours, up to 5 days"."""
    return f"{span(bank.start)} + {span(bank.increment)}, up to {span(bank.cap)}"


def bank_sentence(bank: Bank) -> str:
    """Describes the bank that each player of a table has; empty if each turn has a time of its own."""
    if not bank:
        return ""
    start, more, most = span(bank.start), span(bank.increment), span(bank.cap)
    time = f"You have {start} to begin with, {more} more for each turn, and never more than {most}."
    return f"{time} Your time runs only while the table waits for you."


def mailed_sentence(table: TableRow, seat: SeatRow, player: PlayerRow, now: datetime) -> str:
    """Says how much is left in the bank of `player`, who has the seat, as we write; empty if the table has no banks."""
    if not bank_of(table):
        return ""
    left = left_at(table, seat, player, now)
    if _is_empty(left):
        return "As we write, your time bank is empty."
    return f"As we write, you have {days_and_hours(left)} in your time bank."


def bank_notes(
    session: Session, stored: TableGame, reader: Seat, hands: Iterable[TableGame], now: datetime
) -> list[str]:
    """Says how much the reader and those at turn in `hands` have in their banks; empty if the table has no banks.

    It says the same while the robot looks whether a choice matters, so that nobody can tell.
    """
    at_turn = {seat for hand in hands for seat in hand.game.to_act} - {reader}
    others = [stored.seats[seat] for seat in sorted(at_turn) if not stored.seats[seat].away]
    shown = [stored.seats[reader], *others] if bank_of(stored.table) else []
    return [_note(session, stored.table, seat, reader, now) for seat in shown if seat.player_id is not None]


def _note(session: Session, table: TableRow, seat: SeatRow, reader: Seat, now: datetime) -> str:
    left = left_at(table, seat, session.get_one(PlayerRow, seat.player_id), now)
    time = days_and_hours(left)
    if seat.seat == reader:
        return "Your time bank is empty." if _is_empty(left) else f"You have {time} in your time bank."
    return f"The time bank of {seat.name} is empty." if _is_empty(left) else f"{seat.name} has {time} left."


def _is_empty(left: timedelta) -> bool:
    return left < timedelta(minutes=1)
