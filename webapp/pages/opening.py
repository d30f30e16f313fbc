"""Opening a table: the form, and the host's confirmation from her own inbox."""

from flask import Blueprint, redirect, request, session
from werkzeug.wrappers import Response

from hearts.rules import PRESETS
from webapp import tables
from webapp.forms import TIME_ZONES, OpenForm, blank_open_form, paces, read_open_form
from webapp.models import SeatRow, TableRow, TableState
from webapp.pages.common import page, parts
from webapp.sheets import summary_of
from webapp.store import table_seats
from webapp.tokens import ConfirmLink, LinkInvalid, SeatLink

blueprint = Blueprint("opening", __name__)
SENT_TO = "sent_to"  # in the session cookie: the address that the last page asked us to write to


@blueprint.get("/tables/new")
def form() -> str:
    return _form_page(blank_open_form())


@blueprint.post("/tables/new")
def open_table() -> Response | tuple[str, int]:
    form = read_open_form(request.form, parts().settings.shortest_pace_seconds)
    if form.table is None:
        return _form_page(form), 400
    tables.open_table(parts(), form.table, parts().now())
    session[SENT_TO] = form.table.host_address
    return redirect("/tables/opened", 303)


@blueprint.get("/tables/opened")
def opened() -> str:
    return page("opened", address=session.get(SENT_TO))


@blueprint.get("/confirm/<token>")
def ask_to_confirm(token: str) -> str:
    link = parts().signer.read(ConfirmLink, token)
    table, seats = _table(link.table_id)
    if table.state is not TableState.UNCONFIRMED:
        return _confirmed_page(table, seats)
    return page("confirm", table=summary_of(table, seats), action=request.path)


@blueprint.post("/confirm/<token>")
def confirm(token: str) -> str:
    link = parts().signer.read(ConfirmLink, token)
    tables.confirm(parts(), link, parts().now())
    return _confirmed_page(*_table(link.table_id))


def _form_page(form: OpenForm) -> str:
    presets = [(name.value, preset.label, preset.line) for name, preset in PRESETS.items()]
    shown = paces(parts().settings.shortest_pace_seconds)
    return page("open_table", form=form, presets=presets, time_zones=TIME_ZONES, paces=shown)


def _confirmed_page(table: TableRow, seats: list[SeatRow]) -> str:
    link = SeatLink(seats[0].table_id, 0, table.host_id)
    return page("confirmed", table=summary_of(table, seats), table_link=parts().signer.local_url(link))


def _table(table_id: int) -> tuple[TableRow, list[SeatRow]]:
    with parts().database.reading() as rows:
        table = rows.get(TableRow, table_id)
        if table is None:
            raise LinkInvalid
        return table, list(table_seats(rows, table_id))
