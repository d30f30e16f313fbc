"""Vacation: some days a game on which the table waits for a player; one is taken for them when they miss a deadline.

Players read of them as spare days. The deadline moves by a day, and no robot plays yet. A player who has vanished costs
the others one day at most: the service takes no second one before they have played.

The days belong to the owner of a seat: while somebody else plays it for them, none count, and none are taken.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta

from webapp.games.asked.due import Due
from webapp.games.clock.hours import DaysOff, Hours, days_off_of, today_of
from webapp.games.clock.pace import pace_for
from webapp.games.clock.presence import quiet_of
from webapp.games.record.seats import is_lent
from webapp.models import PlayerRow, SeatRow, TableRow, Vacation

VACATION_FROM = timedelta(hours=12)  # the shortest pace, to pass and to play, with vacation days
DAY = timedelta(days=1)


def vacation_of(seat: SeatRow) -> Vacation:
    """The vacation days of the player of the seat, who has none if they play it for its owner."""
    return (not is_lent(seat) and seat.vacation) or Vacation()


def days_off_at(seat: SeatRow, player: PlayerRow) -> DaysOff:
    """All days on which no time of `player`, who has the seat, passes at its table."""
    usual = days_off_of(player)
    return replace(usual, dates=usual.dates | vacation_of(seat).dates) if seat.vacation else usual


def hours_at(seat: SeatRow, player: PlayerRow) -> Hours:
    """The hours of `player`, who has the seat, at its table."""
    return Hours(player.time_zone, quiet_of(player), days_off_at(seat, player))


def has_vacation(table: TableRow) -> bool:
    """Whether the players of the table have vacation days."""
    return table.vacation_days > 0 and min(pace_for(table, "pass"), pace_for(table, "play")) >= VACATION_FROM


def days_left(table: TableRow, seat: SeatRow) -> int:
    """How many vacation days the player of the seat has left in this game."""
    # A stand-in agreed to play now; the owner's days are for the owner.
    if is_lent(seat) or not has_vacation(table):
        return 0
    return max(0, table.vacation_days - vacation_of(seat).days)


def vacation_until(seat: SeatRow, player: PlayerRow, now: datetime) -> date | None:
    """The last of the days that the player took by hand, in a game of an earlier version; None if it is over."""
    last = max(vacation_of(seat).dates, default=None)
    return last if last is not None and last >= today_of(player, now) else None


def end_vacation(seat: SeatRow, player: PlayerRow, now: datetime) -> None:
    """The player is back: they keep the days from today on that they took by hand."""
    vacation, today = vacation_of(seat), today_of(player, now)
    # Days that have passed were used: they count against what is left.
    if over := {day for day in vacation.dates if day >= today}:
        seat.vacation = replace(vacation, dates=vacation.dates - over)


def may_take_one(table: TableRow, seat: SeatRow, due: Due) -> bool:
    """Whether a day is taken for the player of the seat if they miss the deadline for `due`."""
    # Once they have missed one, the table has waited a day for them already.
    return not seat.missed and not was_taken_for(seat, due) and days_left(table, seat) > 0


def take_one(seat: SeatRow, due: Due, now: datetime) -> None:
    """Takes a day for the player of the seat, who has missed the deadline for `due`."""
    vacation = vacation_of(seat)
    seat.vacation = replace(vacation, automatic=vacation.automatic + 1, taken_for=(_key(due),), taken_at=now)


def extend_to(seat: SeatRow, due: Due) -> None:
    """Lets the day that was taken for the player last count for `due`, too, which they have missed in another hand."""
    vacation = vacation_of(seat)
    seat.vacation = replace(vacation, taken_for=(*vacation.taken_for, _key(due)))


def was_taken_for(seat: SeatRow, due: Due) -> bool:
    """Whether a day was taken for the player because they missed the deadline for `due`."""
    return _key(due) in vacation_of(seat).taken_for


def _key(due: Due) -> str:
    return f"{due.hand} {due.what}"
