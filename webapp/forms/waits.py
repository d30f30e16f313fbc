"""The form that says how long to wait for a player where a choice hardly matters."""

from collections.abc import Mapping
from dataclasses import dataclass

from webapp.forms.fields import TICKED, Form, one_of
from webapp.games.asked.whose_turn import ROBOT
from webapp.models import Wait

_read = one_of({wait.value: wait for wait in Wait}, "Choose how long we wait for you.")


@dataclass(slots=True)
class WaitForm(Form):
    """The form as it was sent. `wait` is None if it is invalid, and if a robot is to play this hand (`is_robot`)."""

    wait: Wait | None = None
    is_robot: bool = False
    is_everywhere: bool = False  # at all tables of the player, and in new games


def read_wait_form(fields: Mapping[str, str], *, may_hand_over: bool) -> WaitForm:
    """Parses the form as it was sent."""
    form = WaitForm.sent(fields)
    form.is_everywhere = form.values.get("everywhere") == TICKED
    if form.values.get("wait") == ROBOT and may_hand_over:
        form.is_robot = True
    else:
        form.wait = form.take("wait", _read)
    return form
