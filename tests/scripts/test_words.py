"""The words for translators: how `make words` gathers them and keeps what is translated."""

from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from scripts.words import (
    LOCALE,
    ROOMS,
    catalogue_text,
    gathered,
    lacking,
    misplaced,
    of_python,
    of_templates,
    updated,
)


def of_template(source, name="a.html"):
    made, faults = Catalog(), []
    of_templates(made, faults, name, source)
    return made, faults


def german(*messages):
    made = Catalog(locale="de", charset="utf-8")
    for message, said in messages:
        made.add(message, said)
    return made


def ids(catalog):
    return [(one.id, one.context) for one in catalog if one.id]


def read(text):
    return read_po(BytesIO(text.encode()), locale="de")


def test_the_sentences_for_translators_are_whole_and_those_of_now():
    template, faults = gathered()
    assert faults == []
    assert catalogue_text(template) == (LOCALE / "messages.pot").read_text(encoding="utf-8"), "run `make words`"
    assert {file.split("/")[0] for one in template for file, _ in one.locations} == {*ROOMS, "templates"}


@pytest.mark.parametrize("file", sorted(LOCALE.glob("*/LC_MESSAGES/messages.po")), ids=lambda file: file.parts[-3])
def test_every_translation_has_the_gaps_of_its_sentence(file):
    with file.open("rb") as content:
        assert list(misplaced(read_po(content, locale=file.parts[-3]))) == []


def test_a_sentence_comes_with_context_plural_and_tags():
    source = (
        "<p>Play <strong>{{ n|say_many('{number} card', '{number} cards') }}</strong></p>{{ 'led'|say_as('card') }}"
    )
    template, _ = of_template(source)
    assert ids(template) == [("Play <1>{n}</1>", None), (("{number} card", "{number} cards"), None), ("led", "card")]
    assert template["Play <1>{n}</1>"].auto_comments == ["<1> is <strong>"]


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ("<p>{% if a %}Or answer{% endif %} this email.</p>", ["this email."]),
        ("<p>{{ name }}{% if a %}, who hosts{% endif %}</p>", [", who hosts"]),
        ("<p>{{ name }} <span>with {{ partner }}</span></p>", []),
        ("<p>{{ name }} <span>dealt</span></p>", ["dealt"]),
        ("<p>{{ name }} <span>{{ 'dealt'|say_as('player') }}</span></p>", []),
        ("<p>{% if a %}{{ name }} hosts.{% endif %}{% if b %} (Really){% endif %}</p>", []),
    ],
)
def test_what_begins_in_the_middle_of_a_sentence_is_named(source, faults):
    assert of_template(source)[1] == [f"a.html: {fault}" for fault in faults]


def test_a_catalogue_has_no_dates_and_no_numbers_of_lines():
    text = catalogue_text(of_template("\n\n<p>The end</p>")[0])
    assert text.endswith('#: templates/a.html\nmsgid "The end"\nmsgstr ""\n\n')
    assert "Date" not in text


def test_a_translation_stays_with_its_sentence():
    template = german(("Play", None), ("Pass", None), ("New", None))
    catalog = read(catalogue_text(updated(template, german(("Pass", "Weiter"), ("Gone", "Weg"), ("Play", "Spielen")))))
    assert [(one.id, one.string) for one in catalog if one.id] == [("Play", "Spielen"), ("Pass", "Weiter"), ("New", "")]
    assert [one.id for one in lacking(catalog)] == ["New"]
    back = updated(german(("Gone", None)), catalog)
    assert back["Gone"].string == "Weg"


@pytest.mark.parametrize(
    ("message", "said", "is_wrong"),
    [
        ("{name} led <1>{card}</1>", "<1>{card}</1> kam von {name}", False),
        ("{name} led", "{nome} kam", True),
        ("{name} led", "Jemand kam", True),
        ("<1>Play</1>", "<1>Spielen", True),
        (("{number} card", "{number} cards"), ("eine Karte", "{number} Karten"), False),
        (("{number} card", "{number} cards"), ("eine Karte", "{zahl} Karten"), True),
    ],
)
def test_a_translation_has_the_gaps_of_its_sentence(message, said, is_wrong):
    assert bool(list(misplaced(german((message, said))))) is is_wrong


def test_a_sentence_within_a_formatted_text_is_gathered():
    made = Catalog()
    of_python(made, "a.py", "text = f\"{say('One {' 'name}.', name=f(say_as('card', 'led')))} {say(CONSTANT)}\"")
    assert ids(made) == [("One {name}.", None), ("led", "card")]
