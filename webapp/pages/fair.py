"""Shows why the cards are fair, what a table was dealt beside what chance gives, and what proves the deal of a hand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, request
from sqlmodel import col, select
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.tokens import PlayLink, ReliveLink, SeatLink
from webapp.games.record import store
from webapp.games.record.finished import proved_deal
from webapp.games.record.links import seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.models import GameRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.relive import load
from webapp.presentation.fair import Dealt, Shuffle, dealt_at_table, shuffle_of
from webapp.tables import seating

blueprint = Blueprint("fair", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FairPage(PageContext):
    table_name: str | None = None  # None: the page is for everybody
    shuffle: Shuffle | None = None
    dealt: Sequence[Dealt] = ()


@blueprint.get("/fair")
def show() -> str:
    return page(FairPage())


@blueprint.get("/seat/<token>/fair")
def show_table(token: str) -> str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        seats = table_seats(session, link.table_id)
        games = session.exec(select(GameRow.id).where(GameRow.table_id == link.table_id).order_by(col(GameRow.number)))
        dealt = dealt_at_table(store.load(session, game_id) for game_id in games.all())
        shuffle = shuffle_of(session, seats, link.seat, link.player_id)
    return page(FairPage(reader=link.player_id, table_name=table_name(seats), shuffle=shuffle, dealt=dealt))


@blueprint.post("/play/<token>/words")
def give_words(token: str) -> AnyResponse:
    """Keeps the words for the shuffle of a player who has given none so far."""
    link = runtime().signer.read(PlayLink, token)
    seat = seating.give_words(runtime(), link, request.form.get("shuffle", ""), runtime().now())
    return redirect(f"{runtime().signer.local_url(seat_link(seat))}#people", 303)


@blueprint.get("/relive/<token>/deal.json")
def deal(token: str) -> Response:
    """The proof of the deal of a finished hand, for the script of its page. Raises HandNotScored."""
    link = runtime().signer.read(ReliveLink, token)
    with reading() as session:
        proved = proved_deal(session, load(session, link), link.hand)
    return Response(json.dumps(proved or abort(404)), mimetype="application/json")
