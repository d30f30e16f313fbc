"""The templates: their folder, the variables of one, and their sentences, which are translated when one is compiled.

A template is English prose. A sentence of it is what stands between two tags of blocks, or two statements; in a plain
text, on a line. Translators see it whole: with a gap `{name}` for each expression, as in `say`, and with `<1>…</1>` for
the first tag within it, which they may move. A text within an expression is marked: `'Lobby'|say`,
`'led'|say_as('card')` if the word alone has several meanings, `number|say_many('{number} card', '{number} cards')`.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final, NamedTuple

from jinja2 import Environment, nodes
from jinja2.ext import Extension

from webapp.core.say import ENGLISH, catalogue, say, say_as, say_many, speaking, spoken

# The variables of a template, as an object: each page, and each kind of mail, has a class of its own.


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The base of these classes: each field is a variable."""

    def variables(self) -> dict[str, object]:
        return {one.name: getattr(self, one.name) for one in fields(self)}


# The folder of all templates, which the wheel puts inside the program.

_PROGRAM: Final = Path(__file__).parent.parent
_PACKED: Final = _PROGRAM / "templates"

TEMPLATES: Final = _PACKED if _PACKED.is_dir() else _PROGRAM.parent / "templates"


# The sentences of a template.

BRAND: Final = "Hearts by Mail"  # in every language

_PARTS: Final = re.compile(
    r"(?P<comment>\{#.*?#\})|(?P<statement>\{%.*?%\})|(?P<gap>\{\{.*?\}\})"
    r"|(?P<raw><(?:style|script)\b.*?</(?:style|script)>)"
    r"|(?P<tag></?(?=[a-zA-Z!{])(?:\{\{.*?\}\}|\{%.*?%\}|[^<>{]|\{(?![{%]))*>)",
    re.DOTALL,
)
_PARTS_OF_TEXT: Final = re.compile(
    r"(?P<comment>\{#.*?#\})|(?P<statement>\{%.*?%\})|(?P<gap>\{\{.*?\}\})|(?P<line>\n)", re.DOTALL
)
_INLINE: Final = re.compile(r"</?(?:a|abbr|bdi|code|em|small|span|strong|time)\b")
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\b[AIa]\b")
_ATTRIBUTE: Final = re.compile(r'(?<=\s)(aria-label|title|alt|placeholder|data-undo|content)="([^"]*)"')
_DESCRIPTION: Final = re.compile(r'"(?:og:|twitter:)?(?:description|title)"')
_KEPT: Final = 'translate="no"'
_SPACES: Final = re.compile(r"[ \t\r\n]+")
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'")
_ABOUT: Final = re.compile(r"[\w.|]*\((\w+(?:\.\w+)+)")  # the first argument of a call, as in `minis(sheet.given)`
_IDENTIFIER: Final = re.compile(r"\b(?!(?:if|else|not|and|or|in|is)\b)[a-zA-Z_]\w*")
_PLACE: Final = re.compile(r"\{(\w+)\}|<(/?\d+)>|\{\{|\}\}")


class Found(NamedTuple):
    """A sentence of a template."""

    message: str
    tags: Sequence[str] = ()  # those that `<1>`, `<2>` and so on stand for
    is_apart: bool = True  # whether nothing stands before it on its line, so that it may begin without a capital


class Marked(NamedTuple):
    """A text within an expression; `many` for more than one."""

    message: str
    context: str | None = None
    many: str | None = None


class _Part(NamedTuple):
    kind: str  # text, gap, tag, statement, comment, raw or line
    text: str

    @property
    def opens(self) -> bool:
        return self.kind == "tag" and not self.text.startswith("</")

    @property
    def is_within_line(self) -> bool:
        return self.kind in ("text", "gap") or (self.kind == "tag" and _INLINE.match(self.text) is not None)


def translated(source: str, name: str, translate: Callable[[Found], str]) -> str:
    """The source of the template `name`, with what `translate` returns in the place of each sentence.

    Raises KeyError if that has a gap or a tag that the sentence lacks.
    """
    if not name.endswith((".html", ".txt")):
        return source
    return "".join(_Rewriting(name.endswith(".html"), translate).of(source))


def marked(environment: Environment, source: str) -> Iterator[Marked]:
    """The texts that are marked within the expressions of a template. Raises ValueError if one does not stand there."""
    for one in environment.parse(source).find_all(nodes.Filter):
        given = [value.value for value in [one.node, *one.args] if isinstance(value, nodes.Const)]
        match one.name, given:
            case "say", [str() as message]:
                yield Marked(message)
            case "say_as", [str() as message, str() as context]:
                yield Marked(message, context=context)
            case "say_many", [*_, str() as message, str() as many]:
                yield Marked(message, many=many)
            case "say" | "say_as" | "say_many", _:
                raise ValueError(f"line {one.lineno}: `{one.name}` needs texts as they stand")


@dataclass(frozen=True, slots=True)
class _Rewriting:
    is_html: bool
    translate: Callable[[Found], str]

    def of(self, source: str) -> Iterator[str]:
        run, is_apart = list[_Part](), True
        for part in self._parts(source):
            if part.is_within_line:
                run.append(part)
                continue
            yield from self._run(run, is_apart)
            yield self._tag(part.text) if part.kind == "tag" else part.text
            run, is_apart = [], part.kind != "statement"
        yield from self._run(run, is_apart)

    def _parts(self, source: str) -> Iterator[_Part]:
        at = 0
        for found in (_PARTS if self.is_html else _PARTS_OF_TEXT).finditer(source):
            if found.start() > at:
                yield _Part("text", source[at : found.start()])
            yield _Part(str(found.lastgroup), found[0])
            at = found.end()
        if at < len(source):
            yield _Part("text", source[at:])

    def _run(self, run: Sequence[_Part], is_apart: bool) -> Iterator[str]:
        """Words, gaps and tags of a line. A tag whose partner is elsewhere divides it."""
        partners, opened = dict[int, int](), list[int]()
        for place, part in enumerate(run):
            if part.opens:
                opened.append(place)
            elif part.kind == "tag" and opened:
                partners[opened.pop()] = place
        lonely = set(range(len(run))) - partners.keys() - set(partners.values())
        start = 0
        for place in [*(place for place in sorted(lonely) if run[place].kind == "tag"), len(run)]:
            inner = {first - start: last - start for first, last in partners.items() if start <= first < place}
            yield from self._divided(run[start:place], inner, is_apart)
            if place < len(run):
                yield self._tag(run[place].text)
            start, is_apart = place + 1, True

    def _divided(self, run: Sequence[_Part], partners: Mapping[int, int], is_apart: bool) -> Iterator[str]:
        """One sentence, if there are words beside the tags; else what each tag encloses, by itself."""
        beside, place = list[int](), 0
        while place < len(run):
            beside.append(place)
            place = partners.get(place, place) + 1
        if any(run[place].kind == "text" and self._has_words(run[place].text) for place in beside):
            yield self._sentence(run, partners, is_apart)
            return
        for place in beside:
            if place not in partners:
                yield run[place].text
            elif _KEPT in run[place].text:
                yield "".join(part.text for part in run[place : partners[place] + 1])
            else:
                yield self._tag(run[place].text)
                yield from self._run(run[place + 1 : partners[place]], True)
                yield run[partners[place]].text

    def _sentence(self, run: Sequence[_Part], partners: Mapping[int, int], is_apart: bool) -> str:
        tags = {place: number for number, place in enumerate(sorted(partners), start=1)}
        names = {place: str(number) for place, number in tags.items()}
        names |= {last: f"/{tags[first]}" for first, last in partners.items()}
        message, fillings = "", dict[str, str]()
        for place, part in enumerate(run):
            if part.kind == "gap":
                name = _name(part.text, fillings)
                fillings[name] = part.text
                message += f"{{{name}}}"
            elif part.kind == "tag":
                fillings[names[place]] = self._tag(part.text)
                message += f"<{names[place]}>"
            else:
                message += self._plain(_SPACES.sub(" ", part.text)).replace("{", "{{").replace("}", "}}")
        first, last = (part.text if part.kind == "text" else "" for part in (run[0], run[-1]))
        said = self.translate(Found(message.strip(" "), [run[place].text for place in tags], is_apart))
        before, after = first[: len(first) - len(first.lstrip())], last[len(last.rstrip()) :]
        made, at = before, 0
        for gap in _PLACE.finditer(said):
            name = gap[1] or gap[2]
            made += self._safe(said[at : gap.start()]) + (fillings[name] if name else gap[0][0])
            at = gap.end()
        return made + self._safe(said[at:]) + after

    def _tag(self, tag: str) -> str:
        """The tag, with the texts of its attributes."""

        def attribute(one: re.Match[str]) -> str:
            if one[1] == "content" and not _DESCRIPTION.search(tag):
                return one[0]
            run = [part for part in self._parts(one[2]) if part.kind != "statement"]
            if "{%" in one[2] or not any(part.kind == "text" and self._has_words(part.text) for part in run):
                return one[0]
            said = self._sentence(run, {}, True)
            return f'{one[1]}="{said}"'

        return _ATTRIBUTE.sub(attribute, tag)

    def _has_words(self, text: str) -> bool:
        return _WORD.search(self._plain(text).replace(BRAND, "")) is not None

    def _plain(self, text: str) -> str:
        return html.unescape(text) if self.is_html else text

    def _safe(self, text: str) -> str:
        return html.escape(text, quote=False).replace('"', "&quot;") if self.is_html else text


def _name(gap: str, taken: Mapping[str, str]) -> str:
    """The name of a gap: the attribute that fills it, or what is called for that."""
    expression = _QUOTED.sub("", gap.strip("{}-+ "))
    about = _ABOUT.match(expression)
    ways = [about[1]] if about else re.split(r"[(| ]", expression)
    named = next((found for part in ways if (found := _IDENTIFIER.findall(part))), ["gap"])[-1]
    name, number = named, 2
    while taken.get(name, gap) != gap:
        name, number = f"{named}_{number}", number + 1
    return name


class Environments:
    """The environments of templates, one for each language: they share all but what is said, and what was compiled."""

    def __init__(self, english: Environment) -> None:
        self._english = english
        self._made = {ENGLISH: english}
        english.filters |= _filters(ENGLISH)

    def spoken(self) -> Environment:
        """The environment of the language that is spoken."""
        language = spoken()
        if language not in self._made:
            made = self._english.overlay(extensions=[_translating(language)])
            made.filters = self._english.filters | _filters(language)
            self._made[language] = made
        return self._made[language]


def _translating(language: str) -> type[Extension]:
    class Translating(Extension):
        def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
            return translated(source, name or "", lambda found: catalogue(language).gettext(found.message))

    return Translating


def _filters(language: str) -> dict[str, Callable[..., str]]:
    """Jinja calls them when it compiles a template, if all that they get stands there."""

    def said(message: str, **gaps: object) -> str:
        with speaking(language):
            return say(message, **gaps)

    def said_as(message: str, context: str, **gaps: object) -> str:
        with speaking(language):
            return say_as(context, message, **gaps)

    def said_many(number: int, one: str, many: str, **gaps: object) -> str:
        with speaking(language):
            return say_many(number, one, many, **gaps)

    return {"say": said, "say_as": said_as, "say_many": said_many}
