"""Serves the button with which a player asks for a pause of the clock, or for its end."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.pages.common import runtime
from webapp.pages.place import place
from webapp.pages.visit import play_page
from webapp.tables import pausing

blueprint = Blueprint("pausing", __name__)


@blueprint.post("/play/<token>/pause")
def vote(token: str) -> Response | tuple[str, int]:
    link, wanted = runtime().signer.read(PlayLink, token), request.form.get("want") == "yes"
    try:
        pausing.vote(runtime(), link, wanted=wanted, now=runtime().now())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)
