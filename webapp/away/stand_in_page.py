"""While a friend plays for a player: the friend gives the seat back, and the player comes back by any link of theirs.

The page "Away" asks the friend, who answers the invitation as any invited player does.
"""

from dataclasses import dataclass

from flask import Blueprint

from webapp.core.tokens import SeatLent, SeatLink
from webapp.games.record.links import seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import own_name, owner_name, table_name
from webapp.models import SeatRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.players import preferences
from webapp.tables import seating

blueprint = Blueprint("stand_ins", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInPage(PageContext):
    template = "stand_in"
    stand_in: str
    table_name: str
    back_action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInOver(PageContext):
    template = "stand_in_over"
    owner: str
    table_name: str


@blueprint.post("/seat/<token>/give-back")
def give_back(token: str) -> str:
    """Gives the seat back to its owner, whose stand-in is the link's player."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        owner = owner_name(seating.own_seat(session, link))
        name = table_name(table_seats(session, link.table_id))
    now = runtime().now()
    preferences.give_back(runtime(), link.table_id, link.player_id, now)
    return page(StandInOver(reader=link.player_id, owner=owner, table_name=name))


def lent_page(lent: SeatLent) -> tuple[str, int]:
    """The page for a player who lets somebody play their seat, with the button that brings them back."""
    with reading() as session:
        seat = session.get_one(SeatRow, (lent.table_id, lent.seat))
        name = table_name(table_seats(session, lent.table_id))
    back_link = runtime().signer.local_url(seat_link(seat, seat.stands_in_for))
    shown = page(StandInPage(stand_in=own_name(seat), table_name=name, back_action=f"{back_link}/back"))
    return shown, 403  # as for a lost seat: a page that follows the game then loads itself again
