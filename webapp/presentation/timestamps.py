"""Times and durations as text for a player.

Deadlines are stored in UTC and shown in the reader's own time zone, with the time that is left until then.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.presentation.phrasing import counted

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
SOON = timedelta(hours=3)
BY_THE_SECOND = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time as one reader sees it."""

    at: datetime  # aware, UTC
    text: str  # "Tue 3 March, 18:00 (Europe/Berlin)", with seconds if they matter
    relative: str  # "in 23 hours"
    is_soon: bool  # in the future, by less than SOON
    is_pause: bool = False  # not a deadline, but the time at which the clock was paused

    @property
    def left(self) -> str:
        """What is left until then, in a word or two: "23 hours left"."""
        return f"{self.relative.removeprefix('in ')} left" if self.relative.startswith("in ") else "Time is up"

    @property
    def iso(self) -> str:
        """For <time datetime="…">, e.g. 2026-03-03T17:00:00Z."""
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")


def timestamp(at: datetime, now: datetime, zone: str) -> Timestamp:
    """`at` as somebody in `zone` (an IANA name) reads it at `now`; both must be aware.

    The text has the year only if it is not the reader's current one, and seconds only if `at` is less than ten minutes
    ahead. Raises ZoneInfoNotFoundError for an unknown zone.

    >>> timestamp(datetime(2026, 3, 3, 17, tzinfo=UTC), datetime(2026, 3, 2, 18, tzinfo=UTC), "Europe/Berlin").text
    'Tue 3 March, 18:00 (Europe/Berlin)'
    """
    here = ZoneInfo(zone)
    local, local_now = at.astimezone(here), now.astimezone(here)
    year = "" if local.year == local_now.year else f" {local.year}"
    hour = "%H:%M:%S" if local.second and timedelta() <= at - now < BY_THE_SECOND else "%H:%M"
    text = f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}{year}, {local.strftime(hour)} ({zone})"
    return Timestamp(at.astimezone(UTC), text, _relative(at - now), timedelta() <= at - now < SOON)


def span(length: timedelta) -> str:
    """A duration, exact to the second; in a single unit if that takes fewer than 100 of it.

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


def talk_timestamp(at: datetime, zone: str, now: datetime | None = None) -> str:
    """When a line was said, without the year. Give `now` only if the text is read at once: then it may say "today".

    >>> at = datetime(2026, 3, 2, 17, 2, tzinfo=UTC)
    >>> talk_timestamp(at, "Europe/Berlin", now=at), talk_timestamp(at, "UTC")
    ('today 18:02', 'Mon 2 March, 17:02')
    """
    here = ZoneInfo(zone)
    local = at.astimezone(here)
    if now and local.date() == now.astimezone(here).date():
        return f"today {local:%H:%M}"
    return f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}, {local:%H:%M}"


def _relative(ahead: timedelta) -> str:
    """The distance in one unit, rounded down, in hours up to two days. So no deadline looks further off than it is."""
    seconds = int(abs(ahead.total_seconds()))
    if seconds < 60:
        return f"in {counted(seconds, 'second')}" if ahead >= timedelta() else "just now"
    if seconds < 3_600:
        text = counted(seconds // 60, "minute")
    elif seconds < 2 * 86_400:
        text = counted(seconds // 3_600, "hour")
    else:
        text = counted(seconds // 86_400, "day")
    return f"in {text}" if ahead >= timedelta() else f"{text} ago"
