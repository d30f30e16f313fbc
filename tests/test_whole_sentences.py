"""Sentences stand whole, as a translator needs them: none is glued from halves, in any template or module."""

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from jinja2 import Environment

from tests.every import of_every
from tests.halves import Half
from tests.halves_in_code import CodeReader
from tests.halves_in_templates import TemplateReader, Words, words_passed

ROOT: Final = Path(__file__).parents[1]
TEMPLATES: Final = sorted(path for kind in ("html", "txt") for path in (ROOT / "templates").rglob(f"*.{kind}"))
OF_HEARTS: Final = ("hearts/game.py", "hearts/play.py", "hearts/robot/reasons.py")
"""What `hearts` says to players. All else in it is in errors, about records and positions."""
FOR_OPERATORS: Final = (
    *("webapp/backup/", "webapp/check/", "webapp/commands/", "webapp/core/", "webapp/migrations/", "webapp/replies/"),
    *("worker/attempts.py", "worker/inbox.py", "worker/notify.py", "worker/relay.py"),
)
"""What only the operator reads, in a terminal or a log."""
NOUNS: Final = {
    "hearts/robot/reasons.py": {"_names", "_SUITS"},  # cards; suits
    "webapp/presentation/fact_text.py": {"_a_queen", "_people"},
    "webapp/presentation/faces.py": {"_RANK_WORDS"},
    "webapp/presentation/house_rules.py": {"_moon_cards", "_opening_ban", "_penalties", "_penalty", "_the_queen"},
    "webapp/presentation/timestamps.py": {"_DAYS", "_MONTHS"},
    "webapp/presentation/summary.py": {"looks_for"},  # "two players"
}
"""The functions and constants that are whole nouns, such as "a heart or the queen of spades"."""
EXCEPTIONS: Final = {
    # errors about the turns of a record
    ("hearts/game.py", "f'the game ended with hand {game.hand}'"),
    ("hearts/game.py", "f'seat {turn.dealer} may not deal: it is the deal of seat {due}'"),
    # keys of letters, and a condition of the database
    ("webapp/inbox/answering.py", "f'answer {_occasion(to, reason, about or wrong, inbound_id)}'"),
    ("webapp/models/letters.py", "\"state = 'owed' AND kind IN ('pass', 'turn', 'moon')\""),
    ("webapp/outbox/about_tables.py", "f' before game {number}'"),
    ("webapp/outbox/questions.py", "f'{_dedupe_suffix(earlier)} on request'"),
    ("webapp/outbox/reminders.py", "f' again {len(earlier)}'"),
    ("webapp/outbox/questions.py", "f' again {questions}'"),
    ("webapp/tables/offers.py", "f'{REPLACE} {times + 1}'"),
    # headers and files for browsers and robots
    ("webapp/pages/home.py", "'User-agent: *\\nAllow: /$\\nDisallow: /\\n'"),
    ("webapp/pages/install.py", "\"default-src 'none'; connect-src 'self'; img-src 'self'\""),
    (
        "webapp/pages/mailbox.py",
        "\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'\"",
    ),
    ("webapp/pages/seats.py", "f'attachment; filename=\"{name}\"'"),
    (
        "webapp/site.py",
        "\"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-src 'self'; "
        "worker-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'\"",
    ),
    # narrow letters
    ("webapp/presentation/chart.py", '"ijlI.,:;\'|!()[] "'),
}
"""What is found, but said to nobody: each is there, so that the list can only shrink."""
MODULES: Final = [
    name
    for room in ("hearts", "webapp", "worker")
    for name in (str(path.relative_to(ROOT)) for path in sorted((ROOT / room).rglob("*.py")))
    if (name in OF_HEARTS if room == "hearts" else not name.startswith(FOR_OPERATORS))
]


def in_code(source: str, nouns: set[str] | None = None) -> list[Half]:
    return CodeReader(source, nouns or ()).halves


@cache
def words_of_all() -> Words:
    """What `words_passed` finds in all templates; parsing them takes a while, and not every test process needs it."""
    return words_passed(Environment().parse(path.read_text(encoding="utf-8")) for path in TEMPLATES)


def in_template(source: str, *, by_line: bool = False) -> list[Half]:
    words = words_of_all() | words_passed([Environment().parse(source)])
    return TemplateReader(source, words, by_line=by_line).halves


@of_every(TEMPLATES)
def test_no_template_glues_a_sentence(path: Path):
    assert in_template(path.read_text(encoding="utf-8"), by_line=path.suffix == ".txt") == []


@of_every(MODULES)
def test_no_module_glues_a_sentence(name: str):
    found = in_code((ROOT / name).read_text(encoding="utf-8"), NOUNS.get(name))
    assert [half for half in found if (name, half.text) not in EXCEPTIONS] == []


def test_every_exception_is_needed():
    found = {
        (name, half.text)
        for name in {name for name, _ in EXCEPTIONS}
        for half in in_code((ROOT / name).read_text(encoding="utf-8"), NOUNS.get(name))
    }
    assert found >= EXCEPTIONS


@pytest.mark.parametrize("name", NOUNS)
def test_every_noun_is_needed(name: str):
    source = (ROOT / name).read_text(encoding="utf-8")
    assert all(len(in_code(source, NOUNS[name] - {noun})) > len(in_code(source, NOUNS[name])) for noun in NOUNS[name])


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("<p>You {{ 'sit' if here else 'sat' }} at {{ table }}.</p>", id="a gap with a verb"),
        pytest.param("<p>Offered to {{ name }}{{ ', who has accepted' if done }}.</p>", id="a gap with a clause"),
        pytest.param("<p>{{ n }} turn{% if n > 1 %}s{% endif %} for you.</p>", id="a plural by a letter"),
        pytest.param("<p>{{ n }} turn{{ 's' if n > 1 }}, and {{ n }}th.</p>", id="a gap that goes on as a word"),
        pytest.param("<p>Your turn{% if n > 1 %} at {{ n }} tables{% endif %}</p>", id="a branch behind a half"),
        pytest.param("<p>{% if away %}Ann{% else %}A robot{% endif %} plays on.</p>", id="a branch before a half"),
        pytest.param("<p>A <strong>{% if it %}robot{% else %}player{% endif %}</strong> plays.</p>", id="in a tag"),
        pytest.param("<p>Hello {{ you }},</p><p>somebody has asked us to send your turns.</p>", id="two paragraphs"),
        pytest.param("<a title=\"Sign out{% if all %} everywhere{% endif %}\" href='/'>x</a>", id="an attribute"),
        pytest.param("<p>{{ ['A', 'B']|join }} {{ 'No more ' ~ mails }}</p>", id="joined in a gap"),
        pytest.param("{% set heading = 'No more ' ~ mails %}", id="joined in a set"),
        pytest.param("{% set verb = 'play' %}<p>What would it {{ verb }}?</p>", id="a verb that was set"),
        pytest.param("{% macro by(what) %}<p>{{ what }} by {{ day }}.</p>{% endmacro %}{{ by('Play') }}", id="passed"),
        pytest.param("{% macro ask() %}<p>What would it {{ caller() }}?</p>{% endmacro %}", id="the caller's words"),
        pytest.param("<p>{{ table }}: {{ subject[:1]|lower }}{{ subject[1:] }}</p>", id="a text that is changed"),
    ],
)
def test_a_template_with_a_half_is_found(source: str):
    assert in_template(source)


@pytest.mark.parametrize(
    "source",
    [
        "<p>{% if n == 1 %}1 turn waits for you.{% else %}{{ n }} turns wait for you.{% endif %}</p>",
        "<p>We have paused.{% if host %} {{ host }} can go on.{% endif %} Nobody is asked.</p>",
        "<p>{{ name }}{% if cancelled %} (cancelled){% endif %}</p>",
        "<p>{% for face in faces %}{{ face }}{% if not loop.last %}, {% endif %}{% endfor %}</p>",
        "<h3>{{ name }}{% if away %} <span class='tag'>away</span>{% endif %}</h3>",
        "<p{% if quiet %} class='quiet'{% endif %}>Nobody is asked.</p>",
        "<button>{{ 'Sign in' if known else 'Join' }}</button>",
        "<nav>{% if known %}<a href='/games'>My games</a>{% endif %} <a href='/lobby'>Lobby</a></nav>",
    ],
)
def test_a_template_of_whole_sentences_is_not(source: str):
    assert not in_template(source)


def test_each_line_of_a_plain_text_stands_by_itself():
    source = "Hello {{ you }},\n\nthe cards are dealt once everybody agrees."
    assert in_template(source, by_line=True)
    assert not in_template(source.replace("the", "The"), by_line=True)
    assert not in_template("{% if away %}\nA robot plays.\n{% endif %}\nIt is late.", by_line=True)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('def f(n): return f\'{n} {"is" if n == 1 else "are"} here.\'', id="a gap with a verb"),
        pytest.param("def f(n):\n    v = 'wins' if n else 'win'\n    return f'{n} {v} it.'", id="a name of a verb"),
        pytest.param("V = {1: 'passed', 2: 'played'}\ndef f(n): return f'They {V[n]} it.'", id="a table of verbs"),
        pytest.param("def v(n): return 'is ' + n\ndef f(n): return f'It {v(n)}.'", id="a function's verb"),
        pytest.param('def f(n): return f\'{n} point{"s" if n > 1 else ""}\'', id="a plural by a letter"),
        pytest.param("def f(thing): return f'two {thing}s'", id="a gap that goes on as a word"),
        pytest.param("def f(n): return ', and with it most points'", id="begins with a comma"),
        pytest.param("def f(n): return 'Waiting for '", id="ends with a blank"),
        pytest.param("def f(n): return 'so that everybody can see who it was'", id="begins small"),
        pytest.param("def f(n): return n + ' wins.'", id="added"),
        pytest.param("def f(n): return 'It is %s.' % n", id="by percent"),
        pytest.param("def f(n): return ' and '.join(n)", id="joined by and"),
        pytest.param("def f(n): return '; '.join(n)", id="joined by semicolons"),
        pytest.param("def f(n): return n.capitalize()", id="a text that is changed"),
        pytest.param(
            "class C:\n    def v(self): return 'is'\n    def f(self): return f'It {self.v()} it.'", id="method"
        ),
    ],
)
def test_a_module_with_a_half_is_found(source: str):
    assert in_code(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(n, who): return f'{who} is here.' if n == 1 else f'{who} are here.'",
        "def f(n): return by_number(n, 'One more waits.', f'{n} more wait.')",
        "def f(n):\n    why = 'Hearts are not broken yet.'\n    return f'{why} Lead a club.'",
        "def f(n): return ' '.join(sentences)",
        "def f(n): return f'{n}/again', f'{n}.json', '.html'",
        "def f(n):\n    log.info('the letter of %s was not sent to anybody at all', n)",
        "def f(n): raise IllegalTurn(f'seat {n} may not play, for it has no card left')",
    ],
)
def test_a_module_of_whole_sentences_is_not(source: str):
    assert not in_code(source)


def test_a_noun_may_stand_in_a_gap():
    source = (
        "def queen(n): return 'the queen of spades, of which there are two'\ndef f(n): return f'They took {queen(n)}.'"
    )
    assert in_code(source)
    assert not in_code(source, {"queen"})
