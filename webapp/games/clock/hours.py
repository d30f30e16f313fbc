"""Deadlines: they avoid a player's quiet hours and time off, and are short at a live table.

Local hours belong to an IANA time zone, with its summer time; all parameters and results are aware datetimes in UTC.
Nothing here reads a clock.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from itertools import count
from typing import NamedTuple
from zoneinfo import ZoneInfo

from webapp.models import PlayerRow

FIRST_ARRIVAL = timedelta(minutes=5)  # for an absent player, to answer their first question in a live game
LATER_ARRIVAL = timedelta(minutes=1)  # and any later one
SHORTEST_QUIET_PACE = timedelta(hours=1)  # at a shorter pace people play at one sitting: no deadline moves
AFTER_QUIET_HOURS = timedelta(hours=3)  # a player has at least this long to answer once their quiet hours end
MOST_DAYS_OFF = 6  # of a week
LONGEST_QUIET = 16  # hours; with more, no deadline could avoid one night without hitting the next
NUDGE_AFTER = 4  # others may have a player reminded once a quarter of the pace has passed, and until one is left
HOURS_KEPT = 4096  # of a few days, for each zone and hour at which somebody's night begins or ends
APART = timedelta(hours=1)  # how long before a night a mail goes that would else come in it, and too late after it


class Quiet(NamedTuple):
    """Quiet hours in local time, from `begins` up to but not including `ends`; 22 and 7 are a night."""

    begins: int
    ends: int

    @property
    def hours(self) -> int:
        """How many they are.

        >>> Quiet(22, 7).hours, Quiet(1, 6).hours
        (9, 5)
        """
        return (self.ends - self.begins) % 24


@dataclass(frozen=True, slots=True)
class DaysOff:
    """The days, in local time, on which no time of a player passes: weekdays (0 for Monday) and single dates.

    At least one weekday is not among them, and dates are finite, so that a working day always follows.
    """

    weekdays: frozenset[int] = frozenset()
    dates: frozenset[date] = frozenset()

    def __contains__(self, day: date) -> bool:
        return day.weekday() in self.weekdays or day in self.dates

    def __bool__(self) -> bool:
        return bool(self.weekdays or self.dates)


NO_DAYS_OFF = DaysOff()


class Hours(NamedTuple):
    """A player's hours: their zone, quiet hours and days off."""

    zone: str = "UTC"
    quiet: Quiet | None = None
    days_off: DaysOff = NO_DAYS_OFF


def quiet_until(at: datetime, zone: str, quiet: Quiet | None) -> datetime | None:
    """The end of the quiet hours that contain `at`; None if none do."""
    night = _night(at, zone, quiet)
    return night and night[1]


def quiet_from(at: datetime, zone: str, quiet: Quiet | None) -> datetime | None:
    """The beginning of the quiet hours that contain `at`; None if none do."""
    night = _night(at, zone, quiet)
    return night and night[0]


def next_hour(now: datetime, zone: str, hour: int) -> datetime:
    """The first moment after `now` at which it is `hour` o'clock in `zone`.

    >>> next_hour(datetime(2026, 3, 2, 12, tzinfo=UTC), "Europe/Berlin", 8)
    datetime.datetime(2026, 3, 3, 7, 0, tzinfo=datetime.timezone.utc)
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    days = (today + timedelta(days=ahead) for ahead in range(3))
    return next(at for day in days if (at := local_hour(day, hour, zone)) > now)


def arrival_time(pace: timedelta, *, is_first: bool) -> timedelta:
    """How long an absent player has to answer at a live pace; `is_first`: it is their first question in the game.

    This is at least twice the pace: a player who arrives within the first half still has the full pace left.
    """
    return max(FIRST_ARRIVAL if is_first else LATER_ARRIVAL, 2 * pace)


def deadline(now: datetime, pace: timedelta, hours: Hours) -> datetime:
    """The deadline of a question asked at `now`: `pace` later, or when quiet hours allow it.

    On a day off no time passes. Below `SHORTEST_QUIET_PACE` it does.
    """
    # People who play at one sitting are there, whatever day it is.
    at = now + pace if pace < SHORTEST_QUIET_PACE else after(now, pace, hours.zone, hours.days_off)
    return at_a_good_time(at, pace, hours)


def fair_time(pace: timedelta) -> timedelta:
    """Returns the least time for a player whose clock stood still: a quarter of the pace, at least AFTER_QUIET_HOURS.

    >>> [fair_time(timedelta(hours=hours)).total_seconds() / 3600 for hours in (1, 8, 24)]
    [1.0, 3.0, 6.0]
    """
    return min(pace, max(pace / 4, AFTER_QUIET_HOURS))


def at_a_good_time(at: datetime, pace: timedelta, hours: Hours) -> datetime:
    """The deadline `at`, moved if it falls into quiet hours or the `AFTER_QUIET_HOURS` that follow them.

    It is then at the end of the latter; on a day off, it moves on to the next day. Below `SHORTEST_QUIET_PACE` no
    deadline moves.
    """
    if pace < SHORTEST_QUIET_PACE:
        return at
    # The end of a night may fall into a day off, and the day after begins with a night: until nothing moves it.
    while True:
        nights = _nights(at, hours.zone, hours.quiet)
        ends = (end + AFTER_QUIET_HOURS for begin, end in nights if begin <= at < end + AFTER_QUIET_HOURS)
        moved = _next_workday(max(ends, default=at), hours.zone, hours.days_off)
        if moved == at:
            return at
        at = moved


def may_nudge(asked_at: datetime, due_at: datetime, pace: timedelta, now: datetime, at: datetime) -> bool:
    """Whether others may ask, at `now`, for a reminder that is sent at `at`.

    Not before a quarter of the pace has passed, and not in the last, when a mail of our own goes anyway.

    >>> asked, day = datetime(2026, 3, 2, 8, tzinfo=UTC), timedelta(days=1)
    >>> [may_nudge(asked, asked + day, day, at, at) for at in (asked, asked + day / 4, asked + day)]
    [False, True, False]
    """
    return asked_at + pace / NUDGE_AFTER <= now and at < due_at - pace / NUDGE_AFTER


def time_passed(since: datetime, until: datetime, zone: str, days_off: DaysOff = NO_DAYS_OFF) -> timedelta:
    """How much time passes from `since` to `until`, without days off; none if `until` is not later."""
    if not days_off:
        return max(timedelta(), until - since)
    passed, at = timedelta(), _next_workday(since, zone, days_off)
    while at < until:
        midnight = _midnight_after(at, zone)
        passed += min(midnight, until) - at
        at = _next_workday(midnight, zone, days_off)
    return passed


def after(now: datetime, pace: timedelta, zone: str, days_off: DaysOff) -> datetime:
    """When `pace` has passed since `now`, without counting days off."""
    at, left = _next_workday(now, zone, days_off), pace
    while days_off:
        midnight = _midnight_after(at, zone)
        if at + left < midnight:
            break
        left -= midnight - at
        at = _next_workday(midnight, zone, days_off)
    return at + left


def _next_workday(at: datetime, zone: str, days_off: DaysOff) -> datetime:
    """`at`, or the beginning of the next day that is not a day off."""
    today = at.astimezone(ZoneInfo(zone)).date()
    if today not in days_off:
        return at
    days = (today + timedelta(days=ahead) for ahead in count(1))
    return next(local_hour(day, 0, zone) for day in days if day not in days_off)


def _midnight_after(at: datetime, zone: str) -> datetime:
    """When the local day of `at` ends."""
    return local_hour(at.astimezone(ZoneInfo(zone)).date() + timedelta(days=1), 0, zone)


def _night(at: datetime, zone: str, quiet: Quiet | None) -> tuple[datetime, datetime] | None:
    """Begin and end of the quiet hours that contain `at`; None if none do."""
    return next((night for night in _nights(at, zone, quiet) if night[0] <= at < night[1]), None)


def _nights(at: datetime, zone: str, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """Begin and end of the quiet hours of the days around `at`."""
    if quiet is None:
        return []
    # Two days back: the longest night and the time after it reach into the day after next.
    today = at.astimezone(ZoneInfo(zone)).date()
    firsts = [today + timedelta(days=ahead) for ahead in (-2, -1, 0)]
    over_midnight = timedelta(days=quiet.begins > quiet.ends)
    return [(local_hour(day, quiet.begins, zone), local_hour(day + over_midnight, quiet.ends, zone)) for day in firsts]


@lru_cache(HOURS_KEPT)
def local_hour(day: date, hour: int, zone: str) -> datetime:
    """Returns that local hour in UTC: a skipped hour comes as much later, a repeated one means the first of the two."""
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)


# A player's days off, on which their time stands still: weekdays; and holidays, which are single days or several.
# Holidays are dates in the player's own time zone. They come from version 1.0: no page adds one, but those that a
# player has count.


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
