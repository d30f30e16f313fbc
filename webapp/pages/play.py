"""Serves the page that follows the game, for a player who has come to play, and the requests that it makes.

`ahead` takes the cards that are chosen on it before their turn.
"""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.refusal import Refused
from webapp.core.tokens import LinkExpired, PlayLink
from webapp.forms.fields import LONGEST_ECHO
from webapp.games import talk
from webapp.games.clock import arriving
from webapp.models import SeatRow
from webapp.outbox import nudges
from webapp.pages import limits, ways_in
from webapp.pages.at_table import news_response, place
from webapp.pages.common import page, reading, runtime
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.visit import play_page
from webapp.pages.ways_in import SENT, OldLinkPage
from webapp.players import away
from webapp.presentation.talk import Unsaid
from webapp.tables import going_live, pausing, seating

blueprint = Blueprint("play", __name__)
_SECONDS: Final = re.compile(r"[0-9]{1,7}")
_LINE: Final = re.compile(r"[0-9]{1,9}")  # the id of a line of talk
STILL_THERE: Final = OldLinkPage(
    heading="Still there?",
    sentences=("This page was opened more than twelve hours ago. Your game goes on.",),
    button="Mail me a fresh link",
)


@blueprint.get("/play/<token>")
def show(token: str) -> AnyResponse | str | tuple[str, int]:
    try:
        return play_page(token)
    except LinkExpired:
        _, seat = _old_link(token)
        if way_in := ways_in.way_in(seat):
            return redirect(way_in, 303)
        return page(replace(STILL_THERE, action=f"/play/{token}/mail")), 410


@blueprint.post("/play/<token>/mail")
def mail_way_in(token: str) -> Answer:
    """Mails the player of a link that may be too old a fresh one: that of their turn, or one that signs them in."""
    link, _ = _old_link(token)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(page(replace(STILL_THERE, action=request.path, error=str(error))), error)
    return page(SENT)


@blueprint.get("/play/<token>/now")
def now(token: str) -> Response:
    return news_response(runtime().signer.read(PlayLink, token))


@blueprint.post("/play/<token>/here")
def here(token: str) -> Response:
    """Records that the player has the game open, and for how long they have done nothing there; or that they left."""
    link = runtime().signer.read(PlayLink, token)
    here, said = request.form.get("here") != "no", request.form.get("idle", "")
    idle = timedelta(seconds=int(said)) if _SECONDS.fullmatch(said) else None
    seat = (link.table_id, link.seat, link.player_id)
    arriving.note_presence(runtime(), *seat, runtime().now(), here=here, idle=idle, visits=link.visits)
    if _LINE.fullmatch(read := request.form.get("read", "")):
        talk.note_read(runtime(), link, int(read))
    return news_response(link)


@blueprint.post("/play/<token>/back")
def come_back(token: str) -> AnyResponse:
    """Sets a player who was away as back."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        seating.own_seat(session, link)
    away.come_back(runtime(), link.player_id, runtime().now(), link.table_id)
    return redirect(f"/play/{token}", 303)


@blueprint.post("/play/<token>/talk")
def say(token: str) -> Answer:
    """Says the phrase that was tapped, or else the text that was typed."""
    link = runtime().signer.read(PlayLink, token)
    text = request.form.get("phrase") or request.form.get("text", "")
    try:
        nudges.say(runtime(), link, text, runtime().now())
    except (Refused, talk.TalkLimitReached) as error:
        status = 429 if isinstance(error, talk.TalkLimitReached) else 400
        return play_page(token, unsaid=Unsaid(text[:LONGEST_ECHO], str(error))), status
    return redirect(f"/play/{token}{place().query}#talk", 303)


@blueprint.post("/play/<token>/pause")
def vote(token: str) -> Answer:
    """Notes whether the player wants a pause of the clock, or its end."""
    link, wanted = runtime().signer.read(PlayLink, token), request.form.get("want") == "yes"
    try:
        pausing.vote(runtime(), link, wanted=wanted, now=runtime().now())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)


@blueprint.post("/play/<token>/live")
def go_live(token: str) -> Answer:
    """Notes whether the player would play on live, or ends that."""
    link, want = runtime().signer.read(PlayLink, token), request.form.get("want")
    try:
        if want == "end":
            going_live.end(runtime(), link, runtime().now())
        else:
            going_live.vote(runtime(), link, wanted=want == "yes", now=runtime().now())
    except Refused as error:
        return play_page(token, error=str(error)), 409
    return redirect(f"/play/{token}{place().query}", 303)


def _old_link(token: str) -> tuple[PlayLink, SeatRow]:
    """The link, however old it is, and its seat. Raises SeatLost, or LinkExpired if its player has ended it."""
    link = runtime().signer.read(PlayLink, token, even_old=True)
    with reading() as session:
        return link, seating.own_seat(session, link)
