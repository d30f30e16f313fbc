"""Sentences of templates, found and translated."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from jinja2 import DictLoader, Environment
from markupsafe import Markup

from webapp.core import say
from webapp.core.say import speaking
from webapp.core.templates import Environments, Found, Marked, marked, translated


def found(source: str, name: str = "a.html") -> list[str]:
    seen = list[str]()

    def keep(one: Found) -> str:
        seen.append(one.message)
        return one.message

    translated(source, name, keep)
    return seen


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("<p>The game is over.</p><p>Play again</p>", ["The game is over.", "Play again"]),
        ("<p>{{ line.name }} led {{ card }}.</p>", ["{name} led {card}."]),
        ("<p>{{ ui.minis(sheet.given) }} to {{ a.name }} and {{ b.name }}</p>", ["{given} to {name} and {name_2}"]),
        ("<p>{{ name }} and {{ name }}</p>", ["{name} and {name}"]),
        (
            "<p>Play by <strong>{{ time }}</strong>, <a href='/'>or rest</a>.</p>",
            ["Play by <1>{time}</1>, <2>or rest</2>."],
        ),
        ("<p><strong>Two</strong> <a href='/'>links</a></p>", ["Two", "links"]),
        ("<p><b>{{ name }}</b> <span>dealt</span></p>", ["dealt"]),
        ("<p>Hello {{ you }}.{% if late %} You are late.{% endif %}</p>", ["Hello {you}.", "You are late."]),
        ("<p>One\n  line</p>", ["One line"]),
        ("<p>{{ name }}: <b>5</b> · Hearts by Mail</p>", []),
        ('<p><span translate="no">Bo</span> <span>led</span></p>', ["led"]),
        ('<a title="Average place">Place</a>', ["Average place", "Place"]),
        ('<a aria-label="Hand {{ number }}" class="small quiet" data-title="Hand">1</a>', ["Hand {number}"]),
        ('<meta name="description" content="A game"><meta name="viewport" content="width">', ["A game"]),
        ("<style>p { color: red }</style><script>let x</script>", []),
        ("<p>Tom &amp; Eve&nbsp;won</p>", ["Tom & Eve\u00a0won"]),
        ("<p>A {brace} of {{ birds }}</p>", ["A {{brace}} of {birds}"]),
        ("<p>{{ '%.1f'|format(one.least) }} to {{ found or 'none' }}</p>", ["{least} to {found}"]),
    ],
)
def test_sentences_are_found_whole(source: str, messages: list[str]) -> None:
    assert found(source) == messages


@pytest.mark.parametrize(
    ("source", "messages"),
    [
        ("THE TRICK\n  {{ name }} led <it>\n", ["THE TRICK", "{name} led <it>"]),
        ("Hello {{ you }},\n\n{{ sentence }}\n", ["Hello {you},"]),
    ],
)
def test_each_line_of_a_plain_text_is_a_sentence(source: str, messages: list[str]) -> None:
    assert found(source, "a.txt") == messages


def test_other_files_have_no_sentences() -> None:
    assert found("const say = 'A word';", "service-worker.js") == []


def test_marked_texts_are_found_in_expressions() -> None:
    source = "{% set a = 'Lobby'|say %}{{ f('led'|say_as('card'), 'kept') }}"
    source += "{{ n|say_many('{number} hand', '{number} hands') }}"
    assert list(marked(Environment(), source)) == [
        Marked("Lobby"),
        Marked("led", context="card"),
        Marked("{number} hand", many="{number} hands"),
    ]


def test_a_marked_text_must_stand_there() -> None:
    with pytest.raises(ValueError, match="line 2: `say`"):
        list(marked(Environment(), "\n{{ heading|say }}"))


# in another language

SOURCES = {
    "page.html": '<p>{{ name }} led <strong class="card">{{ card }}</strong>, <a href="/{{ name }}">see</a>.</p>\n'
    "{{ shown('Lobby'|say, 'led'|say_as('card')) }}<i>{{ count|say_many('{number} card', '{number} cards') }}</i>"
    '<a title="The score">Kept</a>',
    "mail.txt": "{{ name }} led <{{ card }}>\n",
}


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Environments]:
    catalog = Catalog(locale="de")
    catalog.add("{name} led <1>{card}</1>, <2>see</2>.", "<2>Sieh</2> <1>{card}</1> & {name}")
    catalog.add("{name} led <{card}>", "{card} < {name}")
    catalog.add("Lobby", "Warteraum")
    catalog.add("led", "kam", context="card")
    catalog.add("The score", 'Der "Stand"')
    catalog.add(("{number} card", "{number} cards"), ("{number} Karte", "{number} Karten"))
    file = tmp_path / "de" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as content:
        write_mo(content, catalog)
    monkeypatch.setattr(say, "CATALOGUES", tmp_path)
    say.catalogue.cache_clear()
    made = Environment(loader=DictLoader(SOURCES), autoescape=lambda name: bool(name) and name.endswith(".html"))
    made.globals["shown"] = lambda *texts: Markup(" ").join(texts)
    yield Environments(made)
    say.catalogue.cache_clear()


def drawn(pages: Environments, name: str) -> str:
    return pages.spoken().get_template(name).render(name="<Bo>", card="♥9", count=3)


def test_a_page_is_in_the_language_that_is_spoken(pages: Environments) -> None:
    with speaking("de"):
        german = drawn(pages, "page.html")
    assert german == (
        '<p><a href="/&lt;Bo&gt;">Sieh</a> <strong class="card">♥9</strong> &amp; &lt;Bo&gt;</p>\n'
        'Warteraum kam<i>3 Karten</i><a title="Der &quot;Stand&quot;">Kept</a>'
    )
    assert drawn(pages, "page.html") == (
        '<p>&lt;Bo&gt; led <strong class="card">♥9</strong>, <a href="/&lt;Bo&gt;">see</a>.</p>\n'
        'Lobby led<i>3 cards</i><a title="The score">Kept</a>'
    )


def test_a_plain_text_is_in_the_language_that_is_spoken(pages: Environments) -> None:
    with speaking("de"):
        assert drawn(pages, "mail.txt") == "♥9 < <Bo>"
    assert drawn(pages, "mail.txt") == "<Bo> led <♥9>"


def test_a_marked_text_is_said_when_its_template_is_compiled(pages: Environments) -> None:
    with speaking("de"):
        environment = pages.spoken()
        code = environment.compile(SOURCES["page.html"], "page.html", raw=True)
    assert "Warteraum" in code
    assert "Lobby" not in code


@pytest.mark.parametrize("text", ["{mane} led", "<3>led</3>"])
def test_a_translation_has_only_gaps_and_tags_of_its_sentence(text: str) -> None:
    with pytest.raises(KeyError):
        translated("<p>{{ name }} led <strong>it</strong></p>", "a.html", lambda _: text)
