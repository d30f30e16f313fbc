"""Serves the page of a paused game that anybody at the table may let go on. Its one button does, for everybody.

The link of the mail about a rest is that of the seat's table page, which shows, and does not play: whoever it was
forwarded to can let the game go on, and no more.
"""

from dataclasses import dataclass

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.core.tokens import SeatLink
from webapp.games.record import links, store
from webapp.games.record.store import TableGame
from webapp.models import SeatRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.clock_text import GO_ON, pause_note
from webapp.presentation.sheets import summary_of, zone_of
from webapp.presentation.summary import TableSummary
from webapp.tables import pausing, seating

blueprint = Blueprint("pausing", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedPage(PageContext):
    table: TableSummary
    note: str
    done: str | None = None  # what was played, where they came by an old link
    go_on: str = GO_ON
    action: str
    table_link: str


@blueprint.get("/seat/<token>/rest")
def show(token: str) -> Response | str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seat, stored = seating.own_seat(session, link), store.load_newest(session, link.table_id)
    if stored is None or stored.table.pause is None or not stored.table.pause.is_anybodys:
        return redirect(f"/seat/{token}", 303)
    return pause_page(stored, seat)


@blueprint.post("/seat/<token>/rest")
def go_on(token: str) -> Response:
    pausing.go_on(runtime(), runtime().signer.read(SeatLink, token), runtime().now())
    return redirect(f"/seat/{token}", 303)


def pause_page(stored: TableGame, seat: SeatRow, done: str | None = None) -> str:
    """The page of the game for the player of `seat`."""
    with reading() as session:
        zone = zone_of(session, seat)
    table, link = summary_of(stored.table, stored.seats), runtime().signer.local_url(links.seat_link(seat))
    return page(
        PausedPage(
            table=table,
            note=pause_note(stored.table.pause, runtime().now(), zone),
            done=done,
            action=f"{link}/rest",
            table_link=link,
            reader=seat.player_id,
        )
    )
