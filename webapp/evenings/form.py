"""The forms of an evening together: proposing hours, and saying which suit. Hours are sent in UTC, as in links."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from werkzeug.datastructures import MultiDict

from webapp.evenings.hours import DAYS_AHEAD, MOST_HOURS, SOONEST, typed_hour
from webapp.forms.fields import LIVE, LONGEST_ECHO, BadField, Form, pace_reader

USUAL_PACE = timedelta(seconds=60)
PACES = tuple((str(int(pace.total_seconds())), words) for pace, words in LIVE.items())
_SENT_AS = "%Y-%m-%dT%H:%MZ"


@dataclass(slots=True)
class ProposalForm(Form):
    """The form that proposes an evening. `hours` and `pace` are those to propose if there are no errors."""

    ticked: frozenset[datetime] = frozenset()
    hours: list[datetime] = field(default_factory=list)
    pace: timedelta = USUAL_PACE


def blank_proposal() -> ProposalForm:
    return ProposalForm({"pace": str(int(USUAL_PACE.total_seconds()))})


def read_proposal(fields: MultiDict[str, str], zone: str, now: datetime) -> ProposalForm:
    """Parses the form as it was sent; the day and the hour that are typed are those of `zone`."""
    typed = {name: fields.get(name, "").strip()[:LONGEST_ECHO] for name in ("day", "time", "pace")}
    form = ProposalForm(typed, ticked=read_hours(fields.getlist("hour")))
    form.pace = form.take("pace", pace_reader(PACES)) or USUAL_PACE
    other = form.take("day", lambda text: _read_typed(text, typed["time"], zone, now))
    form.hours = sorted({*form.ticked, *([other] if other else [])})
    if not form.errors:
        form.take("hour", lambda _: _check(form.hours, now))
    return form


def read_hours(values: Iterable[str]) -> frozenset[datetime]:
    """The hours that a form or a link names; others than those that our pages send are left out."""
    return frozenset(hour for value in list(values)[: 2 * MOST_HOURS] if (hour := _read_hour(value)) is not None)


def _read_hour(value: str) -> datetime | None:
    try:
        return datetime.strptime(value, _SENT_AS).replace(tzinfo=UTC)
    except ValueError:
        return None


def _read_typed(day: str, hour: str, zone: str, now: datetime) -> datetime | None:
    """Another hour; None if none is typed. Raises BadField."""
    if not day and not hour:
        return None
    try:
        at = typed_hour(date.fromisoformat(day), time.fromisoformat(hour).replace(tzinfo=None), zone, now)
    except (ValueError, OverflowError):
        raise BadField("Choose both a day and an hour, or neither.") from None
    if at is None:
        raise BadField(f"Choose an hour within the next {DAYS_AHEAD} days, and not within the next hour.")
    return at


def _check(hours: Sequence[datetime], now: datetime) -> None:
    """Raises BadField unless these hours may be proposed."""
    if not hours:
        raise BadField("Choose an hour that suits you, or several.")
    if len(hours) > MOST_HOURS:
        raise BadField(f"Choose at most {MOST_HOURS} hours.")
    if not now + SOONEST <= hours[0] <= hours[-1] <= now + timedelta(days=DAYS_AHEAD):
        raise BadField("One of these hours is too close now. Choose others.")
