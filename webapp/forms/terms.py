"""By mail or live: the times of a new table, and how long its game is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Final

from hearts.deal import one_round
from hearts.rules import Rules
from webapp.core.say import later, say, say_many
from webapp.forms.fields import Form, live_paces, mail_paces, one_of, pace_reader
from webapp.presentation.phrasing import number_word

# How long a new game by mail is: the lengths that the form offers, and the days that they take.


class Length(StrEnum):
    ROUND = "round"
    FIFTY = "50"
    HUNDRED = "100"


TARGETS: Final[Mapping[Length, int]] = {Length.FIFTY: 50, Length.HUNDRED: 100}


def with_length(rules: Rules, length: Length) -> Rules:
    """The same rules for a game of that length."""
    if target := TARGETS.get(length):
        return replace(rules, target=target)
    return replace(rules, hands=one_round(rules))


def length_labels(rules: Rules) -> dict[Length, str]:
    """Returns the form's label of each length, under these rules and with their number of players."""
    hands = one_round(rules)
    return {
        Length.ROUND: say_many(hands, "One round: one hand", "One round: {count} hands", count=number_word(hands)),
        Length.FIFTY: say("To 50 points"),
        Length.HUNDRED: say("To 100 points"),
    }


def length_lines() -> dict[Length, str]:
    """Returns the form's line of each length: how long the game takes."""
    return {
        Length.ROUND: say("Takes about a week."),
        Length.FIFTY: say("Takes about two weeks."),
        Length.HUNDRED: say("Takes about a month."),
    }


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
