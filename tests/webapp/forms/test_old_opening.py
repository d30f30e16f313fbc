"""The form to open a table as pages of earlier versions sent it: a tempo, a time bank, and live times among all."""

import pytest

from hearts.plans import Asking
from tests.submitting import soup
from webapp.forms.fields import BANKS
from webapp.forms.old_opening import as_today
from webapp.forms.opening import blank_open_form, read_open_form

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
        pytest.param({}, Asking.ASK, True, 1, id="no such field"),
        pytest.param({"tempo": "weeks", "guards": ""}, Asking.MATTERS, False, 1, id="without guards"),
        pytest.param({"tempo": "weeks", "play_time": "60", "pass_time": "60"}, Asking.ASK, True, 1, id="live"),
        pytest.param({"tempo": "week", "seat_1_kind": "robot"}, Asking.ASK, True, 1, id="robots only"),
    ],
)
def test_the_tempo_sets_each_seats_plan_and_hands_at_once(fields, asking, guards, at_once):
    form = read_open_form({**FORM, **fields}, shortest_pace=None)
    assert form.errors == {}
    assert (form.table.plan.asking, form.table.guards, form.table.at_once) == (asking, guards, at_once)


def test_an_unknown_tempo_is_refused():
    form = read_open_form({**FORM, "tempo": "years"}, shortest_pace=None)
    assert form.errors == {"tempo": "Choose from the list how long a game takes."}


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        pytest.param({"bank": "usual"}, "usual", id="a bank"),
        pytest.param({"bank": "none"}, "none", id="none"),
        pytest.param({}, "none", id="no such field"),
    ],
)
def test_an_old_form_may_name_a_time_bank(fields, chosen):
    form = read_open_form({**FORM, **fields}, shortest_pace=None)
    assert form.errors == {}
    assert form.table.bank == BANKS[chosen]


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        pytest.param({"bank": "usual", "pass_time": "15"}, ["bank"], id="a bank, and a live time to pass"),
        pytest.param({"bank": "usual", "play_time": "15"}, ["bank"], id="a bank, and a live time to play"),
        pytest.param({"bank": "endless"}, ["bank"], id="no such bank"),
        pytest.param({"pass_time": "1"}, ["pass_time"], id="no such time"),
    ],
)
def test_an_invalid_old_form_opens_nothing(fields, errors):
    form = read_open_form({**FORM, **fields}, shortest_pace=None)
    assert (form.table, list(form.errors)) == (None, errors)


def test_an_old_form_ends_the_game_as_it_says():
    rules = [read_open_form({**FORM, "target": target}, None).table.rules for target in ("", "60")]
    assert [(one.target, one.hands) for one in rules] == [(100, 0), (60, 0)]


@pytest.mark.parametrize(
    ("old", "today"),
    [
        pytest.param(
            {"play_time": "43200", "pass_time": "86400"},
            {"when": "mail", "length": "100", "target": "", "play_time": "43200", "pass_time": "86400"},
            id="by mail, to 100",
        ),
        pytest.param({"target": "50"}, {"when": "mail", "length": "50", "target": ""}, id="to 50"),
        pytest.param({"target": "60"}, {"when": "mail", "length": "100", "target": "60"}, id="another target"),
        pytest.param(
            {"play_time": "15", "pass_time": "60", "target": "50"},
            {"when": "now", "length": "50", "live_time": "15", "target": "50"},
            id="live, which has no length but its target",
        ),
    ],
)
def test_fields_of_an_old_page_are_shown_as_todays_fields(old, today):
    assert as_today(old) == today


def test_an_old_form_with_an_error_returns_as_todays_page(client):
    page = soup(client.post("/tables/new", data={**FORM, "host_name": "", "play_time": "15", "pass_time": "60"}))
    assert page.select_one("#when input[checked]")["value"] == "now"
    assert page.select_one("#live_time option[selected]")["value"] == "15"


def test_what_an_old_page_remembered_begins_with_one_round(client):
    kept = blank_open_form({"host_name": "Ann", "play_time": "43200", "pass_time": "86400", "tempo": "cards"}).values
    assert (kept["host_name"], kept["when"], kept["length"], kept["play_time"]) == ("Ann", "mail", "round", "43200")
    assert "tempo" not in kept
