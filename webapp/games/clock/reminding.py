"""When the players whom a hand asks are reminded. The hand's clock keeps these times: most players answer before.

`outbox.reminders` works them out, and queues the letters.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from hearts.seats import Seat
from webapp.games.asked.due import Due
from webapp.games.record.store import TableGame
from webapp.models import ClockRow, GameRow, ReminderTimes


class Reminding(NamedTuple):
    """The times at which the player of `seat` is still to be reminded of `due`, in order."""

    seat: Seat
    due: Due
    times: Sequence[datetime]


def keep(stored: TableGame, seat: Seat, due: Due, times: Sequence[datetime]) -> None:
    """Keeps when the seat's player is to be reminded of `due`, instead of what was kept for the seat, and wakes the
    service for the first of these times.
    """
    clock, row = stored.clock, stored.row
    kept = {one: asked for one, asked in (clock.reminders or {}).items() if one != seat}
    if times:
        kept[int(seat)] = ReminderTimes(due.hand, due.what, tuple(times))
        row.remind_at = min(row.remind_at or times[0], times[0])
        row.wake_at = row.wake_at and min(row.wake_at, times[0])
    if kept or clock.reminders:
        clock.reminders = kept or None


def kept_by(clock: GameRow | ClockRow) -> list[Reminding]:
    """Returns the reminders that the clock keeps, one for each seat that has any."""
    kept = (clock.reminders or {}).items()
    return [Reminding(Seat(seat), Due(one.hand, one.what), one.at) for seat, one in kept]


def next_at(clock: GameRow | ClockRow) -> datetime | None:
    """The first of the times that the clock keeps; None if it keeps none."""
    return min((one.times[0] for one in kept_by(clock)), default=None)
