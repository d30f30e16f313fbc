"""Says on the first pages what is down, to whoever runs the service."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import cast

from flask import current_app, request

from webapp.core.runtime import Runtime
from webapp.models import PlayerRow
from webapp.operators.health import Readiness

FIRST_SECONDS = 60.0  # after the start of this process, in which the others start, too
# By the name of a check; the other checks fail because of these, or no page opens then.
SENTENCES = {
    "worker": "No worker answers: no email goes out, and no robot plays.",
    "scheduler": "No scheduler runs: nobody notices a deadline.",
    "inbox": "Answers by email cannot be read.",
    "letters": "Emails have not gone out for long.",
    "broker": "The broker does not answer: emails and robots wait.",
    "disk": "The disk is almost full.",
}


def sentences(runtime: Runtime, player: PlayerRow | None) -> Sequence[str]:
    """Says what is down to the player at OPERATOR_ADDRESS, and to anybody on the machine that alone can open the pages;
    nothing to others.
    """
    readiness = cast(Readiness, current_app.extensions["readiness"])
    if readiness.age < FIRST_SECONDS or not (_is_here(runtime) or _is_operator(runtime, player)):
        return ()
    failing = {check.name for check in readiness.checks() if not check.is_ok}
    return [sentence for name, sentence in SENTENCES.items() if name in failing]


def _is_operator(runtime: Runtime, player: PlayerRow | None) -> bool:
    return player is not None and player.address == runtime.settings.operator_address


def _is_here(runtime: Runtime) -> bool:
    """Whether somebody on this machine asks, and without a proxy, which would ask for anybody."""
    if not runtime.settings.is_on_loopback or "X-Forwarded-For" in request.headers:
        return False
    try:
        return ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False
