"""Takes answers ahead, from the page on which a player waits for their turn."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.cards import Card, NotACard, parse_code
from hearts.plans.ahead import Unless
from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.forms.fields import BadField
from webapp.pages.common import runtime
from webapp.pages.play import asked_hand, play_page, shown_hand, shows
from webapp.players import ahead

blueprint = Blueprint("ahead", __name__)


@blueprint.post("/play/<token>/ahead")
def choose(token: str) -> Response | tuple[str, int]:
    """Keeps the answer, or drops it; where the turn has come meanwhile, the page of the turn says so."""
    link, hand, now = runtime().signer.read(PlayLink, token), asked_hand(), runtime().now()
    try:
        if request.form.get("want") == "take-back":
            ahead.take_back(runtime(), link, now, hand)
        else:
            card, lead = _card(request.form.get("sealed", "")), request.form.get("lead", "")
            ahead.choose_ahead(runtime(), link, card, _unless(), _card(lead) if lead else None, now, hand)
    except Refused as error:
        return play_page(token, error=str(error)), 400
    except ahead.TooLate:
        return play_page(token, error="The table has moved on: look again."), 409
    return redirect(f"/play/{token}{shows(shown_hand())}", 303)


def _card(code: str) -> Card:
    try:
        return parse_code(code)
    except NotACard:
        raise BadField("Choose a card.") from None


def _unless() -> frozenset[Unless]:
    try:
        return frozenset(map(Unless, request.form.getlist("unless")))
    except ValueError:
        raise BadField("Please use the boxes on this page.") from None
