"""By mail or now: the times of a new table, how long its game is, and what players are asked."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from webapp.forms.fields import Form, one_of, pace_groups, pace_reader
from webapp.forms.lengths import WAITS, Length
from webapp.models import Wait

LEAST_TO_PASS: Final = timedelta(minutes=1)  # at a live table: three cards take longer than one
USUAL_LIVE: Final = "30"  # seconds
USUAL_PACE: Final = str(24 * 3600)


class When(StrEnum):
    MAIL = "mail"
    NOW = "now"


_read_when = one_of({when.value: when for when in When}, "Choose whether you play by mail or now.")
_read_length = one_of(
    {length.value: length for length in Length}, "Choose from the list how long the game is.", Length.ROUND
)


@dataclass(frozen=True, slots=True)
class Terms:
    """How a new table plays, besides its rules."""

    pass_time: timedelta
    play_time: timedelta
    length: Length | None = None  # None: as its rules say
    wait: Wait | None = None  # of every seat whose player has chosen none; None: they are asked for every card
    is_side_by_side: bool = False  # whether as many hands are dealt at once as there are directions of the pass
    asks_ahead: bool = False  # whether those who follow in a trick are asked at once


def take_terms(form: Form, shortest_pace: int | None) -> Terms | None:
    """How the table plays; None, with errors added, if a field is invalid."""
    match form.take("when", _read_when):
        case When.MAIL:
            return _by_mail(form, shortest_pace)
        case When.NOW:
            return _live(form)
        case None:
            return None


def live_paces() -> list[tuple[str, str]]:
    """The values and labels of the times for a card at a live table."""
    (_, live), _ = pace_groups(None)
    return live


def mail_paces(shortest: int | None) -> list[tuple[str, str]]:
    """The values and labels of the times for a turn by mail; `shortest` as `pace_groups` has it."""
    _, (_, by_mail) = pace_groups(shortest)
    return by_mail


def _by_mail(form: Form, shortest_pace: int | None) -> Terms | None:
    read_pace = pace_reader(mail_paces(shortest_pace))
    pass_time, play_time = form.take("pass_time", read_pace), form.take("play_time", read_pace)
    length = form.take("length", _read_length)
    if not (pass_time and play_time and length):
        return None
    return Terms(pass_time, play_time, length, WAITS[length], is_side_by_side=True, asks_ahead=True)


def _live(form: Form) -> Terms | None:
    time = form.take("live_time", pace_reader(live_paces(), USUAL_LIVE))
    return Terms(max(time, LEAST_TO_PASS), time) if time else None
