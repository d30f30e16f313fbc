"""Tells probes how the service does, and tells operators on the first pages what is down."""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import cast

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.runtime import Runtime
from webapp.core.say import later, say
from webapp.models import PlayerRow
from webapp.operators.health import Readiness

blueprint = Blueprint("health", __name__)


# Answers probes: `/healthz` says that the process is alive, `/readyz` whether the service can do its work.
# Anybody may ask. Figures are for those who ask from this machine or a private network without a proxy between.


@blueprint.get("/healthz")
def alive() -> AnyResponse:
    """Asks nothing of the database: a process that can say this need not be replaced."""
    return jsonify(status="ok")


@blueprint.get("/readyz")
def ready() -> tuple[AnyResponse, int]:
    """Status 200 or 503. `?exclude=NAME`, once or more, leaves that check out of the verdict."""
    checks = cast(Readiness, current_app.extensions["readiness"]).checks()
    excluded = set(request.args.getlist("exclude"))
    is_ready = all(check.is_ok for check in checks if check.name not in excluded)
    said: dict[str, object] = {"status": "ready" if is_ready else "not ready"}
    asker = _asker()
    if asker is not None and not asker.is_global:
        said["checks"] = {check.name: {"ok": check.is_ok, **check.figures} for check in checks}
    return jsonify(said), 200 if is_ready else 503


def _asker() -> IPv4Address | IPv6Address | None:
    """The address of the machine that asks; None for a proxy, which asks for anybody, and for what is no address."""
    if "X-Forwarded-For" in request.headers:
        return None
    try:
        return ip_address(request.remote_addr or "")
    except ValueError:
        return None


# The first pages tell the operator what is down.

FIRST_SECONDS = 60.0  # after the start of this process, in which the others start, too
# By the name of a check; the other checks fail because of these, or no page opens then.
SENTENCES = {
    "worker": later("No worker answers: no email goes out, and no robot plays."),
    "scheduler": later("No scheduler runs: nobody notices a deadline."),
    "inbox": later("Answers by email cannot be read."),
    "letters": later("Emails have not gone out for long."),
    "broker": later("The broker does not answer: emails and robots wait."),
    "disk": later("The disk is almost full."),
}


def sentences(runtime: Runtime, player: PlayerRow | None) -> Sequence[str]:
    """Says what is down to the player at OPERATOR_ADDRESS, and to anybody on the machine that alone can open the pages;
    nothing to others.
    """
    readiness = cast(Readiness, current_app.extensions["readiness"])
    asker = _asker() if runtime.settings.is_on_loopback else None
    is_here = asker is not None and asker.is_loopback
    is_operator = player is not None and player.address == runtime.settings.operator_address
    if readiness.age < FIRST_SECONDS or not (is_here or is_operator):
        return ()
    failing = {check.name for check in readiness.checks() if not check.is_ok}
    return [say(sentence) for name, sentence in SENTENCES.items() if name in failing]
