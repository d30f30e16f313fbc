"""By mail or live: a live table is the second answer, and the times are folded away."""

from datetime import timedelta

import pytest

from tests.submitting import soup
from tests.webapp.forms.filled import filled, read

GUEST = {"seat_1_kind": "player", "seat_1_name": "Bo", "seat_1_address": "bo@example.org"}
MINUTE = timedelta(minutes=1)


@pytest.mark.parametrize(
    ("seconds", "pass_time", "play_time"),
    [
        pytest.param("", MINUTE, MINUTE / 2, id="half a minute a card by default"),
        pytest.param("7", MINUTE, timedelta(seconds=7), id="a minute at least to pass"),
        pytest.param("300", 5 * MINUTE, 5 * MINUTE, id="five minutes"),
    ],
)
def test_a_live_table_asks_for_each_card_within_seconds(seconds, pass_time, play_time):
    table = read(when="now", live_time=seconds, length="round", **GUEST).table
    assert (table.pass_time, table.play_time) == (pass_time, play_time)
    assert table.at_once == 1
    assert (table.rules.target, table.rules.hands) == (100, 0)


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        pytest.param({"when": "later"}, {"when": "Choose whether you play by mail or live."}, id="neither"),
        pytest.param({"play_time": "30"}, {"play_time": "Choose a time from the list."}, id="a live time by mail"),
        pytest.param({"pass_time": "30"}, {"pass_time": "Choose a time from the list."}, id="a live time to pass"),
        pytest.param(
            {"when": "now", "live_time": "3600"}, {"live_time": "Choose a time from the list."}, id="a slow live table"
        ),
    ],
)
def test_what_does_not_fit_the_answer_is_rejected(fields, errors):
    form = read(**fields)
    assert (form.table, form.errors) == (None, errors)


def test_the_folded_line_names_what_is_unusual(client):
    fields = {"preset": "club", "play_time": "3600", "target": "60", "hands": "9", "sun": "true", "host_name": ""}
    page = soup(client.post("/tables/new", data=filled(**fields)))
    assert page.select_one("#choices summary").text.endswith(
        "Club · 1 hour per turn · to 60 points · 9 hands · house rules"
    )


def test_the_page_asks_three_questions_and_folds_the_rest(client):
    page = soup(client.get("/tables/new"))
    assert [legend.text for legend in page.select("form > fieldset > legend")] == [
        *("Who?", "By mail or live?", "How long?")
    ]
    answers = {name: page.select(f"#{name} input") for name in ("when", "length")}
    assert [one["value"] for one in answers["when"]] == ["mail", "now"]
    assert [one["value"] for one in answers["length"]] == ["round", "50", "100"]
    assert [answers["when"][0].has_attr("checked"), answers["length"][0].has_attr("checked")] == [True, True]
    live = page.select_one("#when").text
    assert "Everybody now, 30 seconds a card." in live
    assert "A round of four hands takes about 20 minutes, a game to 100 points about an hour." in live
    (folded,) = page.select("form > details")
    assert folded.summary.text == "More choices none needed"
    assert [tag["name"] for tag in folded.select("select[name$=_time]")] == ["pass_time", "play_time", "live_time"]
    assert not page.select("[name=tempo]")
