"""Lets a player share the result of a game, and shows it to anybody who has that link. GET only shows."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.seats import Seat
from webapp.core.say import later, say, spoken
from webapp.core.tokens import LinkInvalid, SeatLink, SharedLink
from webapp.games import shares
from webapp.games.record.finished import finished_hand
from webapp.games.record.seats import table_name
from webapp.games.record.store import TableGame
from webapp.games.shares import hidden_seats, seat_word, shared_link
from webapp.models import GameRow, GameState, ShareRow
from webapp.pages.common import PageContext, page, reading, runtime, signed_in_as
from webapp.pages.relive import RelivePage, asked_step
from webapp.presentation.phrasing import listed
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.results.pictures import HEIGHT, WIDTH, result_png
from webapp.results.relive import scene
from webapp.results.result import Result, result_of
from webapp.tables import seating

# Shows the result of a game, its picture and all its hands to anybody who has the link that a player shares.
# Everything comes from `shares.shared_game`, which has no name and no turn that the player does not share.

blueprint = Blueprint("shared", __name__)
ANY_GAME = later("A shared game")  # the code of its table is not shared
# Every cache asks us first, so that it stops showing the picture when the player stops sharing.
CACHED = "public, no-cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage(PageContext):
    result: Result
    score: ScoreSheet
    url: str
    picture: str
    picture_size: tuple[int, int] = (WIDTH, HEIGHT)
    hand_links: Sequence[tuple[int, str]]
    stop_action: str | None = None


@blueprint.get("/shared/<token>")
def show(token: str) -> str:
    row, stored = _shared(token)
    shown, path = result_of(stored), f"/shared/{token}"
    picture = f"{path}/picture.png?v={_tag(shown)}&language={spoken()}"
    return page(
        SharedPage(
            result=shown,
            score=score_sheet_of(stored),
            url=runtime().signer.absolute_url(path),
            picture=runtime().signer.absolute_url(picture),
            hand_links=_hand_links(token, stored),
            stop_action=f"{path}/stop" if signed_in_as(row.player_id) else None,
        )
    )


@blueprint.get("/shared/<token>/hand/<int(max=2147483647):number>")
def relive(token: str, number: int) -> str:
    _, stored = _shared(token)
    if not 1 <= number <= len(stored.game.scores):
        abort(404)
    return page(
        RelivePage(
            scene=scene(finished_hand(stored, number), asked_step()),
            score=score_sheet_of(stored, hands=number),
            table_name=say(ANY_GAME),
            result_link=f"/shared/{token}",
            hand_links=_hand_links(token, stored),
        )
    )


@blueprint.get("/shared/<token>/picture.png")
def picture(token: str) -> Response:
    shown = result_of(_shared(token)[1])
    tag = _tag(shown)
    is_known = request.if_none_match.contains(tag)
    response = Response(status=304) if is_known else Response(result_png(shown), mimetype="image/png")
    response.set_etag(tag)
    response.headers["Cache-Control"] = CACHED
    return response


@blueprint.post("/shared/<token>/stop")
def stop(token: str) -> AnyResponse:
    """Stops sharing, for the player who shares it and is signed in, even if they have lost their seat since."""
    row, _ = _shared(token)
    if signed_in_as(row.player_id) is None:
        abort(403)
    shares.stop(runtime(), row.game_id, row.player_id, runtime().now())
    return redirect("/games", 303)


def _shared(token: str) -> tuple[ShareRow, TableGame]:
    """Returns the row and the game that the link shows. Raises LinkInvalid or SharingStopped."""
    link = runtime().signer.read(SharedLink, token)
    with reading() as session:
        row = shares.shared(session, link)
        return row, shares.shared_game(session, row)


def _hand_links(token: str, stored: TableGame) -> list[tuple[int, str]]:
    """The numbers of the hands, each with the path of its page."""
    return [(score.number, f"/shared/{token}/hand/{score.number}") for score in stored.game.scores]


def _tag(shown: Result) -> str:
    """Changes with everything that the picture shows."""
    return hashlib.sha256(f"{shown!r} {spoken()}".encode()).hexdigest()[:16]


# Lets a player share the result of a game, see the link, and take it back. GET only shows.

TICKED = "yes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharePage(PageContext):
    result: Result
    link: str | None  # None: it is not shared
    names: bool  # of the others, too
    others: str  # what they are called without their names; empty: only robots play
    is_playing: bool
    action: str
    table_name: str
    table_link: str


@blueprint.get("/seat/<token>/share")
def show_sharing(token: str) -> str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        game = _game(session, link)
        stored = shares.own_game(session, link, game.id)
        row = shares.share_of(session, game.id, link.player_id)
    others = [seat_word(other, link.seat, len(stored.names)) for other in hidden_seats(stored, link.seat)]
    return page(
        SharePage(
            reader=link.player_id,
            result=result_of(stored),
            link=runtime().signer.url(shared_link(row)) if row else None,
            names=row is not None and row.names,
            others=listed(others) if others else "",
            is_playing=stored.row.state is GameState.PLAYING,
            action=f"?game={game.number}",
            table_name=table_name(stored.seats),
            table_link=f"/seat/{token}",
        )
    )


@blueprint.post("/seat/<token>/share")
def change(token: str) -> AnyResponse:
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
