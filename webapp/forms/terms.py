"""By mail or live: the times of a new table, and how long its game is."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from webapp.core.say import later
from webapp.forms.fields import Form, live_paces, mail_paces, one_of, pace_reader
from webapp.forms.lengths import Length

LEAST_TO_PASS: Final = timedelta(minutes=1)  # at a live table: three cards take longer than one
USUAL_LIVE: Final = "30"  # seconds
USUAL_PACE: Final = str(24 * 3600)


class When(StrEnum):
    MAIL = "mail"
    NOW = "now"


_read_when = one_of({when.value: when for when in When}, later("Choose whether you play by mail or live."))
_read_length = one_of(
    {length.value: length for length in Length}, later("Choose from the list how long the game is."), Length.ROUND
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How fast a new table plays, and how long: `length` is None for a live table, whose rules say that."""

    pass_time: timedelta
    play_time: timedelta
    length: Length | None = None


def take_terms(form: Form, shortest_pace: int | None) -> Terms | None:
    """How the table plays; None, with errors added, if a field is invalid."""
    match form.take("when", _read_when):
        case When.MAIL:
            read_pace = pace_reader(mail_paces(shortest_pace))
            pass_time, play_time = form.take("pass_time", read_pace), form.take("play_time", read_pace)
            length = form.take("length", _read_length)
            return Terms(pass_time, play_time, length) if pass_time and play_time and length else None
        case When.NOW:
            time = form.take("live_time", pace_reader(live_paces(), USUAL_LIVE))
            return Terms(max(time, LEAST_TO_PASS), time) if time else None
        case None:
            return None
