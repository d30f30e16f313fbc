"""The form that says how long to wait for a player where a choice hardly matters: it yields a `Plan`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from hearts.plans import Asking, Plan
from webapp.forms.fields import LONGEST_ECHO, TICKED, BadField, Form
from webapp.games.planning import ROBOT
from webapp.games.waits import Wait, plan_for

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(slots=True)
class WaitForm(Form):
    """The form as it was sent. `plan` is None if it is invalid, and if a robot is to play this hand (`is_robot`)."""

    plan: Plan | None = None
    is_robot: bool = False
    is_everywhere: bool = False  # at all tables of the player, and in new games


def read_wait_form(fields: Mapping[str, str], before: Plan, *, may_hand_over: bool) -> WaitForm:
    """Parses the form as it was sent; `before` is the plan until now.

    Pages that were opened earlier send `asking`, a word of `hearts.plans`, instead of `wait`.
    """
    form = WaitForm({name: text[:LONGEST_ECHO] for name, text in fields.items()})
    form.is_everywhere = form.values.get("everywhere") == TICKED
    if ROBOT in (form.values.get("wait"), form.values.get("asking")) and may_hand_over:
        form.is_robot = True
    elif "asking" in fields:
        form.plan = form.take("asking", lambda text: replace(before, asking=_read(Asking, text)))
    else:
        form.plan = form.take("wait", lambda text: plan_for(_read(Wait, text), before))
    return form


def _read(kind: type[_Word], text: str) -> _Word:
    try:
        return kind(text)
    except ValueError:
        raise BadField("Choose how long we wait for you.") from None
