"""Serves the home page and `robots.txt`."""

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.pages.common import page, runtime, signed_in
from webapp.pages.practice import practice_sheet
from webapp.practice import hand_of, new_hand

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def home() -> Response | str:
    """The home page, with a new practice hand to try at once; for a player who is signed in, their games."""
    if signed_in() is not None:
        return redirect("/games")
    link = new_hand(runtime().keys)
    hand = hand_of(runtime().keys, link)
    return page("home", sheet=practice_sheet(hand).sheet, action=runtime().signer.local_url(link))


@blueprint.get("/robots.txt")
def crawlers() -> tuple[str, dict[str, str]]:
    return "User-agent: *\nAllow: /$\nAllow: /privacy$\nAllow: /static/\nDisallow: /\n", {"Content-Type": "text/plain"}
