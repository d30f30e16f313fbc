"""Parts of sentences: lists of names, counted things, signed numbers; and sentences in the singular or the plural."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from webapp.core.names import bare, isolated

LONGEST_IN_SUBJECT = 30
_ONE_OR_MANY = {
    "card": ("{number} card", "{number} cards"),
    "day": ("{number} day", "{number} days"),
    "game": ("{number} game", "{number} games"),
    "hand": ("{number} hand", "{number} hands"),
    "heart": ("{number} heart", "{number} hearts"),
    "hour": ("{number} hour", "{number} hours"),
    "key": ("{number} key", "{number} keys"),
    "letter": ("{number} letter", "{number} letters"),
    "minute": ("{number} minute", "{number} minutes"),
    "moon": ("{number} moon", "{number} moons"),
    "player": ("{number} player", "{number} players"),
    "point": ("{number} point", "{number} points"),
    "question": ("{number} question", "{number} questions"),
    "record": ("{number} record", "{number} records"),
    "row": ("{number} row", "{number} rows"),
    "second": ("{number} second", "{number} seconds"),
    "table": ("{number} table", "{number} tables"),
    "time": ("once", "{number} times"),
    "trick": ("{number} trick", "{number} tricks"),
    "turn": ("{number} turn", "{number} turns"),
}
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def listed(names: Sequence[str]) -> str:
    """Names joined by commas and "and".

    >>> listed(["Ann"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def by_number(number: int, one: str, many: str) -> str:
    """The first of two whole sentences, which is about one thing or person; or the second, about none or several."""
    return one if number == 1 else many


def counted(number: int, thing: str) -> str:
    """A number with its noun in the singular or plural. Raises KeyError for a noun without forms.

    >>> counted(1, "point"), counted(13, "point"), counted(-1, "point")
    ('1 point', '13 points', '-1 point')
    """
    one, many = _ONE_OR_MANY[thing]
    return by_number(abs(number), one, many).format(number=number)


def some_cards(number: int) -> str:
    """Cards with their number as a word.

    >>> some_cards(1), some_cards(3)
    ('one card', 'three cards')
    """
    return by_number(number, "one card", f"{number_word(number)} cards")


def number_word(number: int) -> str:
    """A small number as a word, as in "three cards"."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def signed(points: int) -> str:
    """Points with their sign.

    >>> signed(13), signed(0), signed(-10)
    ('+13', '0', '-10')
    """
    return f"{points:+d}" if points else "0"


def shortened(name: str, longest: int = LONGEST_IN_SUBJECT) -> str:
    """A name, cut to fit into a subject line."""
    return name if len(name) <= longest else isolated(bare(name)[: longest - 1].rstrip() + "…")


# Times and durations as text for a player.
# Deadlines are stored in UTC and shown in the reader's own time zone, with the time that is left until then.

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
SOON = timedelta(hours=3)
BY_THE_SECOND = timedelta(minutes=10)
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time as one reader sees it."""

    at: datetime  # aware, UTC
    text: str  # "Tue 3 March, 18:00 (Berlin time)", with seconds if they matter
    relative: str  # "in 23 hours"
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
    hour = "%H:%M:%S" if local.second and timedelta() <= at - now < BY_THE_SECOND else "%H:%M"
    text = f"{day_text(local.date(), local_now.date())}, {local.strftime(hour)} ({zone_text(zone)})"
    ahead = at - now
    return Timestamp(at.astimezone(UTC), text, _relative(ahead), timedelta() <= ahead < SOON, _left(ahead))


def zone_text(zone: str) -> str:
    """A time zone in words; one without a place stays as it is.

    >>> zone_text("America/New_York"), zone_text("UTC")
    ('New York time', 'UTC')
    """
    place = zone.rpartition("/")[2].replace("_", " ")
    return f"{place} time" if "/" in zone else zone


def day_text(day: date, today: date) -> str:
    """A day, with its year only if that is not the present one.

    >>> day_text(date(2026, 3, 3), date(2026, 3, 2)), day_text(date(2027, 1, 1), date(2026, 3, 2))
    ('Tue 3 March', 'Fri 1 January 2027')
    """
    year = "" if day.year == today.year else f" {day.year}"
    return f"{_DAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]}{year}"


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
    return f"{day_text(local.date(), local.date())}, {local:%H:%M}"


def _relative(ahead: timedelta) -> str:
    """How far off it is, or how long ago."""
    if ahead >= timedelta():
        return f"in {_distance(ahead)}"
    return f"{_distance(ahead)} ago" if ahead <= -_MINUTE else "just now"


def _left(ahead: timedelta) -> str:
    return f"{_distance(ahead)} left" if ahead >= timedelta() else "Time is up"


def _distance(ahead: timedelta) -> str:
    """A length of time in one unit, rounded down, so that no deadline looks further off; in hours up to two days."""
    seconds = int(abs(ahead.total_seconds()))
    if seconds < 60:
        return counted(seconds, "second")
    if seconds < 3_600:
        return counted(seconds // 60, "minute")
    if seconds < 2 * 86_400:
        return counted(seconds // 3_600, "hour")
    return counted(seconds // 86_400, "day")
