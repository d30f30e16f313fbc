"""Takes the cards that players choose ahead, from the page on which they wait for their turn."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.cards import NotACard, parse_code
from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.forms.fields import BadField, read_number
from webapp.games.asked.due import Due
from webapp.pages.at_table import place
from webapp.pages.common import runtime
from webapp.pages.visit import play_page
from webapp.players import ahead

blueprint = Blueprint("ahead", __name__)


@blueprint.post("/play/<token>/ahead")
def choose(token: str) -> Response | tuple[str, int]:
    """Keeps the tapped card, or takes it back; plays it if the turn has come meanwhile."""
    link = runtime().signer.read(PlayLink, token)
    try:
        _take_form(link)
    except ahead.HasPoints as error:
        return play_page(token, error=str(error)), 409
    except Refused as error:
        return play_page(token, error=str(error)), 400
    except ahead.TooLate:
        return play_page(token, error="The table has moved on: look again."), 409
    return redirect(f"/play/{token}{place().query}", 303)


def _take_form(link: PlayLink) -> None:
    """Keeps or takes back the card of the form. Raises what `players.ahead` does, and BadField."""
    form, now = request.form, runtime().now()
    due = Due(read_number(form.get("hand", "")), form.get("due", ""))
    if form.get("want") == "take-back":
        ahead.take_back(runtime(), link, due, now)
        return
    try:
        card = parse_code(form.get("ahead", ""))
    except NotACard:
        raise BadField("Choose a card.") from None
    ahead.choose(runtime(), link, due, card, now, seen=read_number(form.get("seen", "")))
