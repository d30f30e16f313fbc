"""Signing in by mail, and the page with all of a player's games."""

from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, redirect, request, session
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from hearts.seats import Seat
from webapp import store, tables
from webapp.due import due_of, turn_link
from webapp.forms import BadField, read_address
from webapp.models import PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.pages.common import PLAYER, page, parts, signed_in
from webapp.sheets import deadline_of
from webapp.telling.moments import Moment
from webapp.telling.told import who_is_awaited
from webapp.tokens import InvitationLink, LinkInvalid, SeatLink, SignInLink

blueprint = Blueprint("players", __name__)
STATES = {
    TableState.UNCONFIRMED: "It waits for its host to follow the link in the mail.",
    TableState.INVITING: "It waits for everybody's answer.",
    TableState.OVER: "The game is over.",
}


@dataclass(frozen=True, slots=True)
class GameLine:
    """One of my tables in the list. `turn_link` is None where nothing is asked of me."""

    table_name: str
    state: str
    table_link: str
    turn_link: str | None = None
    deadline: Moment | None = None


@blueprint.get("/sign-in")
def form() -> str:
    return page("sign_in", error=None, address="")


@blueprint.post("/sign-in")
def ask() -> str | tuple[str, int]:
    typed = request.form.get("address", "")
    try:
        address = read_address(typed)
    except BadField as error:
        return page("sign_in", error=str(error), address=typed[:300]), 400
    tables.ask_sign_in(parts(), address, parts().now())
    return page("sign_in_sent", address=address)


@blueprint.get("/sign-in/<token>")
def show(token: str) -> str:
    link = parts().signer.read(SignInLink, token)
    with parts().database.reading() as rows:
        player = rows.get(PlayerRow, link.player_id)
    if player is None or player.sign_ins != link.sign_ins:
        raise LinkInvalid
    return page("sign_in_confirm", name=player.name)


@blueprint.post("/sign-in/<token>")
def sign_in(token: str) -> Response:
    player = tables.sign_in(parts(), parts().signer.read(SignInLink, token))
    session.clear()
    session[PLAYER] = player.id
    session.permanent = True
    return redirect("/games", 303)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    session.clear()
    return redirect("/", 303)


@blueprint.get("/games")
def games() -> Response | str:
    player = signed_in()
    if player is None:
        return redirect("/sign-in", 303)
    now = parts().now()
    with parts().database.reading() as rows:
        query = (
            select(SeatRow, TableRow)
            .where(SeatRow.table_id == TableRow.id, SeatRow.player_id == player.id)
            .where(col(SeatRow.state) != SeatState.DECLINED)
            .order_by(col(TableRow.created_at).desc())
            .limit(100)
        )
        lines = [_line(rows, player, seat, table, now) for seat, table in rows.exec(query)]
    return page("games", games=sorted(lines, key=_urgency))


def _urgency(line: GameLine) -> tuple[bool, str]:
    """What waits for me first, the nearest deadline on top."""
    return line.turn_link is None, line.deadline.iso if line.deadline else ""


def _line(rows: Session, player: PlayerRow, seat: SeatRow, table: TableRow, now: datetime) -> GameLine:
    signer = parts().signer
    assert player.id is not None
    name = f"Table {table.code}"
    table_link = signer.local_url(SeatLink(seat.table_id, seat.seat, player.id))
    if table.state is TableState.INVITING and seat.state is SeatState.INVITED:
        answer_link = signer.local_url(InvitationLink(seat.table_id, seat.seat, player.id))
        return GameLine(name, "You are invited.", table_link, answer_link)
    row = tables.current_game(rows, seat.table_id)
    if row is None or row.id is None or table.state is not TableState.PLAYING:
        return GameLine(name, STATES[table.state], table_link)
    stored = store.load(rows, row.id)
    me = Seat(seat.seat)
    due = due_of(stored.game, me)
    if due is None:
        return GameLine(name, who_is_awaited(stored.game, stored.names, me), table_link)
    link = signer.local_url(turn_link(stored, me, due))
    deadline = deadline_of(stored, player.time_zone, now)
    return GameLine(name, f"It is your turn: {due.what}, hand {due.hand}.", table_link, link, deadline)
