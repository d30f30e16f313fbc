"""Moments and spans of time in a player's words.

Deadlines are kept in UTC and shown in the reader's own time zone; what is due in a few hours is told as that, too.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.presentation.words import counted

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
SOON = timedelta(hours=3)
BY_THE_SECOND = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time as one reader sees it."""

    at: datetime  # aware, UTC
    words: str  # "Tue 3 March, 18:00 (Europe/Berlin)", with seconds where they count
    relative: str  # "in 23 hours"
    is_soon: bool  # still ahead, by less than SOON
    is_pause: bool = False  # no deadline: since then the clock stands still

    @property
    def iso(self) -> str:
        """For <time datetime="…">, e.g. 2026-03-03T17:00:00Z."""
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(at: datetime, now: datetime, zone: str) -> Moment:
    """`at` as somebody in `zone` (an IANA name) reads it at `now`; both must be aware.

    The year is told only where it is not the reader's current one, seconds where it is a matter of minutes. Raises
    ZoneInfoNotFoundError for an unknown zone.

    >>> moment(datetime(2026, 3, 3, 17, tzinfo=UTC), datetime(2026, 3, 2, 18, tzinfo=UTC), "Europe/Berlin").words
    'Tue 3 March, 18:00 (Europe/Berlin)'
    """
    here = ZoneInfo(zone)
    local, local_now = at.astimezone(here), now.astimezone(here)
    year = "" if local.year == local_now.year else f" {local.year}"
    hour = "%H:%M:%S" if local.second and timedelta() <= at - now < BY_THE_SECOND else "%H:%M"
    words = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}{year}, {local.strftime(hour)} ({zone})"
    return Moment(at.astimezone(UTC), words, _relative(at - now), timedelta() <= at - now < SOON)


def span(length: timedelta) -> str:
    """A duration that somebody chose, in full; in one unit where that is not a large number of them.

    >>> span(timedelta(days=2)), span(timedelta(hours=36)), span(timedelta(seconds=3661))
    ('2 days', '36 hours', '1 hour 1 minute 1 second')
    """
    seconds = int(length.total_seconds())
    for size, unit in _UNITS:
        if size <= seconds < 100 * size and seconds % size == 0:
            return counted(seconds // size, unit)
    parts = []
    for size, unit in _UNITS:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(counted(count, unit))
    return " ".join(parts) or "no time"


def moment_of_talk(at: datetime, zone: str, now: datetime | None = None) -> str:
    """When something was said, at most some weeks ago, in few words. `now` only where it is read at once.

    >>> at = datetime(2026, 3, 2, 17, 2, tzinfo=UTC)
    >>> moment_of_talk(at, "Europe/Berlin", now=at), moment_of_talk(at, "UTC")
    ('today 18:02', 'Mon 2 March, 17:02')
    """
    here = ZoneInfo(zone)
    local = at.astimezone(here)
    if now and local.date() == now.astimezone(here).date():
        return f"today {local:%H:%M}"
    return f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}, {local:%H:%M}"


def _relative(ahead: timedelta) -> str:
    """One unit, rounded down, two days told in hours: a deadline may look nearer than it is, never further off."""
    seconds = int(abs(ahead.total_seconds()))
    if seconds < 60:
        return f"in {counted(seconds, 'second')}" if ahead >= timedelta() else "just now"
    if seconds < 3_600:
        words = counted(seconds // 60, "minute")
    elif seconds < 2 * 86_400:
        words = counted(seconds // 3_600, "hour")
    else:
        words = counted(seconds // 86_400, "day")
    return f"in {words}" if ahead >= timedelta() else f"{words} ago"
