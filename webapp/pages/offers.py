"""Shows a player that the host has offered their seat to somebody else; they play on, or hand it over at once."""

from dataclasses import dataclass

from flask import Blueprint, request
from sqlmodel import Session

from webapp.core.refusal import Refused
from webapp.core.tokens import HandOverLink
from webapp.forms.fields import BadField
from webapp.games.record.links import seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.models import SeatRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.tables import seating
from webapp.tables.offers import Offer, OfferGone, offer_of, offered_seat

blueprint = Blueprint("offers", __name__)


@dataclass(frozen=True, slots=True)
class OfferNote:
    """The note about the offer of a seat on its player's pages, and the link to the page where they decide."""

    offer: Offer
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(PageContext):
    template = "hand_over"
    step: str
    table_name: str
    newcomer: str
    offer: Offer | None
    table_link: str | None
    error: str | None = None


@blueprint.get("/hand-over/<token>")
def ask(token: str) -> str:
    return _page(token)


@blueprint.post("/hand-over/<token>")
def answer(token: str) -> str | tuple[str, int]:
    link, want = runtime().signer.read(HandOverLink, token), request.form.get("want")
    try:
        if want not in ("now", "later"):
            raise BadField("Please use the buttons on this page.")
        seating.hand_over(runtime(), link, runtime().now(), at_once=want == "now")
    except Refused as error:
        return _page(token, error=str(error)), 400
    except OfferGone:
        return _page(token), 409
    return _page(token)


def offer_note(session: Session, seat: SeatRow) -> OfferNote | None:
    """The note for the player of the seat; None if the seat is not offered to anybody, or no game is played."""
    offer = offer_of(session, seat)
    if offer is None:
        return None
    link = HandOverLink(seat.table_id, seat.seat, seat.player_id or 0, seat.offered_to or 0, seat.links)
    return OfferNote(offer, runtime().signer.local_url(link))


def _page(token: str, *, error: str | None = None) -> str:
    """The state of the offer, for the player who has or had the seat.

    Raises LinkInvalid, LinkExpired, and SeatLost if a third player or a robot has the seat.
    """
    link = runtime().signer.read(HandOverLink, token)
    with reading() as session:
        seat = offered_seat(session, link)
        offer = offer_of(session, seat) if seat.offered_to == link.newcomer_id else None
        name, newcomer = _names(session, link, seat)
    is_theirs = seat.player_id == link.player_id
    return page(
        HandOver(
            reader=link.player_id,
            table_name=name,
            offer=offer,
            newcomer=newcomer,
            step=_step(offer, is_theirs=is_theirs),
            table_link=runtime().signer.local_url(seat_link(seat)) if is_theirs else None,
            error=error,
        )
    )


def _names(session: Session, link: HandOverLink, seat: SeatRow) -> tuple[str, str]:
    """The name of the table, and that of the newcomer, who has the seat already or is to have it."""
    is_theirs = seat.player_id == link.player_id
    return table_name(table_seats(session, link.table_id)), (seat.offered_name or "") if is_theirs else seat.name


def _step(offer: Offer | None, *, is_theirs: bool) -> str:
    """The state that the page shows."""
    if not is_theirs:
        return "done"
    if offer is None:
        return "over"
    return "released" if offer.is_released else "accepted" if offer.is_accepted else "asked"
