"""The form of a player who goes away: until when, and who plays meanwhile; or a message at each invalid field."""

from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from webapp.core.say import later, say
from webapp.forms.fields import LONGEST_ECHO, BadField, Form, one_of, read_address, read_name
from webapp.forms.opening import NewSeat

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
