"""Cards and bulk sets of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts.cards import (
    FACES,
    HEARTS,
    NONE,
    QUEENS_OF_SPADES,
    Card,
    Cards,
    NotACard,
    Suit,
    card_text,
    in_suit,
    parse_card,
    parse_code,
    rank,
    suit,
)

MULTISETS = st.lists(st.sampled_from(FACES), max_size=60).map(
    lambda cards: [c for i, c in enumerate(cards) if cards[:i].count(c) < 2]
)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("QS", "QS"),
        ("qs", "QS"),
        ("Q♠", "QS"),
        ("Q♠\ufe0e", "QS"),
        ("queen of spades", "QS"),
        ("Queen Of Spades", "QS"),
        ("10♦", "TD"),
        ("10 ♦", "TD"),
        ("10d", "TD"),
        ("ten of diamonds", "TD"),
        ("2 of clubs", "2C"),
        ("two clubs", "2C"),
        ("A♡", "AH"),
        (" ah ", "AH"),
    ],
)
def test_people_may_spell_a_card_in_several_ways(text, code):
    assert card_text(parse_card(text)) == code


@pytest.mark.parametrize(
    "text", ["", "Q", "S", "1S", "11S", "QX", "QSS", "queen", "of spades", "Q of of S", "QS 2C", "10", "♠"]
)
def test_a_text_that_names_no_card_is_rejected(text):
    with pytest.raises(NotACard, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("text", ["qs", "10D", "Q♠", " QS", "QS ", "", "SQ"])
def test_files_have_one_form_of_a_card_only(text):
    with pytest.raises(NotACard):
        parse_code(text)


def test_every_card_has_a_suit_rank_and_unique_code():
    assert [(suit(card), rank(card)) for card in FACES] == [(s, r) for s in Suit for r in range(13)]
    assert [parse_code(card_text(card)) for card in FACES] == list(FACES)
    assert card_text(FACES[0]) == "2C"
    assert card_text(FACES[51]) == "AH"


def test_cards_are_listed_by_suit_and_rank():
    assert str(Cards.parse("QS 2C AH 2C TD")) == "2C 2C TD QS AH"
    assert repr(Cards.parse("QS 2C")) == "Cards.parse('2C QS')"


def test_two_queens_minus_one_leave_one():
    queens = Cards.parse("QS QS")
    assert queens - Cards.parse("QS") == Cards.parse("QS") == queens.without(parse_code("QS"))
    assert queens - queens == NONE
    assert not Cards.parse("QS") - queens


def test_a_third_copy_is_rejected():
    with pytest.raises(ValueError, match="QS is there three times"):
        Cards.parse("QS QS QS")
    with pytest.raises(ValueError, match="three times"):
        Cards.parse("QS QS") + Cards.parse("QS")


def test_a_set_of_cards_cannot_be_changed():
    with pytest.raises(AttributeError):
        Cards.parse("QS").mask = 0


def test_a_value_that_is_no_card_is_in_no_set():
    assert "QS" not in Cards.parse("QS")
    assert Card(-1) not in HEARTS
    assert Card(52) not in HEARTS + QUEENS_OF_SPADES


@given(MULTISETS, MULTISETS)
def test_sets_of_cards_count_like_lists_of_cards(mine, theirs):
    a, b = Cards.of(mine), Cards.of(theirs)
    assert list(a) == sorted(mine)
    assert len(a) == len(mine)
    assert bool(a) == bool(mine)
    assert [face in a for face in FACES] == [face in mine for face in FACES]
    assert [a.count(face) for face in FACES] == [mine.count(face) for face in FACES]
    assert [(a & b).count(face) for face in FACES] == [min(mine.count(face), theirs.count(face)) for face in FACES]
    assert [(a - b).count(face) for face in FACES] == [max(mine.count(face) - theirs.count(face), 0) for face in FACES]
    assert list(a.faces()) == sorted(set(mine))
    assert (a == b) == (sorted(mine) == sorted(theirs))
    assert Cards.parse(str(a)) == a
    assert hash(Cards.parse(str(a))) == hash(a)
    if all(mine.count(face) + theirs.count(face) <= 2 for face in FACES):
        assert list(a + b) == sorted(mine + theirs)


def test_a_suit_of_two_packs_has_thirteen_cards_twice():
    assert all(len(in_suit(of)) == 26 and all(suit(card) is of for card in in_suit(of)) for of in Suit)
