"""How long a player wants us to wait where a choice hardly matters: what they read of their plan (`hearts.plans`)."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from hearts.plans import FULL_WAIT, NO_WAIT, SHORT_WAIT, Asking, Plan


class Wait(StrEnum):
    """How long to wait where it hardly matters."""

    FULL = "full"
    SHORT = "short"
    NONE = "none"


PLANS: Final[Mapping[Wait, Plan]] = {Wait.FULL: FULL_WAIT, Wait.SHORT: SHORT_WAIT, Wait.NONE: NO_WAIT}
_WAITS: Final[Mapping[Asking, Wait]] = {Asking.SHORT: Wait.SHORT, Asking.MATTERS: Wait.NONE}


def wait_of(plan: Plan) -> Wait:
    """How long the plan waits."""
    return _WAITS.get(plan.asking, Wait.FULL)


def plan_for(wait: Wait, before: Plan) -> Plan:
    """The plan of a player who wants this and had the plan `before`, which stays if it waits as long."""
    return before if wait is wait_of(before) else PLANS[wait]
