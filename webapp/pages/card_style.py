"""Lets a player choose a card style, and whether one tap plays a card, at addresses below their play page.

The page of a player's preferences contains the form of the card style, too.
"""

from dataclasses import dataclass

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.players import tap
from webapp.players.card_style import CardStyleChoice, card_style_of, change_card_style, read_card_style
from webapp.tables.seating import own_seat

blueprint = Blueprint("looks", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardStylePage(PageContext):
    choice: CardStyleChoice
    play_link: str
    error: str | None = None


@blueprint.get("/play/<token>/cards")
def show(token: str) -> str:
    return _card_style_page(token, _link(token))


@blueprint.post("/play/<token>/<any(cards, tap):what>")
def change(token: str, what: str) -> Response | tuple[str, int]:
    link, now = _link(token), runtime().now()
    try:
        if what == "cards":
            change_card_style(runtime(), link.player_id, read_card_style(request.form), now)
        else:
            tap.change_tap(runtime(), link.player_id, plays=tap.read_tap(request.form.get("tap", "")), now=now)
    except Refused as error:
        return _card_style_page(token, link, error=str(error)), 400
    return redirect(f"/play/{token}", 303)


def _link(token: str) -> PlayLink:
    """The link of the token. Raises LinkInvalid, LinkExpired, and SeatLost if another player has the seat."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        own_seat(session, link)
    return link


def _card_style_page(token: str, link: PlayLink, error: str | None = None) -> str:
    with reading() as session:
        style = card_style_of(session, link.player_id)
    choice = CardStyleChoice(f"/play/{token}/cards", style)
    return page(CardStylePage(reader=link.player_id, choice=choice, error=error, play_link=f"/play/{token}"))
