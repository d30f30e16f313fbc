"""Shows a finished hand step by step to anybody who has the link. GET shows; POST asks for the robot's opinion.

The opinion is for the player whom the link names, and on their own turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response

from hearts.seats import Seat
from webapp.core.tokens import LinkInvalid, ReliveLink
from webapp.games.record import store
from webapp.games.record.finished import finished_hand
from webapp.games.record.links import still_names
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.relive import Scene, scene
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import score_sheet_of
from webapp.robots import reviews

blueprint = Blueprint("relive", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelivePage(PageContext):
    template = "relive"
    scene: Scene
    score: ScoreSheet
    table_name: str
    may_ask: bool = False
    reviewed: bool = False  # by the robot, for the reader
    result_link: str | None = None  # where the result is shared
    hand_links: Sequence[tuple[int, str]] = ()  # the numbers of all its hands, each with its page


@blueprint.get("/relive/<token>")
def show(token: str) -> str:
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = _load(session, link)
        hand = finished_hand(stored, link.hand)
        is_reader = _may_read(stored, link)
        found = reviews.reviews_for(session, stored, Seat(link.seat), link.player_id) if is_reader else {}
    opinions = found.get(link.hand)
    return page(
        RelivePage(
            scene=scene(hand, asked_step(), opinions or ()),
            score=score_sheet_of(stored, hands=link.hand, opinions={link.hand: opinions or ()}),
            table_name=table_name(stored.seats),
            may_ask=is_reader and opinions is None,
            reviewed=opinions is not None,
        )
    )


@blueprint.post("/relive/<token>")
def ask(token: str) -> Response:
    """Has the robot review the hand, once for each hand, for the player whom the link names; shows the step again."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        stored = _load(session, link)
        finished_hand(stored, link.hand)
        if not _may_read(stored, link):
            abort(403)
    reviews.review_of(runtime(), link.game_id, link.hand)
    return redirect(f"{request.path}?step={asked_step()}", 303)


def _load(session: Session, link: ReliveLink) -> TableGame:
    """The game of the link. Raises LinkInvalid if it has no such hand, and there will never be one."""
    try:
        stored = store.load(session, link.game_id)
    except LookupError:
        raise LinkInvalid from None
    if link.hand < 1:
        raise LinkInvalid
    return stored


def _may_read(stored: TableGame, link: ReliveLink) -> bool:
    """Whether the link names a player who played this hand and may read what the robot thinks of it."""
    seat = Seat(link.seat)
    is_theirs = still_names(link, stored.seats[seat]) and stored.has_played(seat, link.hand)
    return is_theirs and reviews.may_read(stored, seat, link.player_id)


def asked_step() -> int:
    """The step that the URL asks for; the first if it asks for none, or for no number."""
    text = request.args.get("step", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 1
