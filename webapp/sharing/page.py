"""Lets a player share the result of a game, see the link, and take it back. GET only shows."""

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from hearts.seats import Seat
from webapp.core.tokens import LinkInvalid, SeatLink
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame
from webapp.models import GameRow, GameState
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.phrasing import listed
from webapp.presentation.result import Result, result_of
from webapp.sharing import shares
from webapp.sharing.shares import hidden_seats, seat_word, shared_link
from webapp.tables import seating

blueprint = Blueprint("sharing", __name__)
TICKED = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(PageContext):
    template = "share"
    result: Result
    link: str | None  # None: it is not shared
    names: bool  # of the others, too
    others: str  # what they are called without their names; empty: only robots play
    is_playing: bool
    action: str
    table_name: str
    table_link: str


@blueprint.get("/seat/<token>/share")
def show(token: str) -> str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        game = _game(session, link)
        stored = shares.own_game(session, link, game.id)
        row = shares.share_of(session, game.id, link.player_id)
    return page(
        SharePage(
            reader=link.player_id,
            result=result_of(stored),
            link=runtime().signer.url(shared_link(row)) if row else None,
            names=row is not None and row.names,
            others=_others(stored, link.seat),
            is_playing=stored.row.state is GameState.PLAYING,
            action=f"?game={game.number}",
            table_name=table_name(stored.seats),
            table_link=f"/seat/{token}",
        )
    )


@blueprint.post("/seat/<token>/share")
def change(token: str) -> Response:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        game = _game(session, link)
        shares.own_game(session, link, game.id)
    match request.form.get("want"):
        case "share":
            names = request.form.get("names") == TICKED
            shares.share(runtime(), link, game.id, runtime().now(), names=names)
        case "stop":
            shares.stop(runtime(), game.id, link.player_id, runtime().now())
        case _:
            abort(400)
    return redirect(f"{request.path}?game={game.number}", 303)


def share_link(token: str, stored: TableGame, seat: int) -> str | None:
    """The path of the page on which the player of the seat's link `token` shares the game; None if they may not."""
    return f"/seat/{token}/share?game={stored.row.number}" if shares.may_share(stored, Seat(seat)) else None


def _game(session: Session, link: SeatLink) -> GameRow:
    """The game that the URL names by its number at the table. Raises LinkInvalid if there is none."""
    number = request.args.get("game", type=int)
    game = seating.game(session, link.table_id, number) if number is not None and abs(number) < 2**31 else None
    if game is None:
        raise LinkInvalid
    return game


def _others(stored: TableGame, seat: int) -> str:
    """Returns the words for the other people as long as they are not named; empty if only robots play."""
    words = [seat_word(other, seat, len(stored.names)) for other in hidden_seats(stored, seat)]
    return listed(words) if words else ""
