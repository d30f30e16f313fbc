"""Shows the result of a game, its picture and all its hands to anybody who has the link that a player shares.

Everything comes from `shares.shared_game`, which has no name and no turn that the player does not share.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.tokens import SharedLink
from webapp.games.record.finished import finished_hand
from webapp.games.record.store import TableGame
from webapp.models import ShareRow
from webapp.pages.common import PageContext, page, reading, runtime, signed_in
from webapp.pages.relive import RelivePage, asked_step
from webapp.pictures.result import HEIGHT, WIDTH, result_png
from webapp.presentation.relive import scene
from webapp.presentation.result import Result, result_of
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.sharing import shares

blueprint = Blueprint("shared", __name__)
ANY_GAME = "A shared game"  # the code of its table is not shared
# Every cache asks us first, so that it stops showing the picture when the player stops sharing.
CACHED = "public, no-cache"


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPage(PageContext):
    template = "shared"
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
    picture = f"{path}/picture.png?v={_tag(shown)}"
    return page(
        SharedPage(
            result=shown,
            score=score_sheet_of(stored),
            url=runtime().signer.absolute_url(path),
            picture=runtime().signer.absolute_url(picture),
            hand_links=_hand_links(token, stored),
            stop_action=f"{path}/stop" if _is_owner(row) else None,
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
            table_name=ANY_GAME,
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
    if not _is_owner(row):
        abort(403)
    shares.stop(runtime(), row.game_id, row.player_id, runtime().now())
    return redirect("/games", 303)


def _shared(token: str) -> tuple[ShareRow, TableGame]:
    """Returns the row and the game that the link shows. Raises LinkInvalid or SharingStopped."""
    link = runtime().signer.read(SharedLink, token)
    with reading() as session:
        row = shares.shared(session, link)
        return row, shares.shared_game(session, row)


def _is_owner(row: ShareRow) -> bool:
    player = signed_in()
    return player is not None and player.id == row.player_id


def _hand_links(token: str, stored: TableGame) -> list[tuple[int, str]]:
    """The numbers of the hands, each with the path of its page."""
    return [(score.number, f"/shared/{token}/hand/{score.number}") for score in stored.game.scores]


def _tag(shown: Result) -> str:
    """Changes with everything that the picture shows."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]
