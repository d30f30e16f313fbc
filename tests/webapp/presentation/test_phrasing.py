"""Phrasing: what stands in the gaps of sentences, for none, one and many."""

import pytest

from webapp.core.say import speaking
from webapp.presentation.phrasing import (
    LONGEST_IN_SUBJECT,
    decimal,
    listed,
    number_word,
    shortened,
    signed,
    some_cards,
    some_points,
)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ((), "nobody"),
        (("Ann",), "Ann"),
        (("Ann", "Bo"), "Ann and Bo"),
        (("Ann", "Bo", "Cy", "Di"), "Ann, Bo, Cy and Di"),
    ],
)
def test_names_are_listed_with_one_and(names, text):
    assert listed(names) == text


@pytest.mark.parametrize(("language", "text"), [("de", "Ann, Bo und Cy"), ("ja", "Ann、Bo、Cy"), ("ar", "Ann وBo وCy")])
def test_a_list_is_joined_as_the_language_joins_it(language, text):
    with speaking(language):
        assert listed(["Ann", "Bo", "Cy"]) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0 points"), (1, "1 point"), (-1, "-1 point"), (-2, "-2 points")])
def test_points_are_counted_in_their_own_form(number, text):
    assert some_points(number) == text


@pytest.mark.parametrize(("number", "word"), [(0, "0"), (1, "one"), (12, "twelve"), (13, "13"), (-1, "-1")])
def test_small_numbers_are_words(number, word):
    assert number_word(number) == word


@pytest.mark.parametrize(("number", "text"), [(1, "one card"), (3, "three cards"), (17, "17 cards")])
def test_cards_are_counted_in_words(number, text):
    assert some_cards(number) == text


@pytest.mark.parametrize(("points", "text"), [(13, "+13"), (0, "0"), (-10, "-10")])
def test_points_have_their_sign(points, text):
    assert signed(points) == text


def test_decimals_and_signs_are_those_of_the_language():
    with speaking("de"):
        assert (decimal(4.06), signed(-10), signed(13)) == ("4,1", "-10", "+13")


@pytest.mark.parametrize(
    ("name", "longest", "text"),
    [
        ("Ann", 3, "Ann"),
        ("Anna", 3, "An…"),
        ("A nna", 3, "A…"),
        ("x" * LONGEST_IN_SUBJECT, LONGEST_IN_SUBJECT, "x" * LONGEST_IN_SUBJECT),
        ("x" * 99, LONGEST_IN_SUBJECT, "x" * (LONGEST_IN_SUBJECT - 1) + "…"),
    ],
)
def test_a_name_cut_to_fit_ends_in_no_blank(name, longest, text):
    assert shortened(name, longest) == text
