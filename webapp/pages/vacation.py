"""Takes and ends a player's vacation at a table, and lets them have no days taken for them.

A mailed link only opens the page; the button on it changes something.
"""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.forms.fields import BadField
from webapp.pages.common import page, runtime
from webapp.pages.preferences import done_page, opened, preferences_page
from webapp.players import vacation

blueprint = Blueprint("vacation", __name__)


@blueprint.post("/preferences/<token>/vacation")
def change(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    try:
        done = change_vacation(link.player_id, _read_table())
    except Refused as error:
        return preferences_page(token, link, error=str(error)), 400
    return done_page(token, done)


@blueprint.get("/preferences/<token>/no-vacation")
def ask(token: str) -> str:
    opened(token)
    return page("no_vacation", action=f"/preferences/{token}/no-vacation", preferences_link=f"/preferences/{token}")


@blueprint.post("/preferences/<token>/no-vacation")
def take_none(token: str) -> Response:
    """From now on, no vacation day is taken for the player by itself."""
    link = opened(token)
    vacation.set_auto_vacation(runtime(), link.player_id, wanted=False, now=runtime().now())
    return done_page(token, "no-vacation")


def change_vacation(player_id: int, table_id: int) -> str:
    """Does what the form asks for at the player's table. Returns what was done, a key of `preferences.DONE`.

    Raises Refused.
    """
    now, wanted = runtime().now(), request.form.get("want")
    if wanted == "back":
        vacation.end_vacation(runtime(), player_id, table_id, now)
        return "vacation-over"
    days = request.form.get("days", "")
    if wanted != "vacation" or not (days.isascii() and days.isdecimal() and len(days) < 3):
        raise BadField("Please use the buttons on this page.")
    vacation.take_vacation(runtime(), player_id, table_id, int(days), now)
    return "vacation"


def _read_table() -> int:
    """The number of the table that the form names. Raises BadField."""
    text = request.form.get("table", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadField("Please use the buttons on this page.")
    return int(text)
