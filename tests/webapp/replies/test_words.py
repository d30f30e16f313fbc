"""The words that are known in each language: what they mean among each other."""

import re
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po

from hearts.cards import FACES, card_text
from webapp.core.say import CATALOGUES, ENGLISH, LANGUAGES, speaking
from webapp.presentation.faces import face
from webapp.replies.grammar import parse_answer
from webapp.replies.words import BETWEEN, CARDS, COMMANDS, NAMES, SMALL, TABLES, codes, fold, forms, in_all_languages

EVERY_TABLE = ("ok", "no", "cards", "score", "away", "back", "stop", "help", "add", "subtract", "hand", "until")
EVERY_TABLE += ("day", "week", "and", "please")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_all_its_words(language):
    assert [key for key in EVERY_TABLE if not forms(TABLES[language], key)] == []
    assert [key for key in list(CARDS)[9:] if not forms(TABLES[language], key)] == []


def test_no_word_means_two_things():
    assert {name for name, meant in NAMES.items() if len(meant) > 1} == {fold("سبيت")}, "it is asked back"
    of_command = {
        (form, command)
        for table in TABLES.values()
        for command in set(COMMANDS.values())
        for form in forms(table, command)
    }
    assert len(of_command) == len({form for form, _ in of_command})


def test_no_command_is_a_card_or_the_code_of_one():
    assert COMMANDS.keys() & NAMES.keys() == set()
    assert {word for word in COMMANDS if word in in_all_languages()} <= SMALL


def test_all_forms_are_as_lines_are_compared():
    found = {form for table in TABLES.values() for key in table if key != "letters" for form in forms(table, key)}
    assert [form for form in found if form != fold(form) or form != " ".join(BETWEEN.split(form)) or not form] == []


def test_codes_with_several_meanings_are_few_and_known():
    pairs = {code: cards for code, cards in in_all_languages().items() if " " not in code}
    assert len([code for code, cards in pairs.items() if len(cards) > 1]) == 93
    assert {code: sorted(codes("fr")[code]) for code in ("7c", "dp", "rc", "qs")} == {
        "7c": ["7C", "7H"],
        "dp": ["QC", "QS"],
        "rc": ["KH"],
        "qs": ["QS"],
    }


# Sentences of ours say what to answer: in quotation marks, in elements that no program translates, or behind a colon.
_QUOTED = re.compile(r"[\"“”„‟«»‹›‘’「」『』<>:：]")


def answers_in(sentence: str, language: str) -> set[object]:
    """The meanings of the answers that a sentence quotes."""
    parts = [part.strip() for part in _QUOTED.split(sentence)[1:]]
    return {(found.cards, found.word, found.hand) for part in parts if (found := parse_answer(part, language))}


def misquoted(sentences: dict[str, str], language: str) -> Iterator[str]:
    """The sentences that quote other answers in a language than in English."""
    for english, said in sentences.items():
        quoted = answers_in(english, ENGLISH)
        if quoted and quoted != answers_in(said, language):
            yield said


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_catalogues_teach_answers_that_mean_the_same(language):
    with (CATALOGUES / language / "LC_MESSAGES" / "messages.po").open("rb") as content:
        found = read_po(content)
    said = [(one.id, one.string) for one in found if one.id and not one.fuzzy]
    pairs = [pair for one in said for pair in (zip(*one, strict=False) if isinstance(one[0], tuple) else [one])]
    assert list(misquoted({english: other for english, other in pairs if other}, language)) == []


@pytest.mark.parametrize(
    ("said", "is_right"),
    [
        ("Antworte „zurück“ oder „hilfe“.", True),
        ("Antworte «<b>Zurück</b>» oder: help", True),
        ("Antworte „wieder“ oder „hilfe“.", False),
        ("Antworte „weg“ oder „hilfe“.", False),
        ("Antworte „zurück“.", False),
    ],
)
def test_a_sentence_that_teaches_another_answer_is_found(said, is_right):
    found = list(misquoted({'Answer "back" or "help".': said, "Go on": "Weiter", "On: Ann": "Am: Ann"}, "de"))
    assert found == ([] if is_right else [said])


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_card_is_read_as_it_is_shown(language):
    with speaking(language):
        for card in FACES:
            for shown in (face(card).text, face(card).name, face(card).taught):
                found = parse_answer(shown, language)
                assert found is not None, shown
                assert found.cards == (card_text(card),)
