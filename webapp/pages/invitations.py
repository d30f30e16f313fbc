"""An invitation: one page with both answers."""

from flask import Blueprint, request

from webapp import tables
from webapp.forms import TIME_ZONES, BadField, read_name, read_time_zone
from webapp.models import PlayerRow, SeatRow, SeatState, TableRow
from webapp.pages.common import page, parts
from webapp.sheets import summary_of
from webapp.store import table_seats
from webapp.tokens import InvitationLink, SeatLink

blueprint = Blueprint("invitations", __name__)


@blueprint.get("/invitation/<token>")
def ask(token: str) -> str:
    link = parts().signer.read(InvitationLink, token)
    seat, zone = _seat(link)
    if seat.state is SeatState.ACCEPTED:
        return _answered_page(link)
    return _question_page(link, seat.name, zone, error=None)


@blueprint.post("/invitation/<token>")
def answer(token: str) -> str | tuple[str, int]:
    link = parts().signer.read(InvitationLink, token)
    seat, zone = _seat(link)
    try:
        match request.form.get("answer"):
            case "accept":
                zone = request.form.get("time_zone", zone)
                name, zone = read_name(request.form.get("name", seat.name)), read_time_zone(zone)
                tables.accept(parts(), link, name, zone, parts().now())
            case "decline":
                tables.decline(parts(), link, parts().now())
            case _:
                raise BadField("Please choose whether you will play.")
    except BadField as error:
        return _question_page(link, request.form.get("name", seat.name)[:300], zone, error=str(error)), 400
    return _answered_page(link)


def _seat(link: InvitationLink) -> tuple[SeatRow, str]:
    """The seat that is offered, and the player's time zone as far as we know it."""
    with parts().database.reading() as rows:
        seat = tables.invited_seat(rows, link)
        return seat, rows.get_one(PlayerRow, link.player_id).time_zone


def _question_page(link: InvitationLink, name: str, zone: str, error: str | None) -> str:
    with parts().database.reading() as rows:
        seats = table_seats(rows, link.table_id)
        table = summary_of(rows.get_one(TableRow, link.table_id), seats)
    return page(
        "invitation",
        table=table,
        host_name=seats[0].name,
        your_name=name,
        time_zones=TIME_ZONES,
        time_zone=zone,
        error=error,
    )


def _answered_page(link: InvitationLink) -> str:
    with parts().database.reading() as rows:
        seats = table_seats(rows, link.table_id)
        table = summary_of(rows.get_one(TableRow, link.table_id), seats)
    accepted = seats[link.seat].state is SeatState.ACCEPTED
    table_link = parts().signer.local_url(SeatLink(link.table_id, link.seat, link.player_id)) if accepted else None
    return page("invitation_answered", answer="accept" if accepted else "decline", table=table, table_link=table_link)
