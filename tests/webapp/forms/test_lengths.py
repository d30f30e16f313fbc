"""How long a game by mail is: the rules that follow from the host's choice."""

import pytest

from hearts.rules import preset_rules
from tests.webapp.forms.filled import filled, read, rules_of
from webapp.forms.lengths import Length, length_labels, length_lines, with_length
from webapp.presentation.clock_text import days_of

GUEST = {"seat_1_kind": "player", "seat_1_name": "Bo", "seat_1_address": "bo@example.org"}


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
