"""Serves the page that follows the game, for a player who has come to play, and the requests that it makes."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Final

from flask import Blueprint, Response, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.away import absence
from webapp.core.tokens import LinkExpired, PlayLink
from webapp.games.clock import presence
from webapp.games.record.rows import table_seats
from webapp.games.talk import note_read
from webapp.models import SeatRow
from webapp.pages import limits, ways_in
from webapp.pages.common import page, reading, runtime
from webapp.pages.following import news_response, own_seat
from webapp.pages.limits import Refusal, TooMuchMail
from webapp.pages.visit import play_page
from webapp.pages.ways_in import SENT, OldLinkPage

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
def mail_way_in(token: str) -> str | Refusal:
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
    presence.note_presence(runtime(), *seat, runtime().now(), here=here, idle=idle, visits=link.visits)
    if _LINE.fullmatch(read := request.form.get("read", "")):
        note_read(runtime(), link, int(read))
    return news_response(link)


@blueprint.post("/play/<token>/back")
def come_back(token: str) -> AnyResponse:
    """Sets a player who was away as back."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        own_seat(table_seats(session, link.table_id), link)
    absence.come_back(runtime(), link.player_id, runtime().now(), link.table_id)
    return redirect(f"/play/{token}", 303)


def _old_link(token: str) -> tuple[PlayLink, SeatRow]:
    """The link, however old it is, and its seat. Raises SeatLost, or LinkExpired if its player has ended it."""
    link = runtime().signer.read(PlayLink, token, even_old=True)
    with reading() as session:
        return link, own_seat(table_seats(session, link.table_id), link)
