"""Sentences in the language of their reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tests.languages import catalogues
from webapp.core import say as said
from webapp.core.say import (
    Tongue,
    if_offered,
    later,
    offered,
    say,
    say_as,
    say_many,
    speaking,
    spoken,
    tongue,
)

ONE, MANY = "{name} has {number} card.", "{name} has {number} cards."


@pytest.fixture
def _german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    catalog = Catalog(locale="de")
    catalog.add("{name} led {card}.", "{name} spielt {card} aus.")
    catalog.add("led", "ausgespielt", context="card")
    catalog.add((ONE, MANY), ("{name} hat {number} Karte.", "{name} hat {number} Karten."))
    file = tmp_path / "de" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as content:
        write_mo(content, catalog)
    monkeypatch.setattr(said, "CATALOGUES", tmp_path)
    said.catalogue.cache_clear()
    yield
    said.catalogue.cache_clear()


@pytest.mark.usefixtures("_german")
def test_a_sentence_is_in_the_language_that_is_spoken() -> None:
    with speaking("de"):
        assert say("{name} led {card}.", name="Ann", card="♥9") == "Ann spielt ♥9 aus."
    assert say("{name} led {card}.", name="Ann", card="♥9") == "Ann led ♥9."


@pytest.mark.usefixtures("_german")
def test_a_sentence_without_translation_stays_english() -> None:
    with speaking("de"):
        assert say(later("The hand is over.")) == "The hand is over."


@pytest.mark.usefixtures("_german")
def test_a_context_tells_one_word_from_another() -> None:
    with speaking("de"):
        assert (say_as("card", "led"), say("led")) == ("ausgespielt", "led")


@pytest.mark.usefixtures("_german")
@pytest.mark.parametrize(
    ("number", "expected"), [(1, "Bo hat 1 Karte."), (0, "Bo hat 0 Karten."), (-1, "Bo hat -1 Karte.")]
)
def test_a_number_chooses_the_sentence(number: int, expected: str) -> None:
    with speaking("de"):
        assert say_many(number, ONE, MANY, name="Bo") == expected


def test_a_language_ends_with_its_block() -> None:
    with speaking("pl"), speaking("ja"):
        assert spoken() == "ja"
    assert spoken() == "en"


@pytest.mark.parametrize(("has", "is_offered"), [(20, True), (19, True), (18, False), (0, False)])
def test_a_language_is_offered_if_hardly_a_sentence_lacks(tmp_path: Path, has: int, is_offered: bool) -> None:
    every = [f"Sentence {number}." for number in range(20)]
    (tmp_path / "messages.pot").write_text("".join(f'\nmsgid "{one}"\nmsgstr ""\n' for one in ["", *every]))
    with catalogues(tmp_path, {"de": {one: one.upper() for one in every[:has]}}):
        assert offered() == (("en", "de") if is_offered else ("en",))


def test_a_language_with_a_catalogue_is_offered(tmp_path: Path) -> None:
    with catalogues(tmp_path, {"pl": {}, "de": {}}):
        assert offered() == ("en", "de", "pl")
        assert (if_offered("pl"), if_offered("fr"), if_offered("xx")) == ("pl", "en", "en")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", Tongue("en", "en", "English", "ltr")),
        ("pt_BR", Tongue("pt_BR", "pt-BR", "Português (Brasil)", "ltr")),
        ("ar", Tongue("ar", "ar", "العربية", "rtl")),
    ],
)
def test_a_language_has_a_tag_a_name_and_a_direction(language: str, expected: Tongue) -> None:
    with speaking(language):
        assert (tongue(), tongue(language)) == (expected, expected)
