"""Lets a player say something at the table, from the page that follows the game."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.forms.fields import LONGEST_ECHO
from webapp.games import talk
from webapp.pages.common import runtime
from webapp.pages.place import place
from webapp.pages.visit import play_page
from webapp.presentation.talk import Unsaid

blueprint = Blueprint("talk", __name__)


@blueprint.post("/play/<token>/talk")
def say(token: str) -> Response | tuple[str, int]:
    """Says the phrase that was tapped, or else the text that was typed."""
    link = runtime().signer.read(PlayLink, token)
    text = request.form.get("phrase") or request.form.get("text", "")
    try:
        talk.say(runtime(), link, text, runtime().now())
    except (Refused, talk.TalkLimitReached) as error:
        status = 429 if isinstance(error, talk.TalkLimitReached) else 400
        return play_page(token, unsaid=Unsaid(text[:LONGEST_ECHO], str(error))), status
    return redirect(f"/play/{token}{place().query}#talk", 303)
