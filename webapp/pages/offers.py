"""Links by which players once handed an offered seat over in the middle of a hand: they lead to the table page."""

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.core.tokens import HandOverLink, SeatLink
from webapp.pages.common import runtime

blueprint = Blueprint("offers", __name__)


@blueprint.route("/hand-over/<token>", methods=["GET", "POST"])
def show(token: str) -> Response:
    link = runtime().signer.read(HandOverLink, token)
    seat = SeatLink(link.table_id, link.seat, link.player_id, link.links)
    return redirect(runtime().signer.local_url(seat), 303)
