"""The night is the player's: her quiet hours, the deadlines and reminders that keep clear of them, her daily hour.

And the minute is the table's, where it plays live. Source: the service's ninth promise. Local hours are those of an
IANA time zone, so that summer time comes and goes; every moment that comes in or goes out is aware UTC. Nothing here
reads a clock or a row.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

# At these everybody is expected to be there, each at the same time. Another short pace, which an operator may offer for
# trying the service out, is one of those by mail.
LIVE_PACES = tuple(timedelta(seconds=seconds) for seconds in (7, 15, 30, 60, 300))
COMES_WITHIN = timedelta(minutes=5)  # what whoever is not there has at the first question of a live game
COMES_AGAIN_WITHIN = timedelta(minutes=1)  # and at any later one
SHORTEST_KEPT_PACE = timedelta(hours=1)  # with less for a turn, people play at one sitting, and nothing is moved
AFTER_NIGHT = timedelta(hours=3)  # as long somebody has at least, once her quiet hours are over
LONGEST_QUIET = 16  # hours; with more of them, nothing could keep clear of one night and of the next
HALF_TIME_FROM = timedelta(hours=12)  # the shortest pace that is reminded of at half time
LAST_CALL_FROM = timedelta(hours=6)  # the shortest pace that is reminded of before its end
LAST_CALL = timedelta(hours=3)
APART = timedelta(hours=1)  # reminders come no closer to each other, to the question, or to the night


class Quiet(NamedTuple):
    """The local hours between which nothing comes: from `begins` up to, and without, `ends`; 22 and 7 are a night."""

    begins: int
    ends: int

    @property
    def hours(self) -> int:
        """
        >>> Quiet(22, 7).hours, Quiet(1, 6).hours
        (9, 5)
        """
        return (self.ends - self.begins) % 24


def quiet_until(at: datetime, zone: str, quiet: Quiet | None) -> datetime | None:
    """When the quiet hours end in which `at` falls; None where it falls in none."""
    night = _night(at, zone, quiet)
    return night and night[1]


def next_hour(now: datetime, zone: str, hour: int) -> datetime:
    """The first moment after `now` at which it is `hour` o'clock in `zone`.

    >>> next_hour(datetime(2026, 3, 2, 12, tzinfo=UTC), "Europe/Berlin", 8)
    datetime.datetime(2026, 3, 3, 7, 0, tzinfo=datetime.timezone.utc)
    """
    today = now.astimezone(ZoneInfo(zone)).date()
    days = (today + timedelta(days=ahead) for ahead in range(3))
    return next(at for day in days if (at := _local(day, hour, zone)) > now)


def is_live(pace: timedelta) -> bool:
    """Whether it is a pace at which everybody is expected to be there.

    >>> is_live(timedelta(seconds=15)), is_live(timedelta(hours=1))
    (True, False)
    """
    return pace in LIVE_PACES


def time_to_come(pace: timedelta, *, is_first: bool) -> timedelta:
    """What somebody has who is not there when she is asked at a live pace, `is_first` for the first time in a game.

    It is twice the pace at least, so that whoever comes after no more than one still has one.
    """
    return max(COMES_WITHIN if is_first else COMES_AGAIN_WITHIN, 2 * pace)


def deadline(now: datetime, pace: timedelta, zone: str, quiet: Quiet | None) -> datetime:
    """Until when somebody in `zone` may answer what she is asked at `now`: `pace` later, or when that may be."""
    return clear_of_night(now + pace, pace, zone, quiet)


def clear_of_night(at: datetime, pace: timedelta, zone: str, quiet: Quiet | None) -> datetime:
    """A deadline at `at`, as it may be in `zone`.

    Where it falls in the quiet hours, or in the first hours after them, it is moved to the end of those. Short paces
    stay as they are.
    """
    if pace < SHORTEST_KEPT_PACE:
        return at
    ends = (end for begin, end in _nights(at, zone, quiet) if begin <= at < end + AFTER_NIGHT)
    return max((end + AFTER_NIGHT for end in ends), default=at)


def reminders(asked_at: datetime, due_at: datetime, pace: timedelta, zone: str, quiet: Quiet | None) -> list[datetime]:
    """When to remind somebody of what she was asked, in order: at half time, and before the end; never at night.

    What would come at night comes the morning after, at half time, or the evening before, at the end. The last one is
    there if the pace is long enough for any, but for one that would come upon the heels of the question itself.
    """
    found: list[datetime] = []
    if pace >= LAST_CALL_FROM:
        night = _night(due_at - LAST_CALL, zone, quiet)
        last = night[0] - APART if night else due_at - LAST_CALL
        found = [last] if last >= asked_at + APART else []
    if pace >= HALF_TIME_FROM and found:
        half = asked_at + (due_at - asked_at) / 2
        half = quiet_until(half, zone, quiet) or half
        found = [half, *found] if half <= found[0] - APART else found
    return found


def _night(at: datetime, zone: str, quiet: Quiet | None) -> tuple[datetime, datetime] | None:
    """Beginning and end of the quiet hours in which `at` falls; None where it falls in none."""
    return next((night for night in _nights(at, zone, quiet) if night[0] <= at < night[1]), None)


def _nights(at: datetime, zone: str, quiet: Quiet | None) -> list[tuple[datetime, datetime]]:
    """The quiet hours of the days around `at`."""
    if quiet is None:
        return []
    today = at.astimezone(ZoneInfo(zone)).date()
    firsts = [today + timedelta(days=ahead) for ahead in (-2, -1, 0)]
    over_midnight = timedelta(days=quiet.begins > quiet.ends)
    return [(_local(day, quiet.begins, zone), _local(day + over_midnight, quiet.ends, zone)) for day in firsts]


def _local(day: date, hour: int, zone: str) -> datetime:
    """That hour of that day; where summer time leaves it out, as much later, and where it comes twice, the first."""
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)
