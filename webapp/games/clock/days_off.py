"""A player's days off, on which their time stands still: weekdays; and holidays, which are single days or several.

Holidays are dates in the player's own time zone. They come from version 1.0: no page adds one, but those that a player
has count. Nothing here reads a clock.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.games.clock.hours import DaysOff
from webapp.models import PlayerRow


def today_of(player: PlayerRow, now: datetime) -> date:
    """The date in the player's time zone."""
    return now.astimezone(ZoneInfo(player.time_zone)).date()


def weekdays_off(player: PlayerRow) -> frozenset[int]:
    """The weekdays, 0 for Monday, that are days off."""
    return frozenset(day for day in range(7) if player.days_off >> day & 1)


def days_off_of(player: PlayerRow) -> DaysOff:
    """All days on which no time of the player passes."""
    # In version 1.0 a player could name single days; what they named is kept as they named it.
    holidays = (tuple(map(date.fromisoformat, pair)) for pair in player.holidays or ())
    days = {first + timedelta(ahead) for first, last in holidays for ahead in range((last - first).days + 1)}
    return DaysOff(weekdays_off(player), frozenset(days))
