"""The fields by which earlier versions' pages opened a table; a host may still send such a page.

They named the times to pass and to play, live or not, a tempo, and each of a table's habits.
"""

from collections.abc import Mapping
from enum import StrEnum

from hearts.plans import ASK, Asking, Plan
from webapp.forms.fields import LIVE, TICKED, BadField, Form, check_bank, paces, read_bank, read_pace
from webapp.forms.lengths import TARGETS, Length
from webapp.forms.terms import Terms, When
from webapp.games.clock import NO_BANK, is_live


class Tempo(StrEnum):
    """How long a game by mail takes, because of what is played without asking."""

    WEEK = "week"  # players are asked when it matters, in all hands of a cycle at once
    WEEKS = "weeks"  # players are asked when it matters
    CARDS = "cards"  # players are asked for every card


def is_old(fields: Mapping[str, str]) -> bool:
    """Whether the form comes from a page that did not ask whether the table plays by mail or now."""
    return "when" not in fields


def take_old_terms(form: Form, shortest_pace: int | None) -> Terms | None:
    """How the table plays; None, with errors added, if a field is invalid."""
    offered = [value for value, _ in paces(shortest_pace)]
    pass_time = form.take("pass_time", lambda text: read_pace(text, offered))
    play_time = form.take("play_time", lambda text: read_pace(text, offered))
    tempo = form.take("tempo", _read_tempo)
    bank = form.take("bank", read_bank)
    check_bank(form, bank, pass_time, play_time)
    if not (pass_time and play_time and tempo):
        return None
    is_asked_always = tempo is Tempo.CARDS or is_live(play_time)
    return Terms(
        pass_time,
        play_time,
        plan=ASK if is_asked_always else Plan(asking=Asking.MATTERS),
        is_side_by_side=tempo is Tempo.WEEK and not is_asked_always,
        asks_ahead=form.values.get("asks_ahead") == TICKED and not is_live(play_time),
        guards=form.values.get("guards") == TICKED or "tempo" not in form.values,
        bank=bank or NO_BANK,
    )


def as_today(values: Mapping[str, str]) -> dict[str, str]:
    """The fields as a page of today shows them: a length for the usual numbers of points, and live times apart."""
    live = [str(int(pace.total_seconds())) for pace in LIVE]
    target = values.get("target") or "100"
    length = next((length for length, points in TARGETS.items() if str(points) == target), None)
    now = values.get("play_time", "") in live
    return {
        **{name: text for name, text in values.items() if not (name.endswith("_time") and text in live)},
        "when": (When.NOW if now else When.MAIL).value,
        "length": (length or Length.HUNDRED).value,
        "target": "" if length and not now else values.get("target", ""),
        **({"live_time": values["play_time"]} if now else {}),
    }


def _read_tempo(text: str) -> Tempo:
    try:
        return Tempo(text or Tempo.CARDS)
    except ValueError:
        raise BadField("Choose from the list how long a game takes.") from None
