"""Makes the site installable: serves the page for browsers without a connection, and the service worker that shows it.

The service worker shows notifications, too; `devices` decides who receives any.
"""

import hashlib
import mimetypes
from collections.abc import Callable
from typing import cast

from flask import Blueprint, Response, current_app, render_template

blueprint = Blueprint("install", __name__)
mimetypes.add_type("application/manifest+json", ".webmanifest")  # not every system knows it
mimetypes.add_type("font/woff2", ".woff2")  # nor this
OFFLINE = "/offline"
ASSETS = ("style.css", "logo.svg", "install.js")  # files that the page loads
# A service worker obeys the policy of its own file: it may fetch and show what this site serves, and nothing else.
POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"


@blueprint.get(OFFLINE)
def offline() -> str:
    """The page without a connection. Browsers cache it, so it is the same for all and names no player."""
    return render_template("pages/offline.html", mailbox=False, player_name=None)


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    """The service worker's script; it changes with every file that it caches, so that browsers fetch the new ones."""
    static = cast(Callable[[str], str], current_app.jinja_env.globals["static"])
    cached = [OFFLINE, *(static(name) for name in ASSETS)]
    version = hashlib.sha256("\n".join([offline(), *cached]).encode()).hexdigest()[:10]
    icons = {"icon": static("icon-192.png"), "badge": static("badge-96.png")}
    script = render_template("service-worker.js", kept=cached, version=version, **icons)
    return Response(script, mimetype="text/javascript", headers={"Content-Security-Policy": POLICY})
