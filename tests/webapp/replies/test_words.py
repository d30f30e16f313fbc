"""The words that are known in each language: what they mean among each other."""

import pytest

from webapp.core.say import LANGUAGES
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
