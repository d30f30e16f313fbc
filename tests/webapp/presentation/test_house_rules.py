"""How we play: each option in a sentence, in its place, and nothing about what does not apply."""

import re
from pathlib import Path

import pytest

from hearts.rules import PRESETS, Rules, preset_rules
from tests.webapp.presentation.rules_text import texts_of, whole_text
from webapp.forms.options import option_groups
from webapp.presentation.house_rules import in_short

TEXTS = Path(__file__).parent / "how_we_play"
TWO = {"preset": "cancellation", "players": 8}
QUEEN = "a heart or the queen of spades"


@pytest.mark.parametrize(
    ("options", "heading", "sentence"),
    [
        pytest.param({"queen_points": 0}, "What you play for", "Try not to take hearts, for", id="aim, queen 0"),
        pytest.param(
            {"players": 5, "pass_count": 1},
            "Passing",
            "Before a hand, you pass one card: in the first hand to your left and in the second to your right. In the"
            " third nothing is passed; then it starts over.",
            id="passing left-right-across-keep, odd, one card",
        ),
        pytest.param(
            {"partnership": True, "passing": "left-right-across"},
            "Passing",
            "in the third across the table to your partner. Then it starts over.",
            id="passing left-right-across, partners",
        ),
        pytest.param(
            {"passing": "left", "pass_count": 5},
            "Passing",
            "Before every hand, you pass five cards to your left.",
            id="passing left",
        ),
        pytest.param(
            {"passing": "right"}, "Passing", "Before every hand, you pass three cards to your right.", id="right"
        ),
        pytest.param(
            {"players": 5, "passing": "none"},
            "The first lead",
            "The player with the three of clubs leads it to the first trick.",
            id="opening low-club, two of clubs removed, no passing",
        ),
        pytest.param(
            {"players": 5, "kitty": "first-trick"},
            "The first lead",
            "the player with the two of clubs leads it to the first trick. If it lies in the kitty, the lowest club"
            " that was dealt to anybody stands in for it.",
            id="opening low-club, kitty",
        ),
        pytest.param(
            {"opening": "any-club"},
            "The first lead",
            "After the pass, the player with the two of clubs leads to the first trick: that card or any other club.",
            id="opening any-club",
        ),
        pytest.param(
            {"opening": "eldest"},
            "The first lead",
            "The player to the dealer's left leads to the first trick: any card but a heart or the queen of spades, or"
            " any card at all if there is nothing else to lead. The deal moves one seat to the left with every hand.",
            id="opening eldest, opening_ban points",
        ),
        pytest.param(
            {"opening": "eldest", "queen_points": 0},
            "The first lead",
            "any card but a heart, or any",
            id="opening_ban points, queen 0",
        ),
        pytest.param(
            {"hearts_lead": "anytime", "queen_lead": "after-broken"},
            "Leading later",
            "You may lead a heart at any time, but not the queen of spades until hearts are broken, unless you hold"
            " nothing else.",
            id="queen_lead after-broken alone",
        ),
        pytest.param(
            {"queen_points": 0}, "Following", "you may not discard a heart, unless", id="first_trick_points, queen 0"
        ),
        pytest.param(
            {"queen_discard": "after-broken"},
            "Following",
            "The queen of spades may not be discarded until hearts are broken, unless there is nothing else that you"
            " may play. The queen is free as soon as they are broken, even in the same trick.",
            id="queen_discard after-broken",
        ),
        pytest.param(
            {"queen_discard": "after-broken", "hearts_lead": "anytime"},
            "Following",
            "that you may play. Hearts are broken, for the rest of the hand, once somebody has played a heart.",
            id="queen_discard after-broken alone",
        ),
        pytest.param(
            {**TWO, "cancellation": "pairs"},
            "Winning a trick",
            "Nobody wins if every card of the suit led is cancelled. Then",
            id="cancellation pairs",
        ),
        pytest.param(
            {"kitty": "first-points", "queen_points": 0},
            "The kitty",
            "The kitty goes to the winner of the first trick with a heart in it.",
            id="kitty first-points, queen 0",
        ),
        pytest.param({"kitty": "first-heart"}, "The kitty", "the first trick with a heart in it.", id="first-heart"),
        pytest.param({"kitty": "first-trick"}, "The kitty", "to the winner of the first trick.", id="first-trick"),
        pytest.param({"kitty": "last-trick"}, "The kitty", "to the winner of the last trick.", id="last-trick"),
        pytest.param(
            {"kitty": "last-trick", "players": 3},
            "The kitty",
            "Its card counts like any other that you take, and only the winner sees it.",
            id="a kitty of one",
        ),
        pytest.param(
            {"queen_points": 0},
            "Points",
            "Every heart that you take costs 1 point; the queen of spades costs nothing. That makes 13 points in every"
            " hand.",
            id="queen_points 0",
        ),
        pytest.param(
            {"queen_points": 0},
            "Shooting the moon",
            "A player who takes all 13 hearts in one hand has shot the moon. The shooter then scores nothing, and"
            " everybody else gets 13 points.",
            id="moon add, queen 0",
        ),
        pytest.param(
            {"moon": "subtract"},
            "Shooting the moon",
            "The shooter then gets 26 points off, and everybody else scores nothing.",
            id="moon subtract",
        ),
        pytest.param(
            {"moon": "choice"},
            "Shooting the moon",
            "The shooter then chooses: 26 points for everybody else, or 26 points off. If the choice is not made in"
            " time, everybody else gets the points, unless the shooter would lose the game by that.",
            id="moon choice",
        ),
        pytest.param(
            {"partnership": True, "moon": "subtract"},
            "Shooting the moon",
            "It then gets 26 points off, and the other team scores nothing.",
            id="moon subtract, partners",
        ),
        pytest.param(
            {"partnership": True, "moon": "choice"},
            "Shooting the moon",
            "The partner who was the last of the two to win a trick chooses: 26 points for the other team, or 26 points"
            " off.",
            id="moon choice, partners",
        ),
        pytest.param(
            {"sun": True},
            "Shooting the moon",
            "A shooter who also wins every trick has shot the sun, and it counts double: 52 points.",
            id="sun",
        ),
        pytest.param(
            {**TWO, "sun": True},
            "Shooting the moon",
            "it counts double: 104 points. A trick that nobody wins spoils it.",
            id="sun, two packs",
        ),
        pytest.param(
            {"sun": True, "partnership": True},
            "Shooting the moon",
            "If the two partners also win every trick between them, they have shot the sun,",
            id="sun, partners",
        ),
        pytest.param(
            {**TWO, "jack_points": -5}, "Bonuses", "Each jack of diamonds gives 5 points off", id="jacks, two packs"
        ),
        pytest.param(
            {"no_tricks_bonus": -5},
            "Bonuses",
            "A player who wins no trick in a hand gets 5 points off, unless somebody shoots the moon.",
            id="no_tricks_bonus",
        ),
        pytest.param(
            {"no_tricks_bonus": -5, "partnership": True},
            "Bonuses",
            "gets 5 points off for the team, unless",
            id="no_tricks_bonus, partners",
        ),
        pytest.param(
            {"fifty_bonus": True},
            "Bonuses",
            "A total that stands at exactly 50, 100, 150 and so on after a hand drops by 50, even if that hand left it"
            " unchanged.",
            id="fifty_bonus",
        ),
        pytest.param(
            {"target": 75},
            "The end",
            "The game ends after the hand in which somebody's total reaches 75 points; the lowest total wins. Players"
            " who tie for the lowest total share the win.",
            id="target, tie_break shared",
        ),
        pytest.param(
            {"hands": 4},
            "The end",
            "The game ends after four hands; the lowest total wins. Players who tie for the lowest total share the"
            " win.",
            id="hands",
        ),
        pytest.param(
            {"hands": 1, "partnership": True},
            "The end",
            "The game ends after one hand; the lower total wins. If both teams are level, they share the win.",
            id="one hand, partners",
        ),
        pytest.param(
            {"hands": 6, "target": 50},
            "The end",
            "The game ends after six hands; the lowest total wins. It ends earlier if somebody's total reaches 50"
            " points after a hand.",
            id="hands, and a target that comes first",
        ),
        pytest.param(
            {"hands": 6, "target": 50, "partnership": True},
            "The end",
            "It ends earlier if a team's total reaches 50 points after a hand.",
            id="hands, and a target that comes first, partners",
        ),
        pytest.param(
            {"partnership": True, "tie_break": "extra-hand"},
            "The end",
            "If both teams are level, further hands are played until one is lower.",
            id="extra-hand, partners",
        ),
    ],
)
def test_each_option_is_explained_in_a_sentence(options, heading, sentence):
    """For the presets, `how_we_play/` has the sentences."""
    assert sentence in texts_of(**options)[heading]


@pytest.mark.parametrize(
    ("options", "absent"),
    [
        pytest.param({}, "kitty|pack is|jack|sun|cancel|set aside|team|partner|dealer|left over|drop", id="classic"),
        pytest.param({"hearts_lead": "anytime"}, "broken", id="nothing waits for broken hearts"),
        pytest.param({"queen_points": 0, "queen_lead": "anytime", "opening": "eldest"}, "queens", id="queen 0"),
        pytest.param({"tie_break": "extra-hand"}, "Should", id="totals that never fall"),
        pytest.param({"hands": 4, "jack_points": -5}, "100|Should", id="a target that nobody can reach"),
        pytest.param({"passing": "none"}, "After the pass", id="no pass"),
        pytest.param({"opening": "eldest"}, "of clubs", id="no club to open with"),
        pytest.param({**TWO, "players": 8}, "left over", id="two packs that come out even"),
        pytest.param({"queen_lead": "after-broken"}, "at any time", id="no queen at any time"),
    ],
)
def test_rules_that_do_not_apply_are_left_out(options, absent):
    assert not re.search(absent, whole_text(preset_rules(**{"preset": "classic", **options})))


def test_sections_come_in_the_order_a_player_needs_them():
    everything = list(texts_of("kitty", players=4, jack_points=-5))
    assert everything == [
        *("What you play for", "Cards and seats", "Passing", "The first lead", "Leading later", "Following"),
        *("Winning a trick", "The kitty", "Points", "Shooting the moon", "Bonuses", "The end"),
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_text_of_each_preset_is_the_proofread_one(preset):
    """After an intended change, read the new text and put it into the file."""
    rules = preset_rules(preset, players=11 if preset == "cancellation" else 4)
    text = f"{in_short(rules)}\n\n{whole_text(rules)}\n"
    assert text == (TEXTS / f"{preset}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "may_fall"),
    [
        ({}, False),
        ({"sun": True}, False),
        ({"jack_points": -5}, True),
        ({"no_tricks_bonus": -5}, True),
        ({"fifty_bonus": True}, True),
        ({"moon": "subtract"}, True),
        ({"moon": "smart"}, True),
        ({"moon": "choice"}, True),
    ],
)
def test_games_outlast_an_extra_hand_only_if_totals_may_fall(options, may_fall):
    assert ("goes on" in texts_of(tie_break="extra-hand", **options)["The end"]) == may_fall
    assert "goes on" not in texts_of(**options)["The end"]


def test_the_summary_mentions_house_rules_but_no_mere_length():
    assert in_short(preset_rules("classic", hands=4)) == "Classic for four players, one round of four hands."
    assert in_short(preset_rules("club", hands=5)) == "Club for four players, five hands."
    assert in_short(preset_rules("club", hands=1)) == "Club for four players, one hand."
    assert in_short(preset_rules("club", target=60)) == "Club for four players, to 60 points."
    assert in_short(preset_rules("club", sun=True)) == "Club for four players, to 100 points, with house rules."
    assert in_short(Rules(players=7)) == "Classic for seven players, to 100 points."


def test_every_option_of_the_form_changes_the_text():
    """With each value on its own, where it has an effect, the page reads differently."""
    silent = []
    for option in (option for group in option_groups() for option in group.options):
        start = {"preset": "cancellation", "players": 6, "passing": "left"}
        if option.name in ("kitty", "partnership", "packs", "opening", "passing"):
            start = {"preset": "classic", "players": 4}
        if option.name == "opening_ban":
            start["opening"] = "eldest"
        if option.name == "packs":
            start = {"preset": "cancellation", "players": 7}
        texts = {
            whole_text(preset_rules(**{**start, option.name: value}))
            for value in (type_of(option.name)(word) for word, _ in option.effects[1:])
        }
        if len(texts) != len(option.effects) - 1:
            silent.append(option.name)
    assert silent == []


def type_of(name):
    kind = type(getattr(Rules(), name))
    return (lambda word: word == "true") if kind is bool else int if kind is int else str
