"""The forms of a player's preferences for mail, and of going away: each yields values, or a message at each field."""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from webapp.core.say import later, say
from webapp.forms.fields import LONGEST_ECHO, TICKED, BadField, Form, one_of, read_address, read_name, read_time_zone
from webapp.forms.opening import NewSeat
from webapp.games.clock.hours import LONGEST_QUIET, MOST_DAYS_OFF, Quiet
from webapp.models import Frequency, Section

HOURS = tuple((str(hour), f"{hour:02}:00") for hour in range(24))
NIGHT = Quiet(22, 7)  # the initial choice for a player without quiet hours
_read_frequency = one_of({often.value: often for often in Frequency}, later("Choose when you'd like an email."))
_read_hour = one_of({str(hour): hour for hour in range(24)}, later("Choose an hour from the list."))


def weekdays() -> list[str]:
    """The names of the days of a week, from Monday."""
    return [
        *(say("Monday"), say("Tuesday"), say("Wednesday"), say("Thursday"), say("Friday"), say("Saturday")),
        say("Sunday"),
    ]


def frequencies() -> list[tuple[str, str, str]]:
    """When mail may ask for turns: the value, the label and the hint of each choice."""
    return [
        (
            Frequency.EVERY.value,
            say("When it's my turn"),
            say("All that waits in one email. The next comes only after you have answered or been here."),
        ),
        (
            Frequency.DAILY.value,
            say("Once a day"),
            say("At the hour below, and before a deadline that you might miss."),
        ),
        (Frequency.LAST.value, say("Only before a deadline"), say("When half of your time is over.")),
    ]


def sections() -> list[tuple[str, str]]:
    """The values and labels of the parts of a player's page."""
    return [
        (Section.RESULTS.value, say("My places and points")),
        (Section.MOONS.value, say("My moons and queens")),
        (Section.PLAYED_FOR.value, say("How often you played for me")),
        (Section.PACE.value, say("How long I take")),
    ]


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a player wants their mail."""

    time_zone: str
    frequency: Frequency
    daily_at: int
    quiet: Quiet | None
    invitations: bool
    days_off: frozenset[int] = frozenset()  # weekdays, 0 for Monday
    year_mail: bool = True  # whether they get the mail in January
    shown: frozenset[Section] = frozenset(Section)  # the parts of their page that those see who have played with them


@dataclass(slots=True)
class PreferencesForm(Form):
    """The form of the preferences. `preferences` is None if any field is invalid."""

    preferences: Preferences | None = None


def preferences_form(preferences: Preferences) -> PreferencesForm:
    """The initial form."""
    quiet = preferences.quiet or NIGHT
    values = {
        "time_zone": preferences.time_zone,
        "frequency": preferences.frequency.value,
        "daily_at": str(preferences.daily_at),
        "quiet_from": str(quiet.begins),
        "quiet_to": str(quiet.ends),
    }
    ticks = {
        "quiet": preferences.quiet is not None,
        "invitations": preferences.invitations,
        "year_mail": preferences.year_mail,
    }
    ticks |= {f"show_{section}": section in preferences.shown for section in Section}
    ticks |= {f"day_off_{day}": day in preferences.days_off for day in range(7)}
    return PreferencesForm(values | {name: TICKED for name, ticked in ticks.items() if ticked})


def read_preferences_form(fields: Mapping[str, str]) -> PreferencesForm:
    """Parses the form as it was sent. Either its `preferences` are set or it has `errors`."""
    form = PreferencesForm.sent(fields)
    zone = form.take("time_zone", read_time_zone)
    frequency = form.take("frequency", _read_frequency)
    daily_at = form.take("daily_at", _read_hour)
    begins, ends = form.take("quiet_from", _read_hour), form.take("quiet_to", _read_hour)
    if zone is None or frequency is None or daily_at is None or begins is None or ends is None:
        return form
    quiet = Quiet(begins, ends) if "quiet" in fields else None
    if quiet and not 0 < quiet.hours <= LONGEST_QUIET:
        form.errors["quiet_to"] = say("Quiet hours are from 1 to {most} hours long.", most=LONGEST_QUIET)
        return form
    days_off = frozenset(day for day in range(7) if f"day_off_{day}" in fields)
    if len(days_off) > MOST_DAYS_OFF:
        form.errors["days_off"] = say("Leave at least one day of the week on which you play.")
        return form
    ticked = ("invitations" in fields, days_off, "year_mail" in fields)
    shown = frozenset(section for section in Section if f"show_{section}" in fields)
    form.preferences = Preferences(zone, frequency, daily_at, quiet, *ticked, shown)
    return form


# The form of a player who goes away: until when, and who plays meanwhile; or a message at each invalid field.

FURTHEST = timedelta(days=365)  # how far ahead the end of an absence may be


class AwayChoice(StrEnum):
    """The arrangement for the turns of a player who is away."""

    ROBOT = "robot"
    FRIEND = "friend"


_read_answer = one_of({choice.value: choice for choice in AwayChoice}, later("Choose a robot or a friend."))


@dataclass(frozen=True, slots=True)
class Absence:
    """A player's request to be away: `until` is their last day away, None if they will say when they are back."""

    answer: AwayChoice
    until: date | None
    friend: NewSeat | None


@dataclass(slots=True)
class AwayForm(Form):
    """The form of the page. `absence` is None if any field is invalid."""

    absence: Absence | None = None


def away_form() -> AwayForm:
    """The initial form."""
    return AwayForm({"answer": AwayChoice.ROBOT.value})


def read_away_form(fields: Mapping[str, str], today: date) -> AwayForm:
    """Parses the form as it was sent; `today` is the player's. Either its `absence` is set or it has `errors`."""
    form = AwayForm({name: text.strip()[:LONGEST_ECHO] for name, text in fields.items()})
    answer = form.take("answer", _read_answer)
    until = form.take("until", lambda text: _read_until(text, today))
    friend = None
    if answer is AwayChoice.FRIEND:
        name, address = form.take("name", read_name), form.take("address", read_address)
        friend = NewSeat(name, address) if name and address else None
    if answer and not form.errors:
        form.absence = Absence(answer, until, friend)
    return form


def last_day_typed(word: str, today: date) -> date | None:
    """The last day away that the command of a reply names (`webapp.replies.grammar`); None if it names none."""
    match word.split():
        case [_, day] if "-" in day:  # as we have asked back
            return date.fromisoformat(day)
        case [_, days]:
            return today + timedelta(days=int(days))
        case [_, "until", day, month]:
            years = (today.year, today.year + 1)
            days_named = [date(year, int(month), min(int(day), monthrange(year, int(month))[1])) for year in years]
            return next(one for one in days_named if one >= today)
    return None


def _read_until(text: str, today: date) -> date | None:
    """A date as browsers send it; None if there is none. Raises BadField."""
    try:
        until = date.fromisoformat(text) if text else None
    except ValueError:
        raise BadField(say("Choose a day from the calendar.")) from None
    if until is not None and until < today:
        raise BadField(say("That day is over. Choose today or a later day."))
    if until is not None and until > today + FURTHEST:
        raise BadField(say("Choose a day within the next year."))
    return until
