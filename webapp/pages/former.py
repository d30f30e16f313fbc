"""Links of older emails: each leads to the page that has taken its place, and changes nothing.

Version 1.1 mails none of them. The last ones of 1.0 expire 120 days after a service has moved on to 1.1 (`/leave`,
`/hand-over`, `/evening`), or 400 days (all others); then these ways can go.
"""

from flask import Blueprint, redirect
from werkzeug.wrappers import Response

from webapp.core.tokens import EveningLink, FormerPreferencesLink, HandOverLink, LeaveLink, PreferencesLink, SeatLink
from webapp.pages.common import runtime

blueprint = Blueprint("former", __name__)


@blueprint.get("/wishes/<token>", defaults={"page": ""})
@blueprint.get("/wishes/<token>/<path:page>")
def show_preferences(token: str, page: str) -> Response:
    former = runtime().signer.read(FormerPreferencesLink, token)
    link = runtime().signer.local_url(PreferencesLink(former.player_id, former.generation))
    return redirect(f"{link}/{page}" if page else link, 302)


@blueprint.route("/preferences/<token>/no-vacation", methods=["GET", "POST"])
def choose_spare_days(token: str) -> Response:
    return redirect(f"/preferences/{token}", 303)


@blueprint.get("/<any(play, seat, preferences):kind>/<token>/<any(wait, plan):page>")
@blueprint.route("/<any(play, seat):kind>/<token>/<any(evening, nudge):page>", methods=["GET", "POST"])
def show_page_above(kind: str, token: str, page: str) -> Response:
    return redirect(f"/{kind}/{token}", 303)


@blueprint.route("/hand-over/<token>", methods=["GET", "POST"])
def show_offer(token: str) -> Response:
    return redirect(_seat_of(runtime().signer.read(HandOverLink, token)), 303)


@blueprint.route("/evening/<token>", methods=["GET", "POST"])
def show_table(token: str) -> Response:
    return redirect(_seat_of(runtime().signer.read(EveningLink, token)), 303)


@blueprint.route("/leave/<token>", methods=["GET", "POST"])
def go_away(token: str) -> Response:
    return redirect(f"{_seat_of(runtime().signer.read(LeaveLink, token))}/away", 303)


def _seat_of(link: EveningLink | HandOverLink | LeaveLink) -> str:
    """The path of the table page, for the player of the link."""
    return runtime().signer.local_url(SeatLink(link.table_id, link.seat, link.player_id, link.links))
