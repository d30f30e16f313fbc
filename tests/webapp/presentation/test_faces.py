"""The faces of cards: their codes, texts and names, and what tells two equal ones apart."""

from hearts.cards import Card, Cards, parse_card
from webapp.presentation.faces import face, held_by_suit


def test_every_cards_code_text_and_name_parse_to_it() -> None:
    for number in range(52):
        drawn, card = face(Card(number)), Card(number)
        assert {parse_card(drawn.code), parse_card(drawn.text), parse_card(drawn.name)} == {card}
        assert drawn.symbol.endswith("\ufe0e")


def test_of_two_equal_cards_the_second_is_the_new_one() -> None:
    (row,) = held_by_suit(Cards.parse("QS QS 2S"), Cards.parse("2S"), {parse_card("QS"): "no"}, Cards.parse("QS"))
    assert [held.spoken for held in row.cards] == [
        "two of spades",
        "queen of spades, first of two. Not now: no",
        "queen of spades, second of two, new from the pass. Not now: no",
    ]
