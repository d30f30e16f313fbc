"""Takes answers ahead, from the page on which a player waits for their turn."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.cards import NotACard, parse_code
from hearts.waits.ahead import Unless
from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.forms.fields import BadField, read_number
from webapp.games.asked.due import Due
from webapp.pages.common import runtime
from webapp.pages.place import asked_hand, place
from webapp.pages.visit import play_page
from webapp.players import ahead

blueprint = Blueprint("ahead", __name__)


@blueprint.post("/play/<token>/ahead")
def choose(token: str) -> Response | tuple[str, int]:
    """Keeps the answer, or drops it; plays it if the turn has come meanwhile, unless what they wait for has come."""
    link = runtime().signer.read(PlayLink, token)
    try:
        take_form(link)
    except ahead.HasCome as error:
        return play_page(token, error=str(error)), 409
    except Refused as error:
        return play_page(token, error=str(error)), 400
    except ahead.TooLate:
        return play_page(token, error="The table has moved on: look again."), 409
    return redirect(f"/play/{token}{place().query}", 303)


def take_form(link: PlayLink, due: Due | None = None) -> None:
    """Keeps the answer of the form, or drops it; for the trick that the page showed, or for `due`.

    Raises what `ahead.answer` does, and BadField.
    """
    now = runtime().now()
    if request.form.get("want") == "take-back":
        ahead.take_back(runtime(), link, now, due.hand if due else asked_hand())
    else:
        ahead.answer(runtime(), link, due or _due(), _answer(), now)


def _due() -> Due:
    """The trick that the page showed. Raises BadField."""
    return Due(read_number(request.form.get("hand", "")), request.form.get("due", ""))


def _answer() -> ahead.AnswerAhead:
    """Reads the form. Raises BadField."""
    try:
        card = parse_code(request.form.get("sealed", ""))
    except NotACard:
        raise BadField("Choose a card.") from None
    try:
        unless = frozenset(Unless(word) for text in request.form.getlist("unless") for word in text.split())
    except ValueError:
        raise BadField("Please use the boxes on this page.") from None
    return ahead.AnswerAhead(card=card, unless=unless, seen=request.form.get("seen", type=int))
