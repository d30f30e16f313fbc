"""The button by which a player lets a robot play the present hand, and the one by which they play it again."""

from dataclasses import dataclass

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from hearts.seats import Seat
from webapp.core.tokens import PlayLink, SeatLink
from webapp.games.asked.whose_turn import ROBOT, first_asked
from webapp.games.record.links import seat_link
from webapp.games.record.live import plays_live
from webapp.games.record.store import TableGame, load_newest
from webapp.models import GameState, SeatRow
from webapp.pages.common import reading, runtime
from webapp.players.robot_hand import set_robot_hand
from webapp.tables import seating

blueprint = Blueprint("robot_hand", __name__)


@dataclass(frozen=True, slots=True)
class RobotHand:
    """The button for the present hand: the path that takes it, and whether a robot plays already."""

    action: str
    hands: int  # as many as are played side by side
    is_robots: bool


@blueprint.post("/<any(play, seat):kind>/<token>/robot")
def change(kind: str, token: str) -> Response:
    at_table: type[PlayLink | SeatLink] = PlayLink if kind == "play" else SeatLink
    link = runtime().signer.read(at_table, token)
    with reading() as session:
        seat = seating.own_seat(session, link)
        newest = load_newest(session, link.table_id)
    if newest and newest.row.state is GameState.PLAYING:
        hand = first_asked(newest, Seat(seat.seat)).game.hand if request.form.get("who") == ROBOT else None
        set_robot_hand(runtime(), link.player_id, link.table_id, hand, runtime().now())
    return redirect(f"/{kind}/{token}", 303)


def robot_hand(stored: TableGame, row: SeatRow, follows: str | None) -> RobotHand | None:
    """The button for the player of the seat; `follows` is the URL of the page that follows the game.

    None for a robot's seat, and at a live table, where everybody is there.
    """
    if row.player_id is None or plays_live(stored.table):
        return None
    link = follows or runtime().signer.local_url(seat_link(row))
    return RobotHand(f"{link}/robot", stored.row.at_once, stored.has_handed_over(row))
