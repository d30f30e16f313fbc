"""The hours for an evening together: those that are offered to begin with, and those that may be typed.

An hour is good if all players are awake for `SITTING` from then on, and none has a day off. Local hours belong to an
IANA time zone, with its summer time. Nothing here reads a clock or a row.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from webapp.games.clock.hours import NIGHT, DaysOff, Quiet, local_hour, quiet_until

MOST_HOURS = 6  # on offer
SITTING = timedelta(hours=2)  # how long an evening is thought to last; it may last longer
SUGGESTED_FROM = timedelta(hours=6)  # the next hour that is suggested is so far ahead; players must read their mail
SOONEST = timedelta(hours=1)  # an hour that is closer can be neither offered nor agreed on any more
DAYS_AHEAD = 14
EVENING = range(18, 22)  # local hours at which an evening may begin
BEST_HOUR = 20
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Waking:
    """When a player can play: their time zone, quiet hours and days off."""

    zone: str
    quiet: Quiet | None
    days_off: DaysOff


def suggested_hours(now: datetime, proposer: Waking, others: Sequence[Waking]) -> list[datetime]:
    """The best hour of each of the next days, up to `MOST_HOURS`, in order: whole hours of the proposer's zone, in UTC.

    Hours that are in the evening for the proposer come before others, and then those that are for most of the others.
    Empty if there is no good hour within `DAYS_AHEAD` days.
    """
    today = now.astimezone(ZoneInfo(proposer.zone)).date()
    days = (today + timedelta(days=ahead) for ahead in range(DAYS_AHEAD))
    best = (_best_of(day, now + SUGGESTED_FROM, proposer, others) for day in days)
    return list(islice((hour for hour in best if hour is not None), MOST_HOURS))


def typed_hour(day: date, hour: time, zone: str, now: datetime) -> datetime | None:
    """The hour that a player has typed, in UTC; None if it is too soon, or too far ahead."""
    at = datetime.combine(day, hour, ZoneInfo(zone)).astimezone(UTC)
    return at if now + SOONEST <= at <= now + timedelta(days=DAYS_AHEAD) else None


def is_good(at: datetime, one: Waking) -> bool:
    """Whether the player is awake from `at` on for `SITTING`, and it is no day off."""
    during = (at, at + SITTING / 2, at + SITTING - _MINUTE)
    is_awake = all(quiet_until(moment, one.zone, one.quiet or NIGHT) is None for moment in during)
    return is_awake and at.astimezone(ZoneInfo(one.zone)).date() not in one.days_off


def _best_of(day: date, soonest: datetime, proposer: Waking, others: Sequence[Waking]) -> datetime | None:
    """The best hour of the proposer's `day`, not before `soonest`; None if none is good."""
    good = (at for at in _hours_of(day, proposer.zone) if at >= soonest and _is_good_for_all(at, proposer, others))
    return min(good, key=lambda at: _badness(at, proposer, others), default=None)


def _hours_of(day: date, zone: str) -> Iterator[datetime]:
    return (local_hour(day, hour, zone) for hour in range(24))


def _is_good_for_all(at: datetime, proposer: Waking, others: Sequence[Waking]) -> bool:
    return all(is_good(at, one) for one in (proposer, *others))


def _badness(at: datetime, proposer: Waking, others: Sequence[Waking]) -> tuple[bool, int, int]:
    """A sort key: the best hour comes first."""
    hours = [at.astimezone(ZoneInfo(one.zone)).hour for one in (proposer, *others)]
    is_late = [hour not in EVENING for hour in hours]
    return is_late[0], sum(is_late), sum(abs(hour - BEST_HOUR) for hour in hours)
