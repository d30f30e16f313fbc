"""The policy of the rule player: how likely a card wins, when a moon threatens, and the card that it plays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.cards import card_text
from hearts.robot import bits
from hearts.robot.policy import is_threatened, pick, win_chance
from hearts.robot.reading import replayed, table_numbers
from tests.hearts.robot.asked import seen

FIRST = "2C 3C 4C 5C"  # its last player leads the next trick
CARDS = st.integers(0, 13)


@pytest.mark.parametrize(
    ("lower", "higher", "followers", "chance"),
    [
        pytest.param(5, 0, 3, 64, id="the highest left"),
        pytest.param(0, 0, 3, 64, id="the only one left"),
        pytest.param(0, 5, 3, 0, id="the lowest left"),
        pytest.param(3, 3, 1, 32, id="one may play above or below"),
        pytest.param(3, 3, 2, 16, id="two may"),
        pytest.param(1, 1, 10, 16, id="more followers than cards"),
    ],
)
def test_a_card_wins_if_all_who_follow_play_below_it(lower, higher, followers, chance):
    assert win_chance(lower, higher, followers) == chance


@given(CARDS, CARDS, st.integers(1, 10))
def test_a_card_wins_less_with_more_above_or_after_it(lower, higher, followers):
    chance = win_chance(lower, higher, followers)
    assert 64 >= chance >= win_chance(lower, higher + 1, followers) >= 0
    assert chance >= win_chance(lower, higher, followers + 1)


@pytest.mark.parametrize(
    ("preset", "taken", "stops", "threatened"),
    [
        pytest.param("classic", [0, 16, 0, 0], 1, True, id="another seat has most points"),
        pytest.param("classic", [0, 15, 0, 0], 1, False, id="another seat has too few"),
        pytest.param("classic", [0, 15, 1, 0], 1, False, id="two others have some"),
        pytest.param("classic", [16, 0, 0, 0], 1, False, id="the seat itself has them"),
        pytest.param("classic", [0, 16, 0, 0], 0, False, id="a seat that stops nobody"),
        pytest.param("partners", [0, 15, 0, 1], 1, True, id="two partners have them"),
        pytest.param("partners", [0, 0, 16, 0], 1, False, id="its partner has them"),
    ],
)
def test_a_moon_threatens_where_one_other_side_leads_in_points(preset, taken, stops, threatened):
    sides = 2 if preset == "partners" else 4
    place = seen("AH 2D 3D", "", rules={"preset": preset, "opening": "eldest"}, totals=[0] * sides)
    rules = table_numbers(place)
    state = replayed(place, rules)
    state[bits.TAKEN : bits.TAKEN + 4] = taken
    state[bits.STOPS] = stops
    assert is_threatened(state, rules, 0) is threatened


@pytest.mark.parametrize(
    ("held", "trick", "card"),
    [
        pytest.param("KC 9C 7C", "TC", "9C", id="ducks with its highest"),
        pytest.param("QS 2D AH", "TC", "QS", id="gives the queen away"),
        pytest.param("QS 9S 2D", "KS", "QS", id="drops the queen under the king"),
        pytest.param("QS AS 2D", "TS 2H", "AS", id="does not win with the queen"),
    ],
)
def test_the_rule_player_avoids_points(held, trick, card):
    leader = (1 - len(trick.split())) % 4  # of the first trick, so that seat 0 is at turn in the second
    place = seen(held, f"{FIRST} {trick}", leader=leader)
    rules = table_numbers(place)
    assert card_text(pick(replayed(place, rules), rules)) == card


def test_a_safe_trick_is_won_with_the_highest_card():
    place = seen("KC 9C 7C 2D 3D 4D 5D 2S 3S 4S 2H 3H 4H", "2C 6C TC", leader=1)
    rules = table_numbers(place)
    assert card_text(pick(replayed(place, rules), rules)) == "KC"
