"""Serves the home page and `robots.txt`."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.pages.common import PageContext, page, runtime, signed_in
from webapp.pages.down import sentences
from webapp.pages.practice import practice_sheet
from webapp.practice import hand_of, new_hand
from webapp.presentation.clock_text import ROUND
from webapp.presentation.present import TurnSheet

blueprint = Blueprint("home", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Home(PageContext):
    sheet: TurnSheet
    action: str
    round_takes: str = ROUND
    down: Sequence[str] = ()


@blueprint.get("/")
def home() -> Response | str:
    """The home page, with a new practice hand to try at once; for a player who is signed in, their games."""
    if signed_in() is not None:
        return redirect("/games")
    link = new_hand(runtime().keys)
    hand = hand_of(runtime().keys, link)
    action, down = runtime().signer.local_url(link), sentences(runtime(), None)
    return page(Home(sheet=practice_sheet(hand).sheet, action=action, down=down))


@blueprint.get("/robots.txt")
def crawlers() -> tuple[str, dict[str, str]]:
    return "User-agent: *\nAllow: /$\nAllow: /privacy$\nAllow: /static/\nDisallow: /\n", {"Content-Type": "text/plain"}
