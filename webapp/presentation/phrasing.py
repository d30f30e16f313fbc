"""Parts of sentences as the reader's language has them: lists, counted things, numbers, days, times and spans."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache, lru_cache
from math import inf
from typing import Final, Literal
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_time, format_timedelta, get_timezone_location
from babel.lists import format_list
from babel.numbers import format_decimal

from webapp.core.names import bare, isolated
from webapp.core.say import ENGLISH, later, say, say_many, spoken, tongue

LONGEST_IN_SUBJECT = 30
_LEFT_TO_RIGHT = "\u200e"  # before a sign that would else go behind its number
# A language whose number words change with what is counted has digits here.
_NUMBERS: Final = (
    *(later("one"), later("two"), later("three"), later("four"), later("five"), later("six")),
    *(later("seven"), later("eight"), later("nine"), later("ten"), later("eleven"), later("twelve")),
)


_ENGLISH: Final = "en_AU"  # days before months and no comma before "and", as we write it
_KEPT: Final = 4096  # texts of days, times and numbers that are kept: pages say the same ones again and again


@cache
def _locale(language: str) -> Locale:
    return Locale.parse(_ENGLISH if language == ENGLISH else language)


def listed(names: Sequence[str]) -> str:
    """Names joined by commas and "and".

    >>> listed(["Ann"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    return format_list(names, locale=_locale(spoken())) if names else say("nobody")


def some_cards(number: int) -> str:
    """Cards with their number as a word.

    >>> some_cards(1), some_cards(3)
    ('one card', 'three cards')
    """
    return say_many(number, "one card", "{word} cards", word=number_word(number))


def some_points(number: int) -> str:
    """Points with their number in digits.

    >>> some_points(1), some_points(13)
    ('1 point', '13 points')
    """
    return say_many(number, "{number} point", "{number} points")


def number_word(number: int) -> str:
    """A small number as a word, as in "three cards"."""
    return say(_NUMBERS[number - 1]) if 1 <= number <= len(_NUMBERS) else str(number)


def signed(points: int) -> str:
    """Points with their sign.

    >>> signed(13), signed(0), signed(-10)
    ('+13', '0', '-10')
    """
    said = _number(points, "+0;-0", spoken()) if points else "0"
    return f"{_LEFT_TO_RIGHT}{said}" if points and tongue().direction == "rtl" else said


def decimal(number: float) -> str:
    """A number with one decimal.

    >>> decimal(4.06)
    '4.1'
    """
    return _number(number, "0.0", spoken())


@lru_cache(_KEPT)
def _number(number: float, pattern: str, language: str) -> str:
    return format_decimal(number, pattern, _locale(language))


def shortened(name: str, longest: int = LONGEST_IN_SUBJECT) -> str:
    """A name, cut to fit into a subject line."""
    return name if len(name) <= longest else isolated(bare(name)[: longest - 1].rstrip() + "…")


# Times and durations as text for a player.
# Deadlines are stored in UTC and shown in the reader's own time zone, with the time that is left until then.

Unit = Literal["day", "hour", "minute", "second"]
_UNITS: Final[Sequence[tuple[Unit, timedelta]]] = (
    *(("day", timedelta(days=1)), ("hour", timedelta(hours=1))),
    *(("minute", timedelta(minutes=1)), ("second", timedelta(seconds=1))),
)
SOON = timedelta(hours=3)
BY_THE_SECOND = timedelta(minutes=10)
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time as one reader sees it."""

    at: datetime  # aware, UTC
    text: str  # "Tue 3 March, 18:00 (Berlin time)", with seconds if they matter
    relative: str  # "in 23 hours"
    day: str  # "Tue 3 March"
    is_soon: bool  # in the future, by less than SOON
    left: str  # what is left until then, in a word or two: "23 hours left"
    is_pause: bool = False  # not a deadline, but the time at which the clock was paused
    is_spared: bool = False  # a deadline after which a vacation day is taken, and nobody plays for the reader yet

    @property
    def iso(self) -> str:
        """For <time datetime="…">, e.g. 2026-03-03T17:00:00Z."""
        return self.at.strftime("%Y-%m-%dT%H:%M:%SZ")


def timestamp(at: datetime, now: datetime, zone: str) -> Timestamp:
    """`at` as somebody in `zone` (an IANA name) reads it at `now`; both must be aware.

    The text has the year only if it is not the reader's current one, and seconds only if `at` is less than ten minutes
    ahead. Raises ZoneInfoNotFoundError for an unknown zone.

    >>> timestamp(datetime(2026, 3, 3, 17, tzinfo=UTC), datetime(2026, 3, 2, 18, tzinfo=UTC), "Europe/Berlin").text
    'Tue 3 March, 18:00 (Berlin time)'
    """
    here = ZoneInfo(zone)
    local, local_now = at.astimezone(here), now.astimezone(here)
    ahead, day = at - now, day_text(local.date(), local_now.date())
    is_close = local.second and timedelta() <= ahead < BY_THE_SECOND
    hour = _time(local.time().replace(microsecond=0), "Hms", spoken()) if is_close else _minute(local)
    text = say("{day}, {time} ({zone})", day=day, time=hour, zone=zone_text(zone))
    # In one unit, rounded down, so that no deadline looks further off; in hours up to two days.
    length = abs(ahead)
    found = ((unit, length // size) for unit, size in _UNITS if length >= (2 * size if unit == "day" else size))
    unit, count = next(found, ("second", 0))
    if ahead < timedelta():
        relative = say("just now") if ahead > -_MINUTE else _amount(-count, unit, spoken(), from_now=True)
        left = say("Time is up")
    else:
        relative = _amount(count, unit, spoken(), from_now=True)
        left = say("{time} left", time=_amount(count, unit, spoken()))
    return Timestamp(at.astimezone(UTC), text, relative, day, timedelta() <= ahead < SOON, left)


def zone_text(zone: str) -> str:
    """A time zone in words; one without a place stays as it is.

    >>> zone_text("America/New_York"), zone_text("UTC")
    ('New York time', 'UTC')
    """
    return _zone(zone, spoken()) if "/" in zone else zone


@lru_cache(_KEPT)
def _zone(zone: str, language: str) -> str:
    place = get_timezone_location(zone, locale=_locale(language), return_city=True)
    return say("{place} time", place=place)


def day_text(day: date, today: date) -> str:
    """A day, with its year only if that is not the present one.

    >>> day_text(date(2026, 3, 3), date(2026, 3, 2)), day_text(date(2027, 1, 1), date(2026, 3, 2))
    ('Tue 3 March', 'Fri 1 January 2027')
    """
    return _day(day, "MMMMEd" if day.year == today.year else "yMMMMEd", spoken())


@lru_cache(_KEPT)
def _day(day: date, skeleton: str, language: str) -> str:
    locale = _locale(language)
    return format_date(day, locale.datetime_skeletons[skeleton], locale)


def _minute(local: datetime) -> str:
    return _time(time(local.hour, local.minute), "Hm", spoken())


@lru_cache(_KEPT)
def _time(at: time, skeleton: str, language: str) -> str:
    locale = _locale(language)
    return format_time(at, locale.datetime_skeletons[skeleton], locale=locale)


def hour_text(hour: int) -> str:
    """A full hour, from 0 to 23.

    >>> hour_text(8)
    '08:00'
    """
    return _time(time(hour), "Hm", spoken())


def span(length: timedelta) -> str:
    """A duration, exact to the second; in a single unit if that takes fewer than 100 of it.

    >>> span(timedelta(days=2)), span(timedelta(hours=36)), span(timedelta(seconds=3661))
    ('2 days', '36 hours', '1 hour, 1 minute, 1 second')
    """
    for unit, size in _UNITS:
        if size <= length < 100 * size and not length % size:
            return _amount(length // size, unit, spoken())
    parts = []
    for unit, size in _UNITS:
        count, length = divmod(length, size)
        parts += [_amount(count, unit, spoken())] if count else []
    return format_list(parts, style="unit", locale=_locale(spoken())) if parts else say("no time")


def talk_timestamp(at: datetime, zone: str, now: datetime | None = None) -> str:
    """When a line was said, without the year. Give `now` only if the text is read at once: then it may say "today".

    >>> at = datetime(2026, 3, 2, 17, 2, tzinfo=UTC)
    >>> talk_timestamp(at, "Europe/Berlin", now=at), talk_timestamp(at, "UTC")
    ('today 18:02', 'Mon 2 March, 17:02')
    """
    here = ZoneInfo(zone)
    local = at.astimezone(here)
    if now and local.date() == now.astimezone(here).date():
        return say("today {time}", time=_minute(local))
    return say("{day}, {time}", day=day_text(local.date(), local.date()), time=_minute(local))


@lru_cache(_KEPT)
def _amount(count: int, unit: Unit, language: str, *, from_now: bool = False) -> str:
    """So many of a unit, as a length or, with a direction, as a distance: "2 days", "in 2 days", "2 days ago"."""
    length = timedelta(**{f"{unit}s": count})
    locale = _locale(language)
    return format_timedelta(length, granularity=unit, threshold=inf, add_direction=from_now, locale=locale)
