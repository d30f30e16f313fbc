"""What lets the site be installed: the page to show without a connection, and the script that shows it.

The script shows notifications, too; who is sent any is for `devices`.
"""

import hashlib
import mimetypes
from collections.abc import Callable
from typing import cast

from flask import Blueprint, Response, current_app, render_template

blueprint = Blueprint("install", __name__)
mimetypes.add_type("application/manifest+json", ".webmanifest")  # not every system knows it
OFFLINE = "/offline"
ASSETS = ("style.css", "logo.svg", "install.js")  # what the page asks for
# A worker is held to the policy of its own file: it may fetch and show what is from here, and nothing else.
POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"


@blueprint.get(OFFLINE)
def offline() -> str:
    """The same for everybody, because browsers keep it: it names nobody."""
    return render_template("pages/offline.html", mailbox=False, player_name=None)


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    """The script, which changes when anything does that it keeps, so that browsers then keep the new."""
    static = cast(Callable[[str], str], current_app.jinja_env.globals["static"])
    kept = [OFFLINE, *(static(name) for name in ASSETS)]
    version = hashlib.sha256("\n".join([offline(), *kept]).encode()).hexdigest()[:10]
    looks = {"icon": static("icon-192.png"), "badge": static("badge-96.png")}
    script = render_template("service-worker.js", kept=kept, version=version, **looks)
    return Response(script, mimetype="text/javascript", headers={"Content-Security-Policy": POLICY})
