"""Answers probes: `/healthz` says that the process is alive, `/readyz` whether the service can do its work.

Anybody may ask. Figures are for those who ask from this machine or a private network without a proxy between.
"""

from ipaddress import ip_address
from typing import cast

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response

from webapp.operators.health import Check, Readiness

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def alive() -> Response:
    """Asks nothing of the database: a process that can say this need not be replaced."""
    return jsonify(status="ok")


@blueprint.get("/readyz")
def ready() -> tuple[Response, int]:
    """Status 200 or 503. `?exclude=NAME`, once or more, leaves that check out of the verdict."""
    checks = cast(Readiness, current_app.extensions["readiness"]).checks()
    excluded = set(request.args.getlist("exclude"))
    is_ready = all(check.is_ok for check in checks if check.name not in excluded)
    said: dict[str, object] = {"status": "ready" if is_ready else "not ready"}
    if _is_from_here():
        said["checks"] = {check.name: _mapping(check) for check in checks}
    return jsonify(said), 200 if is_ready else 503


def _mapping(check: Check) -> dict[str, object]:
    return {"ok": check.is_ok, **check.figures}


def _is_from_here() -> bool:
    """Whether a machine of the operator's asks; a proxy on this machine asks for anybody."""
    if "X-Forwarded-For" in request.headers:
        return False
    try:
        return not ip_address(request.remote_addr or "").is_global
    except ValueError:
        return False
