"""The tempo of a new table: the plan with which everybody begins."""

from datetime import timedelta

import pytest

from hearts.plans import Asking, Plan
from tests.cast import seat_link
from tests.submitting import words
from webapp.forms.opening import read_open_form
from webapp.games.planning import plan_of
from webapp.models import SeatRow, TableRow

MATTERS = Plan(asking=Asking.MATTERS)
FORM = {
    "host_name": "Ann",
    "host_address": "ann@example.org",
    "time_zone": "UTC",
    "preset": "classic",
    "seat_1_kind": "player",
    "seat_1_name": "Bo",
    "seat_1_address": "bo@example.org",
    "seat_2_kind": "robot",
    "seat_3_kind": "robot",
    "pass_time": "86400",
    "play_time": "86400",
    "guards": "yes",
}


@pytest.mark.parametrize(
    ("fields", "asking", "guards", "at_once"),
    [
        pytest.param({"tempo": "week"}, Asking.MATTERS, True, 4, id="week"),
        pytest.param({"tempo": "week", "seat_3_kind": "none"}, Asking.MATTERS, True, 3, id="three players"),
        pytest.param({"tempo": "week", "passing": "left"}, Asking.MATTERS, True, 1, id="one direction"),
        pytest.param({"tempo": "week", "play_time": "60", "pass_time": "60"}, Asking.ASK, True, 1, id="a live week"),
        pytest.param({"tempo": "weeks"}, Asking.MATTERS, True, 1, id="weeks"),
        pytest.param({"tempo": "cards"}, Asking.ASK, True, 1, id="every card"),
        pytest.param({}, Asking.ASK, True, 1, id="a form from before"),
        pytest.param({"tempo": "weeks", "guards": ""}, Asking.MATTERS, False, 1, id="without guards"),
        pytest.param({"tempo": "weeks", "play_time": "60", "pass_time": "60"}, Asking.ASK, True, 1, id="live"),
        pytest.param({"tempo": "week", "seat_1_kind": "robot"}, Asking.ASK, True, 1, id="robots only"),
    ],
)
def test_the_tempo_gives_every_seat_its_plan_and_the_table_its_hands_at_once(fields, asking, guards, at_once):
    form = read_open_form({**FORM, **fields}, shortest_pace=None)
    assert form.errors == {}
    assert (form.table.plan.asking, form.table.guards, form.table.at_once) == (asking, guards, at_once)


def test_an_unknown_tempo_is_refused():
    form = read_open_form({**FORM, "tempo": "years"}, shortest_pace=None)
    assert form.errors == {"tempo": "Choose from the list how long a game takes."}


def test_the_form_begins_with_plans_and_the_table_says_so(client, runtime):
    page = client.get("/tables/new").get_data(as_text=True)
    assert 'name="tempo" value="week" checked' in page
    assert client.post("/tables/new", data={**FORM, "tempo": "week"}).status_code == 303
    runtime.now.pass_by(timedelta(minutes=1))
    with runtime.database.reading() as session:
        table = session.get_one(TableRow, 1)
        assert plan_of(table, session.get_one(SeatRow, (1, 0))) == MATTERS
        assert table.at_once == 4
    seat = runtime.signer.local_url(seat_link(runtime, 1, 0))
    assert "We play cards with nothing at stake for you" in words(client.get(seat))
