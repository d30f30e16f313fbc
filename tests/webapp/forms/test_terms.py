"""By mail or live: a live table is the second answer, and the times are folded away."""

from datetime import timedelta

import pytest

from hearts.rules import preset_rules
from tests.submitting import soup
from tests.webapp.forms.filled import filled, read, rules_of
from webapp.forms.terms import Length, length_labels, length_lines, with_length
from webapp.presentation.clock_text import days_of

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


@pytest.mark.parametrize(
    ("length", "fields", "ends"),
    [
        pytest.param("round", {}, (100, 4), id="one round of four hands"),
        pytest.param("", {}, (100, 4), id="nothing chosen"),
        pytest.param("round", {"seat_4_kind": "robot"}, (100, 3), id="one round of five players"),
        pytest.param("round", {"passing": "left-right"}, (100, 2), id="one round of two directions"),
        pytest.param("round", {"preset": "quick"}, (50, 4), id="one round of a preset with another target"),
        pytest.param("round", {"preset": "rulebook"}, (100, 4), id="nothing is passed: everybody deals once"),
        pytest.param("50", {}, (50, 0), id="to 50"),
        pytest.param("100", {}, (100, 0), id="to 100"),
        pytest.param("100", {"preset": "quick"}, (100, 0), id="to 100, whatever the preset says"),
        pytest.param("round", {"target": "75"}, (75, 0), id="points that are typed"),
        pytest.param("50", {"hands": "6"}, (100, 6), id="hands that are typed"),
        pytest.param("50", {"hands": "6", "target": "75"}, (75, 6), id="both typed"),
    ],
)
def test_the_length_sets_the_games_end_unless_one_is_typed(length, fields, ends):
    rules = rules_of(**{"length": length, **fields})
    assert (rules.target, rules.hands) == ends


@pytest.mark.parametrize(("guest", "at_once"), [(GUEST, 4), ({}, 1)], ids=["a friend", "robots alone"])
def test_hands_are_side_by_side_where_people_play(guest, at_once):
    assert read(length="100", **guest).table.at_once == at_once


def test_an_unknown_length_is_rejected():
    assert read(length="years").errors == {"length": "Choose from the list how long the game is."}


def test_every_length_has_its_days_and_a_label():
    days = {length: f"Takes {days_of(with_length(preset_rules('classic'), length), 4)}." for length in Length}
    assert length_lines() == days
    assert set(days) == set(length_labels(preset_rules("classic"))) == set(Length)
    assert length_labels(preset_rules("classic", players=5))[Length.ROUND] == "One round: three hands"
    assert with_length(preset_rules("classic"), Length.ROUND).hands == 4


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        pytest.param({}, "One round: four hands", id="four players"),
        pytest.param({"seat_3_kind": "none"}, "One round: three hands", id="three players"),
        pytest.param({"preset": "kitty"}, "One round: four hands", id="another preset"),
        pytest.param({"preset": "whist"}, "One round: four hands", id="no preset"),
    ],
)
def test_the_page_names_the_hands_of_a_round(client, fields, label):
    page = client.post("/tables/new", data={**filled(), **fields, "host_name": ""}).text
    assert f"<strong>{label}</strong>" in page
