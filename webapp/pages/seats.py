"""A seat's own table page: who sits here, who is awaited, the score sheet so far, the record of the hands played.

The link shows; it does not play. For the host it also gives empty chairs to others.
"""

from dataclasses import dataclass

from flask import Blueprint, Response, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.game import Stage
from hearts.record import record_of, record_text
from hearts.seats import Seat
from webapp import letters, store, tables
from webapp.due import due_of
from webapp.forms import BadField, Chair, read_address, read_name
from webapp.models import SeatRow, SeatState, TableRow, TableState
from webapp.moments import Moment
from webapp.pages.common import page, parts, signed_in
from webapp.sheets import blank_score_sheet, deadline_of, score_sheet_of, summary_of, turn_sheet_of, zone_of
from webapp.store import Stored, table_seats
from webapp.tokens import LinkInvalid, SeatLink, TurnLink

blueprint = Blueprint("seats", __name__)
AWAITED = {Stage.PASS: "to pass", Stage.PLAY: "to play", Stage.MOON: "to say what the moon is worth"}

UNREACHABLE = "; cannot be reached by mail"
UNREACHABLE_STATE = "unreachable"


@dataclass(frozen=True, slots=True)
class WaitLine:
    """Somebody who is awaited, for what, and until when."""

    name: str
    what: str
    deadline: Moment | None


@dataclass(frozen=True, slots=True)
class OpenChair:
    """A chair that its host may give to somebody else."""

    seat: int
    name: str
    state: str


@dataclass(frozen=True, slots=True)
class HostTools:
    chairs: list[OpenChair]
    action: str


@blueprint.get("/seat/<token>")
def table(token: str) -> str:
    return _table_page(token, host_error=None)


@blueprint.post("/seat/<token>/chair")
def refill(token: str) -> AnyResponse | tuple[str, int]:
    link = parts().signer.read(SeatLink, token)
    try:
        number, chair = _read_chair()
        tables.refill(parts(), link, number, chair, parts().now())
    except BadField as error:
        return _table_page(token, host_error=str(error)), 400
    return redirect(f"/seat/{token}", 303)


@blueprint.get("/seat/<token>/record.json")
def record(token: str) -> Response:
    """The game record, of finished hands only: the cards of a running hand are nobody's to see."""
    link = parts().signer.read(SeatLink, token)
    with parts().database.reading() as rows:
        tables.own_seat(rows, link)
        stored = _stored(rows, link)
        code = rows.get_one(TableRow, link.table_id).code
    if stored is None:
        raise LinkInvalid
    finished = record_of(stored.game.rules, stored.names, stored.finished_turns())
    name = f"hearts-{code}-{stored.row.number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(record_text(finished), mimetype="application/json", headers=headers)


def _stored(rows: Session, link: SeatLink) -> Stored | None:
    row = tables.current_game(rows, link.table_id)
    return store.load(rows, row.id) if row and row.id else None


def _read_chair() -> tuple[int, Chair | None]:
    """Which chair the host gives away, and to whom (None: to a robot). Raises BadField."""
    try:
        number = int(request.form.get("seat", ""))
    except ValueError:
        raise BadField("Please use the form on this page.") from None
    match request.form.get("kind"):
        case "robot":
            return number, None
        case "player":
            name = read_name(request.form.get("name", ""))
            return number, Chair(name, read_address(request.form.get("address", "")))
        case _:
            raise BadField("Please choose a robot, or somebody else.")


def _table_page(token: str, host_error: str | None) -> str:
    link = parts().signer.read(SeatLink, token)
    now = parts().now()
    with parts().database.reading() as rows:
        seat = tables.own_seat(rows, link)
        zone = zone_of(rows, seat)
        table = rows.get_one(TableRow, link.table_id)
        seats = table_seats(rows, link.table_id)
        stored = _stored(rows, link)
        unreachable = letters.unreachable_seats(rows, link.table_id)
    is_playing = stored is not None and stored.game.stage is not Stage.OVER
    return page(
        "table",
        table=summary_of(table, seats),
        score=score_sheet_of(stored) if stored else blank_score_sheet(table, seats),
        waiting=_waiting(stored, deadline_of(stored, zone, now), unreachable) if stored else [],
        sheet=turn_sheet_of(stored, Seat(link.seat), zone, now) if stored and is_playing else None,
        record_link=f"/seat/{token}/record.json" if stored and stored.game.scores else None,
        turn_link=_turn_link(stored, seat) if stored else None,
        host=_host_tools(token, link, table, list(seats), unreachable),
        host_error=host_error,
    )


def _turn_link(stored: Stored, seat: SeatRow) -> str | None:
    """The way to the turn page, for the seat's player if she is signed in; the seat's link alone only shows."""
    player, due = signed_in(), due_of(stored.game, Seat(seat.seat))
    if player is None or player.id != seat.player_id or due is None:
        return None
    return parts().signer.local_url(TurnLink(stored.id, seat.seat, due.hand, due.what))


def _waiting(stored: Stored, deadline: Moment | None, unreachable: set[int]) -> list[WaitLine]:
    game = stored.game
    what = {seat: AWAITED[game.stage] + (UNREACHABLE if seat in unreachable else "") for seat in game.to_act}
    return [WaitLine(stored.names[seat], words, deadline) for seat, words in what.items()]


def _host_tools(
    token: str, link: SeatLink, table: TableRow, seats: list[SeatRow], unreachable: set[int]
) -> HostTools | None:
    if link.player_id != table.host_id or table.state is not TableState.INVITING:
        return None
    free = [seat for seat in seats if seat.state in (SeatState.INVITED, SeatState.DECLINED)]
    chairs = [
        OpenChair(seat.seat, seat.name, UNREACHABLE_STATE if seat.seat in unreachable else seat.state.value)
        for seat in free
    ]
    return HostTools(chairs, f"/seat/{token}/chair")
