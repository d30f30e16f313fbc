"""A player's holidays as they are listed, and the form to add one: a `Holiday`, or a message at an invalid date."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from webapp.forms.fields import LONGEST_ECHO, BadField, Form
from webapp.games.days_off import FURTHEST, MOST_HOLIDAYS, Holiday, holidays_of, today_of
from webapp.models import PlayerRow
from webapp.presentation.timestamps import day_text


@dataclass(slots=True)
class HolidayForm(Form):
    """The form of a holiday. `holiday` is None if any field is invalid."""

    holiday: Holiday | None = None


@dataclass(frozen=True, slots=True)
class HolidayLine:
    """One holiday. `first` and `last` are as the form sends them."""

    text: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class HolidaySheet:
    """The holidays that are not over, the form to add one, and the days that it takes, as the form sends them."""

    lines: list[HolidayLine]
    form: HolidayForm
    soonest: str
    latest: str
    most: int = MOST_HOLIDAYS


def holiday_sheet(player: PlayerRow, now: datetime, form: HolidayForm | None = None) -> HolidaySheet:
    """The player's holidays; `form` is one that was rejected."""
    today = today_of(player, now)
    lines = [HolidayLine(_text(one, today), *map(date.isoformat, one)) for one in holidays_of(player, now)]
    return HolidaySheet(lines, form or HolidayForm({}), today.isoformat(), (today + FURTHEST).isoformat())


def read_holiday_form(fields: Mapping[str, str]) -> HolidayForm:
    """Parses the form as it was sent; without a last day, it is a single one. Either `holiday` is set or `errors`."""
    typed = {name: fields.get(f"holiday_{name}", "").strip()[:LONGEST_ECHO] for name in ("first", "last")}
    form = HolidayForm({"holiday_first": typed["first"], "holiday_last": typed["last"] or typed["first"]})
    first, last = form.take("holiday_first", _read_date), form.take("holiday_last", _read_date)
    if first and last:
        form.holiday = Holiday(first, last)
    return form


def _text(holiday: Holiday, today: date) -> str:
    first, last = day_text(holiday.first, today), day_text(holiday.last, today)
    return first if holiday.first == holiday.last else f"{first} to {last}"


def _read_date(text: str) -> date:
    """A date as browsers send it. Raises BadField."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadField("Choose a day from the calendar.") from None
