"""Adds and deletes the devices that receive a player's notifications, on the page of their preferences.

The link of a turn or a game is not enough for this: people forward mails, and a device receives the links of all turns.
"""

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from webapp.accounts import devices
from webapp.core.refusal import Refused
from webapp.forms.fields import BadField
from webapp.pages.common import runtime
from webapp.pages.preferences import done_page, opened, preferences_page

blueprint = Blueprint("devices", __name__)
ALL = "all"  # in place of a device's number
NOT_OF_OURS = "Please use the buttons on this page."


@blueprint.post("/preferences/<token>/devices")
def add(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    try:
        if runtime().push_key is None:
            raise BadField("No notifications are sent from here.")
        subscription = devices.read_subscription(request.form, runtime().settings.push_services)
        devices.add_device(runtime(), link.player_id, subscription, runtime().now(), generation=link.generation)
    except Refused as error:
        return preferences_page(token, link, error=str(error)), 400
    return done_page(token, "told")


@blueprint.post("/preferences/<token>/devices/forget")
def forget(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    which = request.form.get("device", "")
    if which != ALL and not (which.isascii() and which.isdecimal() and len(which) < 10):
        return preferences_page(token, link, error=NOT_OF_OURS), 400
    devices.forget_devices(runtime(), link.player_id, None if which == ALL else int(which), runtime().now())
    return done_page(token, "forgotten")


@blueprint.post("/preferences/<token>/devices/mails")
def choose_mails(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    wanted = request.form.get("want", "")
    if wanted not in ("push-only", "push-and-mail"):
        return preferences_page(token, link, error=NOT_OF_OURS), 400
    devices.set_push_only(runtime(), link.player_id, push_only=wanted == "push-only", now=runtime().now())
    return done_page(token, wanted)


@blueprint.post("/devices/renewed")
def renew() -> tuple[str, int]:
    """Replaces a subscription for a service worker.

    A service worker has no link, but it proves by its secret that the old subscription is its own.
    """
    try:
        subscription = devices.read_subscription(request.form, runtime().settings.push_services)
    except Refused as error:
        return str(error), 400
    old, secret = request.form.get("old_endpoint", ""), request.form.get("old_auth", "")
    if not devices.renew_device(runtime(), old, secret, subscription):
        abort(404)
    return "", 204
