"""Changes a player's holidays, which the page of their preferences lists."""

from flask import Blueprint, request
from werkzeug.wrappers import Response

from webapp.core.refusal import Refused
from webapp.forms.holidays import HolidayForm, read_holiday_form
from webapp.pages.common import runtime
from webapp.pages.preferences import done_page, opened, preferences_page
from webapp.players import holidays

blueprint = Blueprint("holidays", __name__)


@blueprint.post("/preferences/<token>/holidays")
def add(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    form = read_holiday_form(request.form)
    if form.holiday is not None and _was_added(form, link.player_id):
        return done_page(token, "holiday")
    return preferences_page(token, link, holiday_form=form), 400


@blueprint.post("/preferences/<token>/holidays/remove")
def remove(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    form = read_holiday_form(request.form)
    if form.holiday is None:
        return preferences_page(token, link, error="Please use the buttons on this page."), 400
    holidays.remove_holiday(runtime(), link.player_id, form.holiday, runtime().now())
    return done_page(token, "working")


def _was_added(form: HolidayForm, player_id: int) -> bool:
    """Adds the holiday of the form; or puts into the form why not."""
    assert form.holiday is not None
    try:
        holidays.add_holiday(runtime(), player_id, form.holiday, runtime().now())
    except Refused as error:
        form.errors["holiday_first"] = str(error)
        return False
    return True
