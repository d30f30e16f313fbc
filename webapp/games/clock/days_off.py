"""A player's days off, on which their time stands still: weekdays; and holidays, which are single days or several.

Holidays are dates in the player's own time zone. They come from version 1.0: no page adds one, but those that a player
has count, and can be removed. Nothing here reads a clock.
"""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.games.clock.hours import DaysOff
from webapp.models import PlayerRow

_DAY = timedelta(days=1)


class Holiday(NamedTuple):
    """Days off from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def days(self) -> frozenset[date]:
        return frozenset(self.first + _DAY * ahead for ahead in range((self.last - self.first).days + 1))


def today_of(player: PlayerRow, now: datetime) -> date:
    """The date in the player's time zone."""
    return now.astimezone(ZoneInfo(player.time_zone)).date()


def weekdays_off(player: PlayerRow) -> frozenset[int]:
    """The weekdays, 0 for Monday, that are days off."""
    return frozenset(day for day in range(7) if player.days_off >> day & 1)


def days_off_of(player: PlayerRow) -> DaysOff:
    """All days on which no time of the player passes."""
    return DaysOff(weekdays_off(player), _days(_kept(player)))


def holidays_of(player: PlayerRow, now: datetime) -> list[Holiday]:
    """The player's holidays that are not over, the first one first."""
    today = today_of(player, now)
    return [holiday for holiday in _kept(player) if holiday.last >= today]


def remove_holiday(player: PlayerRow, holiday: Holiday, now: datetime) -> None:
    """Removes a holiday from today on. The days before stay, because deadlines have moved past them.

    Does nothing if the player has no such holiday.
    """
    kept, yesterday = set(_kept(player)), today_of(player, now) - _DAY
    if holiday in kept:
        over = {Holiday(holiday.first, min(holiday.last, yesterday))} if holiday.first <= yesterday else set()
        _keep(player, (kept - {holiday}) | over)


def _kept(player: PlayerRow) -> list[Holiday]:
    return [Holiday(date.fromisoformat(first), date.fromisoformat(last)) for first, last in player.holidays or ()]


def _keep(player: PlayerRow, holidays: Iterable[Holiday]) -> None:
    player.holidays = [[first.isoformat(), last.isoformat()] for first, last in sorted(holidays)] or None


def _days(holidays: Iterable[Holiday]) -> frozenset[date]:
    return frozenset().union(*(holiday.days for holiday in holidays))
