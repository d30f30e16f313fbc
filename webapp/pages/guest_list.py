"""Shows a host what they decide before the first deal: about their link and its guests, and to play now with robots."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.say import say, say_many
from webapp.core.tokens import ConfirmLink, HostLink, PlayLink, SeatLink
from webapp.forms.fields import BadField, read_number
from webapp.games.record.links import check_confirm, check_host, seat_link
from webapp.models import SeatRow, SeatState, TableRow
from webapp.pages import ways_in
from webapp.pages.common import reading, runtime
from webapp.presentation.phrasing import listed
from webapp.presentation.sheets import summary_of
from webapp.tables import messenger, seating

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


@dataclass(frozen=True, slots=True)
class PlayNow:
    """The button with which a host fills all seats that are not taken with robots, and deals."""

    note: str
    action: str


@blueprint.post("/<any(seat, play, host, confirm):where>/<token>/guests")
def decide(where: str, token: str) -> AnyResponse:
    """The host refuses a guest, takes the link back, or deals: on the page of their seat, where they play, in the
    settings, or behind the link by which they have confirmed the table.
    """
    link, now = _link(where, token), runtime().now()
    match request.form.get("want"):
        case "refuse":
            messenger.refuse(runtime(), link, _number("seat"), now)
        case "new-link":
            messenger.take_link_back(runtime(), link, _number("number"), now)
        case "deal":
            messenger.deal(runtime(), link, now)
            return _to_cards(where, token, link)
        case _:
            abort(400)
    return redirect(f"/{where}/{token}#guests", 303)


@blueprint.post("/<any(seat, play, host, confirm):where>/<token>/robots")
def play_now(where: str, token: str) -> AnyResponse:
    """The host fills all seats that are not taken with robots, and deals, likewise."""
    link = _link(where, token)
    seating.play_now(runtime(), link, runtime().now())
    return _to_cards(where, token, link)


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
        say("A seat at {table}", table=summary_of(table, seats).hosts),
        table.link_number,
        guests.came,
        guests.may_deal,
        f"{address or signer.local_url(seat_link(reader))}/guests",
    )


def play_now_line(
    session: Session, table: TableRow, seats: Sequence[SeatRow], reader: SeatRow, address: str | None = None
) -> PlayNow | None:
    """Shows a host, before the table's first game, how they play at once; None where no seat is free.

    `address` as in `guest_list`.
    """
    is_free = any(seat.state in seating.FREE for seat in seats)
    if reader.player_id != table.host_id or not is_free or not seating.may_play_now(session, table):
        return None
    names = [seat.name for seat in seats if seat.state is SeatState.INVITED]
    note = say("Robots take the free seats, and we deal at once.")
    if names:
        later_on = say_many(
            len(names),
            "{names} can still say yes, and then gets the seat from its robot after a hand.",
            "{names} can still say yes, and then get their seats after a hand.",
            names=listed(names),
        )
        note = f"{note} {later_on}"
    return PlayNow(note, f"{address or runtime().signer.local_url(seat_link(reader))}/robots")


def _link(where: str, token: str) -> SeatLink | PlayLink:
    """The link of the host's seat. Raises LinkInvalid, LinkExpired or SeatLent."""
    kind: type[SeatLink | PlayLink] = SeatLink if where == "seat" else PlayLink
    if where in ("seat", "play"):
        return runtime().signer.read(kind, token)
    with reading() as session:
        if where == "host":
            table = check_host(session, runtime().signer.read(HostLink, token))
        else:
            table = check_confirm(session, runtime().signer.read(ConfirmLink, token))
        return seat_link(session.get_one(SeatRow, (table.id, 0)))


def _to_cards(where: str, token: str, link: SeatLink | PlayLink) -> AnyResponse:
    """Leads a host who has just dealt to their cards; back, if a seat is still free.

    The link to the page of a seat alone lets nobody in to play.
    """
    cards = None if where == "play" else ways_in.to_cards(link.table_id, may_enter=where != "seat")
    return redirect(cards or f"/{where}/{token}", 303)


def _number(field: str) -> int:
    """The number in that field of the form. Aborts with status 400 if there is none."""
    try:
        return read_number(request.form.get(field, ""))
    except BadField:
        abort(400)
