"""A player who has muted a table hands their seat to a robot for good, by the link in the mail that asked them."""

from dataclasses import dataclass

from flask import Blueprint

from webapp.core.tokens import LeaveLink, SeatLost
from webapp.games.record.links import check_seat
from webapp.games.record.rows import table_seats
from webapp.models import SeatRow, TableRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.sheets import summary_of
from webapp.tables import leaving

blueprint = Blueprint("leaving", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavePage(PageContext):
    template = "leave"
    table_name: str
    is_theirs: bool
    may_leave: bool


@blueprint.get("/leave/<token>")
def ask(token: str) -> str:
    return _page(runtime().signer.read(LeaveLink, token))


@blueprint.post("/leave/<token>")
def leave(token: str) -> str:
    link = runtime().signer.read(LeaveLink, token)
    leaving.leave(runtime(), link, runtime().now())
    return _page(link)


def _page(link: LeaveLink) -> str:
    """The page with the button, or, once somebody else has the seat, what has become of it.

    Raises LinkInvalid if there is no such seat, LinkExpired, and SeatLent while a friend plays for the player.
    """
    with reading() as session:
        seat = session.get(SeatRow, (link.table_id, link.seat))
        try:
            check_seat(link, seat)
            is_theirs = True
        except SeatLost:
            is_theirs = False
        table = session.get_one(TableRow, link.table_id)
        name = summary_of(table, table_seats(session, table.id)).hosts
        may_leave = is_theirs and leaving.may_leave(table, link.player_id)
    return page(LeavePage(table_name=name, is_theirs=is_theirs, may_leave=may_leave))
