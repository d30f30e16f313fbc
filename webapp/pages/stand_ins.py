"""Lets a player who is away name a friend who plays for them, and lets the friend give the seat back.

The player comes back by any link of theirs: its page then has the button. The friend answers the invitation as any
invited player does.
"""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.core.tokens import SeatLent, SeatLink
from webapp.forms.fields import LONGEST_ECHO, read_address, read_name
from webapp.forms.opening import NewSeat
from webapp.games.links import seat_link
from webapp.games.stand_in import own_name, owner_name
from webapp.models import SeatRow, TableRow
from webapp.pages import limits
from webapp.pages.common import has_just_signed_in, page, reading, runtime
from webapp.pages.limits import Refusal, TooMuchMail
from webapp.pages.preferences import SIGN_IN_FIRST, done_page, opened, own_table, preferences_page
from webapp.players import preferences
from webapp.tables import guests, seating, stand_ins

blueprint = Blueprint("stand_ins", __name__)


@blueprint.post("/preferences/<token>/stand-in")
def ask(token: str) -> Response | tuple[str, int] | Refusal:
    """Sets the player as away at a table, and invites the friend whom they name."""
    link = opened(token)
    if not has_just_signed_in(link.player_id):
        return preferences_page(token, link, error=SIGN_IN_FIRST), 403
    typed = {name: text[:LONGEST_ECHO] for name, text in request.form.items()}
    try:
        table_id, seat = own_table(link, request.form.get("table", ""))
        friend = NewSeat(read_name(request.form.get("name", "")), read_address(request.form.get("address", "")))
        with reading() as session:
            invited = guests.invited_by_giving(session, table_id, seat, friend)
        with limits.counted(*limits.invited(link.player_id, invited)):
            stand_ins.ask(runtime(), link.player_id, table_id, friend, runtime().now())
    except TooMuchMail as error:
        return limits.refused(preferences_page(token, link, error=str(error), typed=typed), error)
    except Refused as error:
        return preferences_page(token, link, error=str(error), typed=typed), 400
    return done_page(token, "stand-in")


@blueprint.post("/seat/<token>/give-back")
def give_back(token: str) -> str:
    """Gives the seat back to the player for whom the link's player plays."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        owner = owner_name(seating.own_seat(session, link))
        code = session.get_one(TableRow, link.table_id).code
    now = runtime().now()
    preferences.give_back(runtime(), link.table_id, link.player_id, now)
    return page("stand_in_over", reader=link.player_id, owner=owner, table_name=f"Table {code}")


def lent_page(lent: SeatLent) -> tuple[str, int]:
    """The page for a player who lets somebody play their seat, with the button that brings them back."""
    with reading() as session:
        seat = session.get_one(SeatRow, (lent.table_id, lent.seat))
        code = session.get_one(TableRow, lent.table_id).code
    back_link = runtime().signer.local_url(seat_link(seat, seat.stands_in_for))
    shown = page("stand_in", stand_in=own_name(seat), table_name=f"Table {code}", back_action=f"{back_link}/back")
    return shown, 403  # as for a lost seat: a page that follows the game then loads itself again
