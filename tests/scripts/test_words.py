"""The words for translators: how `make words` gathers them and keeps what is translated."""

import re
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from scripts.words import ROOT, catalogue_text, gathered, lacking, misplaced, of_templates, updated

# A text that begins with a capital letter or a gap, and has a word behind that.
OF_ITS_OWN = re.compile(r"""["'`][^"'`\w\n]*(?:[A-Z][a-z']*|\$\{[^}]*\}) [a-z]{3,}""")


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


def test_templates_and_python_share_an_entry():
    template, _ = gathered()
    assert template["Your turn"].id == "Your turn"
    assert {file.split("/")[0] for one in template for file, _ in one.locations} <= {
        "hearts",
        "webapp",
        "worker",
        "templates",
    }


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


def test_no_script_of_a_page_has_words_of_its_own():
    scripts = sorted((ROOT / "webapp" / "static").glob("*.js"))
    assert scripts
    assert {file.name: found for file in scripts if (found := OF_ITS_OWN.findall(file.read_text("utf-8")))} == {}
