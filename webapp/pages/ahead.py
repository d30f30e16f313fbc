"""Takes answers ahead, from the page on which a player waits for their turn."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.cards import Card, NotACard, parse_code
from hearts.waits.ahead import Unless
from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.forms.fields import BadField
from webapp.games.asked.due import Due
from webapp.pages.common import runtime
from webapp.pages.place import asked_hand, place
from webapp.pages.visit import play_page
from webapp.players import ahead

blueprint = Blueprint("ahead", __name__)


@blueprint.post("/play/<token>/ahead")
def choose(token: str) -> Response | tuple[str, int]:
    """Keeps the answer, or drops it; plays it if the turn has come meanwhile, unless what they wait for has come."""
    link, now = runtime().signer.read(PlayLink, token), runtime().now()
    try:
        if request.form.get("want") == "take-back":
            ahead.take_back(runtime(), link, now, asked_hand())
        else:
            given, due = _answer(), _due()
            if due is None:  # a page that was made before pages named the trick
                ahead.choose_ahead(runtime(), link, given.card, given.unless, given.lead, now, asked_hand())
            else:
                ahead.answer(runtime(), link, due, given, now)
    except ahead.HasCome as error:
        return play_page(token, error=str(error)), 409
    except Refused as error:
        return play_page(token, error=str(error)), 400
    except ahead.TooLate:
        return play_page(token, error="The table has moved on: look again."), 409
    return redirect(f"/play/{token}{place().query}", 303)


def _due() -> Due | None:
    hand, what = asked_hand(), request.form.get("due", "")
    return Due(hand, what) if hand is not None and what else None


def _answer() -> ahead.AnswerAhead:
    """Reads the form. Raises BadField."""
    return ahead.AnswerAhead(
        card=_card(request.form.get("sealed", "")),
        unless=_unless(),
        instead=_card_or_none("instead"),
        lead=_card_or_none("lead"),
        seen=request.form.get("seen", type=int),
    )


def _card_or_none(name: str) -> Card | None:
    code = request.form.get(name, "")
    return _card(code) if code else None


def _card(code: str) -> Card:
    try:
        return parse_code(code)
    except NotACard:
        raise BadField("Choose a card.") from None


def _unless() -> frozenset[Unless]:
    try:
        return frozenset(Unless(word) for text in request.form.getlist("unless") for word in text.split())
    except ValueError:
        raise BadField("Please use the boxes on this page.") from None
