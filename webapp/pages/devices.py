"""Adds and deletes the devices that receive a player's notifications, on the page of their preferences.

A link alone is not enough for this: people forward mails, and a device receives the links of all turns. So a player
who has not just signed in is asked by mail first.
"""

from dataclasses import dataclass

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response

from webapp.accounts import devices
from webapp.core.refusal import Refused
from webapp.core.tokens import DeviceLink
from webapp.forms.fields import BadField, read_number
from webapp.pages import limits
from webapp.pages.common import PageContext, has_just_signed_in, page, runtime
from webapp.pages.limits import Answer
from webapp.pages.preferences import done_page, opened, preferences_page

blueprint = Blueprint("devices", __name__)
ALL = "all"  # in place of a device's number
NOT_OF_OURS = "Please use the buttons on this page."


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicePage(PageContext):
    step: str
    device: str | None = None  # its kind; None: it was forgotten, or is not confirmed yet


@blueprint.post("/preferences/<token>/devices")
def add(token: str) -> Answer:
    link = opened(token)
    is_confirmed = has_just_signed_in(link.player_id)
    try:
        if runtime().push_key is None:
            raise BadField("We send no notifications from here.")
        subscription = devices.read_subscription(request.form, runtime().settings.push_services)
        with limits.counted(*([] if is_confirmed else [limits.to_player(link.player_id)])):
            devices.add_device(
                runtime(),
                link.player_id,
                subscription,
                runtime().now(),
                generation=link.generation,
                is_confirmed=is_confirmed,
            )
    except Refused as error:
        return limits.refused(preferences_page(token, link, error=str(error)), error)
    return done_page(token, "told" if is_confirmed else "asked")


@blueprint.get("/device/<token>")
def ask_to_confirm(token: str) -> str:
    runtime().signer.read(DeviceLink, token)
    return page(DevicePage(step="asks"))


@blueprint.post("/device/<token>")
def confirm(token: str) -> str:
    """Has the device told of its player's turns, which they have been asked by mail."""
    link = runtime().signer.read(DeviceLink, token)
    return page(DevicePage(step="done", device=devices.confirm_device(runtime(), link, runtime().now())))


@blueprint.post("/preferences/<token>/devices/forget")
def forget(token: str) -> Response | tuple[str, int]:
    link, which = opened(token), request.form.get("device", "")
    try:
        number = None if which == ALL else read_number(which)
    except BadField as error:
        return preferences_page(token, link, error=str(error)), 400
    devices.forget_devices(runtime(), link.player_id, number, runtime().now())
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
