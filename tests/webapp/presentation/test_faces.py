"""The faces of cards: their codes, texts and names, and what tells two equal ones apart."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts.cards import FACES, NONE, Card, Cards, parse_card
from hearts.words import Sentence, later, later_many
from tests.languages import catalogues
from webapp.core.say import LANGUAGES, speaking
from webapp.presentation.faces import TEXT_STYLE, face, fold_of, held_by_suit, said
from webapp.replies.grammar import parse_answer


def test_every_cards_code_text_and_name_parse_to_it() -> None:
    for number in range(52):
        drawn, card = face(Card(number)), Card(number)
        assert {parse_card(drawn.code), parse_card(drawn.text), parse_card(drawn.name)} == {card}
        assert drawn.symbol.endswith("\ufe0e")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_on_a_card_plays_it_by_mail(language: str) -> None:
    with speaking(language):
        drawn = [face(card) for card in FACES]
    for one in drawn:
        read = [parse_answer(text, language) for text in (one.text, one.name, one.taught)]
        assert [answer and answer.cards for answer in read] == [(one.code,)] * 3


def test_of_two_equal_cards_the_second_is_the_new_one() -> None:
    (row,) = held_by_suit(
        Cards.parse("QS QS 2S"), Cards.parse("2S"), {parse_card("QS"): Sentence("no")}, Cards.parse("QS")
    )
    assert [held.spoken for held in row.cards] == [
        "two of spades",
        "queen of spades, first of two. Not now: no",
        "queen of spades, second of two, new from the pass. Not now: no",
    ]


GERMAN = {
    "queen of spades": "Pik-Dame",
    "Q{suit}": "D{suit}",
    "J{suit}": "B{suit}",
    "{card} is the only card that you may play.": "{card} ist die einzige Karte, die du spielen darfst.",
    ("{card} beats {number} card.", "{card} beats {number} cards."): (
        "{card} schlägt {number} Karte.",
        "{card} schlägt {number} Karten.",
    ),
}
JAPANESE = {"queen of spades": "スペードのQ", "Q{suit}": "{suit}Q", "{rank}{suit}": "{suit}{rank}"}


@pytest.fixture
def _translated(tmp_path: Path) -> Iterator[None]:
    with catalogues(tmp_path, {"de": GERMAN, "ja": JAPANESE}):
        yield


@pytest.mark.usefixtures("_translated")
@pytest.mark.parametrize(
    ("language", "code", "expected"),
    [
        ("en", "QS", ("Q♠\ufe0e", "Q", "queen of spades", "QS")),
        ("en", "KD", ("K♦\ufe0e", "K", "king of diamonds", "KD")),
        ("de", "QS", ("D♠\ufe0e", "D", "Pik-Dame", "QS")),
        ("de", "QC", ("D♣\ufe0e", "D", "queen of clubs", "D♣")),
        ("ja", "QS", ("♠\ufe0eQ", "Q", "スペードのQ", "QS")),
        ("ja", "TD", ("♦\ufe0e10", "10", "ten of diamonds", "10♦")),
    ],
)
def test_a_card_is_written_and_said_as_in_the_language(
    language: str, code: str, expected: tuple[str, str, str]
) -> None:
    drawn = face(parse_card(code))
    with speaking(language):
        shown = face(parse_card(code))
    assert (shown.text, shown.letter, shown.name, shown.taught) == expected
    assert (shown.code, shown.rank, shown.suit) == (code, drawn.rank, drawn.suit)


@pytest.mark.usefixtures("_translated")
@pytest.mark.parametrize(
    ("sentence", "english", "german"),
    [
        (
            later("{card} is the only card that you may play.", card="JH"),
            "J♥ is the only card that you may play.",
            "B♥ ist die einzige Karte, die du spielen darfst.",
        ),
        (
            later_many(2, "{card} beats {number} card.", "{card} beats {number} cards.", card="QS"),
            "Q♠ beats 2 cards.",
            "D♠ schlägt 2 Karten.",
        ),
        (Sentence("An older row's own words."), "An older row's own words.", "An older row's own words."),
    ],
)
def test_what_the_robot_says_is_in_the_readers_language(sentence: Sentence, english: str, german: str) -> None:
    assert said(sentence).replace(TEXT_STYLE, "") == english == str(sentence)
    with speaking("de"):
        assert said(sentence).replace(TEXT_STYLE, "") == german


@pytest.mark.parametrize(
    ("held", "fold"),
    [
        pytest.param("2C 3C 4C 5C 2D 3D 4D 2S 3S 4S 2H 3H 4H", (2, 7, 13), id="two suits in each row"),
        pytest.param("2C 3C 4C 2S 3S 4S 5S 6S 7S 8S 2H 3H 4H", None, id="too long a row"),
        pytest.param("2C 2D 3D 4D 5D 6D 7D 8D 9D 2S 3S 4S 2H", (2, 9, 13), id="the shorter of two rows that fit"),
        pytest.param("2C 3C 4C 5C 6C 7C 8C 9C", None, id="one suit"),
        pytest.param("", None, id="no card"),
    ],
)
def test_two_rows_of_cards_break_between_suits_that_fit(held, fold):
    assert fold_of(held_by_suit(Cards.parse(held), NONE, {}, NONE)) == fold
