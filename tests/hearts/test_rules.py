"""The rules on which a table may agree: options and presets."""

from dataclasses import replace

import pytest
from hypothesis import given

from hearts.rules import (
    OPTIONS,
    PRESETS,
    BadRules,
    Kitty,
    MoonScoring,
    Opening,
    OpeningBan,
    Passing,
    Preset,
    QueenBreaks,
    Rules,
    TieBreak,
    When,
    choices,
    parse_rules,
    preset_rules,
    rules_mapping,
)
from tests.hearts.plain import DEFAULTS
from tests.hearts.strategies import any_rules


def test_the_first_value_of_every_option_is_its_default():
    rules = Rules()
    assert {name: getattr(rules, name) for name in OPTIONS[1:]} == DEFAULTS
    counted = ("players", "target", "pass_count")
    assert all(choices(name)[0] == DEFAULTS[name] for name in OPTIONS[1:] if name not in counted)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 2}, "players must be a whole number from 3 to 11"),
        ({"players": 12, "packs": 2, "opening": "eldest"}, "players must be a whole number from 3 to 11"),
        ({"players": 4.0}, "players must be a whole number"),
        ({"players": True}, "players must be a whole number"),
        ({"players": "4"}, "players must be a whole number"),
        ({"packs": 3}, "packs must be a whole number from 1 to 2"),
        ({"target": 9}, "target must be a whole number from 10 to 500"),
        ({"target": 501}, "target must be a whole number from 10 to 500"),
        ({"target": None}, "target must be a whole number"),
        ({"hands": 41}, "hands must be a whole number from 0 to 40"),
        ({"hands": -1}, "hands must be a whole number from 0 to 40"),
        ({"hands": None}, "hands must be a whole number"),
        ({"hands": True}, "hands must be a whole number"),
        ({"pass_count": 0}, "pass_count must be a whole number from 1 to 5"),
        ({"pass_count": 6}, "pass_count must be a whole number from 1 to 5"),
        ({"passing": "right-left"}, "passing must be left-right-across-keep, left-right-across, .* or none"),
        ({"passing": []}, "passing must be"),
        ({"first_trick_points": 1}, "first_trick_points must be false or true"),
        ({"sun": "true"}, "sun must be false or true"),
        ({"queen_points": 5}, "queen_points must be 13 or 0"),
        ({"queen_points": False}, "queen_points must be 13 or 0"),
        ({"jack_points": 10}, "jack_points must be 0, -5 or -10"),
        ({"no_tricks_bonus": -10}, "no_tricks_bonus must be 0 or -5"),
        ({"moon": "ask"}, "moon must be add, subtract, smart or choice"),
        ({"preset": "chess"}, "preset must be classic, .* or cancellation"),
        ({"bidding": True}, "there is no option 'bidding'"),
    ],
)
def test_an_invalid_value_of_an_option_is_rejected(options, sentence):
    with pytest.raises(BadRules, match=sentence):
        parse_rules(options)


@pytest.mark.parametrize(
    ("options", "option", "sentence"),
    [
        ({"players": 8}, "packs", "8 players need two packs: set packs to 2"),
        ({"players": 5, "packs": 2, "opening": "eldest"}, "packs", "set packs to 1"),
        ({"players": 3, "partnership": True}, "partnership", "set players to 4"),
        ({"players": 8, "packs": 2, "opening": "eldest", "kitty": "first-trick"}, "kitty", "set kitty to off"),
        ({"players": 8, "packs": 2}, "opening", "set opening to eldest, not low-club"),
        ({"players": 8, "packs": 2, "opening": "any-club"}, "opening", "set opening to eldest, not any-club"),
        ({"target": 9}, None, "target must be"),
    ],
)
def test_a_refusal_names_the_conflicting_option_and_what_to_change(options, option, sentence):
    with pytest.raises(BadRules, match=sentence) as refused:
        parse_rules(options)
    assert refused.value.option == option


@pytest.mark.parametrize(
    "options",
    [
        {"cancellation": "pairs"},
        {"opening_ban": "hearts"},
        {"players": 6},
        {"players": 6, "packs": 2, "opening": "eldest"},
        {"players": 7, "packs": 2, "opening": "eldest"},
        {"players": 7, "kitty": "last-trick", "pass_count": 5},
    ],
)
def test_an_option_that_has_no_effect_is_accepted(options):
    assert parse_rules(options) == Rules(**{name: getattr(parse_rules(options), name) for name in OPTIONS})


def test_rules_made_by_hand_are_checked_too():
    with pytest.raises(BadRules, match="moon must be"):
        Rules(moon="add")
    with pytest.raises(BadRules, match="set packs to 2"):
        replace(Rules(), players=9)


RULEBOOK = {"passing": Passing.NONE, "queen_breaks": QueenBreaks.LED, "tie_break": TieBreak.EXTRA_HAND}
CLUB = {"queen_breaks": QueenBreaks.PLAYED, "queen_lead": When.AFTER_BROKEN, "moon": MoonScoring.SMART}
TRADITIONAL = {
    "opening": Opening.ELDEST,
    "opening_ban": OpeningBan.HEARTS,
    "first_trick_points": True,
    "hearts_lead": When.ANYTIME,
}


@pytest.mark.parametrize(
    ("preset", "players", "differs"),
    [
        *(("classic", players, {}) for players in (3, 4, 5, 6, 7)),
        ("traditional", 4, {**TRADITIONAL, "passing": Passing.LEFT_RIGHT_ACROSS}),
        ("traditional", 3, {**TRADITIONAL, "passing": Passing.LEFT_RIGHT_KEEP}),
        ("traditional", 5, {**TRADITIONAL, "passing": Passing.LEFT_RIGHT_KEEP}),
        ("traditional", 6, {**TRADITIONAL, "passing": Passing.LEFT_RIGHT_KEEP}),
        *(("rulebook", players, RULEBOOK) for players in (3, 4, 5, 6, 7)),
        ("quick", 4, {"target": 50}),
        ("club", 3, CLUB),
        ("club", 4, CLUB),
        ("partners", 4, {**CLUB, "partnership": True}),
        ("omnibus", 4, {**RULEBOOK, "jack_points": -10, "passing": Passing.LEFT_RIGHT_ACROSS_KEEP}),
        *(
            ("omnibus", players, {**RULEBOOK, "jack_points": -10, "passing": Passing.LEFT_RIGHT})
            for players in (3, 5, 6, 7)
        ),
        *(("kitty", players, {**RULEBOOK, "kitty": Kitty.FIRST_POINTS}) for players in (3, 4, 5, 6, 7)),
        *(
            (
                "cancellation",
                players,
                {**RULEBOOK, "packs": 2, "passing": Passing.LEFT_RIGHT, "opening": Opening.ELDEST, "target": 150},
            )
            for players in (6, 7, 8, 9, 10, 11)
        ),
    ],
)
def test_a_preset_differs_from_the_defaults_as_its_line_says(preset, players, differs):
    rules = preset_rules(preset, players=players)
    default = {**DEFAULTS, "players": players, "preset": preset, **differs}
    assert {name: getattr(rules, name) for name in OPTIONS} == default


def test_every_number_of_players_that_a_preset_suggests_is_accepted():
    assert list(PRESETS) == list(Preset)
    assert {preset: line.players for preset, line in PRESETS.items()} == {
        "classic": (3, 4, 5, 6, 7),
        "traditional": (3, 4, 5),
        "rulebook": (3, 4, 5, 6, 7),
        "quick": (4,),
        "club": (3, 4),
        "partners": (4,),
        "omnibus": (3, 4, 5, 6, 7),
        "kitty": (3, 4, 5, 6, 7),
        "cancellation": (6, 7, 8, 9, 10, 11),
    }
    assert all(preset_rules(preset, players=players) for preset, line in PRESETS.items() for players in line.players)


def test_cancellation_needs_the_number_of_players():
    with pytest.raises(BadRules, match="must be told how many play"):
        preset_rules("cancellation")


def test_options_override_those_of_the_preset():
    rules = preset_rules("omnibus", jack_points=-5, passing="right", moon=MoonScoring.CHOICE)
    assert (rules.jack_points, rules.passing, rules.moon, rules.tie_break) == (-5, "right", "choice", "extra-hand")


def test_without_a_preset_the_rules_start_from_classic():
    assert parse_rules({"target": 50}) == preset_rules("classic", target=50)


@pytest.mark.parametrize(
    ("options", "may_reach"),
    [
        pytest.param({}, True, id="no limit"),
        pytest.param({"hands": 4}, False, id="three hands of 26 points are less than 100"),
        pytest.param({"hands": 5}, True, id="four hands of 26 points are more"),
        pytest.param({"hands": 4, "target": 78}, True, id="exactly the target"),
        pytest.param({"hands": 4, "sun": True}, True, id="the sun counts double"),
        pytest.param({"hands": 8, "queen_points": 0}, False, id="hearts alone"),
        pytest.param({"hands": 1, "target": 10}, False, id="one hand"),
    ],
)
def test_the_target_matters_if_it_can_be_reached_early(options, may_reach):
    assert preset_rules("classic", **options).may_reach_target is may_reach


def test_rules_are_stored_as_a_preset_with_the_differing_options():
    rules = preset_rules("cancellation", players=8, target=100, sun=True)
    assert rules_mapping(rules) == {"preset": "cancellation", "players": 8, "target": 100, "sun": True}
    assert rules_mapping(Rules()) == {"preset": "classic", "players": 4}
    two_packs = parse_rules({"players": 8, "packs": 2, "opening": "eldest"})
    assert rules_mapping(two_packs) == {"preset": "classic", "players": 8, "packs": 2, "opening": "eldest"}


@given(any_rules())
def test_rules_can_be_written_and_read_back(rules):
    kept = rules_mapping(rules)
    assert parse_rules(kept) == rules
    assert all(type(value) in (str, int, bool) for value in kept.values())
