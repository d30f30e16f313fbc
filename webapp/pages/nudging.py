"""Serves the button with which a player who waits has the others reminded."""

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.pages.common import runtime
from webapp.pages.place import asked_hand, place
from webapp.pages.visit import play_page
from webapp.players import nudging

blueprint = Blueprint("nudging", __name__)


@blueprint.post("/play/<token>/nudge")
def nudge(token: str) -> Response | tuple[str, int]:
    try:
        nudging.nudge(runtime(), runtime().signer.read(PlayLink, token), runtime().now(), asked_hand())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)
