"""Shows a host the link that they send by messenger and who has come by it, and changes what they decide about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from webapp.core.tokens import PlayLink, SeatLink
from webapp.forms.fields import BadField, read_number
from webapp.games.record.links import seat_link
from webapp.models import SeatRow, TableRow
from webapp.pages.common import runtime
from webapp.presentation.sheets import summary_of
from webapp.tables import messenger

blueprint = Blueprint("guest_list", __name__)


@dataclass(frozen=True, slots=True)
class GuestList:
    """The host's link and the people who came by it, as the host's pages show them."""

    url: str | None  # None: no seat is left for it
    title: str  # of what is sent by messenger
    number: int  # of the link
    came: tuple[tuple[int, str], ...]  # the seats and names of those who came by it
    may_deal: bool
    action: str


@blueprint.post("/<any(seat, play):where>/<token>/guests")
def decide(where: str, token: str) -> Response:
    """The host refuses a guest, takes the link back, or deals, on the page of their seat or where they play."""
    kind: type[SeatLink | PlayLink] = SeatLink if where == "seat" else PlayLink
    link, now = runtime().signer.read(kind, token), runtime().now()
    match request.form.get("want"):
        case "refuse":
            messenger.refuse(runtime(), link, _number("seat"), now)
        case "new-link":
            messenger.take_link_back(runtime(), link, _number("number"), now)
        case "deal":
            messenger.deal(runtime(), link, now)
        case _:
            abort(400)
    return redirect(f"/{where}/{token}#guests", 303)


def guest_list(
    table: TableRow, seats: Sequence[SeatRow], reader: SeatRow, address: str | None = None
) -> GuestList | None:
    """Shows a host their link and its guests; None for other players, and for a table without such a link.

    `address` is that of the page that shows it; None: the page of the host's seat.
    """
    guests = messenger.guests_of(table, seats)
    if guests is None or reader.player_id != table.host_id:
        return None
    signer = runtime().signer
    return GuestList(
        signer.url(guests.link) if guests.link else None,
        f"A seat at {summary_of(table, seats).hosts}",
        table.link_number,
        guests.came,
        guests.may_deal,
        f"{address or signer.local_url(seat_link(reader))}/guests",
    )


def _number(field: str) -> int:
    """The number in that field of the form. Aborts with status 400 if there is none."""
    try:
        return read_number(request.form.get(field, ""))
    except BadField:
        abort(400)
