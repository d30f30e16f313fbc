"""By mail or live: the times of a new table, how long its game is, and what players are asked."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

from webapp.forms.fields import BadField, Form, pace_groups, read_pace
from webapp.forms.lengths import WAITS, Length
from webapp.models import Wait

LEAST_TO_PASS: Final = timedelta(minutes=1)  # at a live table: three cards take longer than one
USUAL_LIVE: Final = "30"  # seconds
USUAL_PACE: Final = str(24 * 3600)


class When(StrEnum):
    MAIL = "mail"
    NOW = "now"


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
    offered = [value for value, _ in mail_paces(shortest_pace)]
    pass_time = form.take("pass_time", lambda text: read_pace(text, offered))
    play_time = form.take("play_time", lambda text: read_pace(text, offered))
    length = form.take("length", _read_length)
    if not (pass_time and play_time and length):
        return None
    return Terms(pass_time, play_time, length, WAITS[length], is_side_by_side=True, asks_ahead=True)


def _live(form: Form) -> Terms | None:
    offered = [value for value, _ in live_paces()]
    time = form.take("live_time", lambda text: read_pace(text or USUAL_LIVE, offered))
    return Terms(max(time, LEAST_TO_PASS), time) if time else None


def _read_when(text: str) -> When:
    try:
        return When(text)
    except ValueError:
        raise BadField("Choose whether you play by mail or live.") from None


def _read_length(text: str) -> Length:
    try:
        return Length(text or Length.ROUND)
    except ValueError:
        raise BadField("Choose from the list how long the game is.") from None
