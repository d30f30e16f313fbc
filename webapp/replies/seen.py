"""Empties the text of an HTML mail that no reader sees, so that what is read is what is shown.

Knows the elements that show nothing, and styles that hide: on an element, or by a rule of a style sheet in the mail, of
which only the last compound selector is compared. So a rule may hide more here than in a mail program, but never less.
Source: CSS 2.1 for what is inherited.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

from lxml.html import HtmlElement
from PIL import ImageColor

Colour = tuple[int, ...]

HIDDEN_ELEMENTS: Final = {
    *("audio", "canvas", "datalist", "dialog", "head", "iframe", "math", "noembed", "noframes", "noscript", "object"),
    *("option", "rp", "script", "select", "style", "svg", "template", "textarea", "title", "video", "xmp"),
}
STRUCK: Final = frozenset(("s", "strike", "del", "bdo"))  # shown as something else than their letters say
UNREADABLE: Final = "…"
LEAST_SIZE: Final = 4  # pixels of a letter that can be read
DEFAULT_SIZE: Final = 16
LEAST_OPACITY: Final = 0.15
LEAST_CONTRAST: Final = 24  # of 255, in the part of a colour that differs most
FAR_OFF: Final = 500  # pixels beyond an edge
MOST_RULES: Final = 100  # that are compared
LINK: Final = (0, 0, 238)

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_COMPOUND = re.compile(r"([a-z][a-z0-9-]*)?\*?((?:[.#][\w-]+)*)(?:[\[:].*)?", re.IGNORECASE)
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|pt|r?em|%)?")
_PIXELS: Final = {"px": 1, "pt": 4 / 3, "%": 1}  # else 16, as an em has by default
_COLOUR = re.compile(r"#[0-9a-f]+|(?:rgb|hsl)a?\([^()]*\)|\b[a-z]+\b")
_CLEAR = re.compile(
    r"transparent|(?:rgb|hsl)a?\([^()]*[,/]\s*(?:0?\.0\d*|0|0?\.1[0-4]?|\d%|1[0-4]%)\s*\)"
    r"|#(?:[0-9a-f]{6}[01][0-9a-f]|[0-9a-f]{3}[01])(?![0-9a-f])"
)
_HIDING: Final = {"display": "none", "content-visibility": "hidden", "mso-hide": "all"}
_RELEVANT: Final = {
    *("display", "visibility", "opacity", "font", "font-size", "color", "-webkit-text-fill-color", "text-decoration"),
    *(
        "background",
        "background-color",
        "text-indent",
        "left",
        "top",
        "margin-left",
        "margin-top",
        "overflow",
        "filter",
    ),
    *("height", "max-height", "width", "max-width", "clip", "clip-path", "transform", *_HIDING),
}
_VISIBLE: Final = {"hidden": False, "collapse": False, "visible": True}
_NO_SIZE = re.compile(r"rect\((?:0|1px)|inset\((?:50|100)%|scale[xy]?\(0(?:\.0\d*)?\)|opacity\((?:0|\d%)")


@dataclass(frozen=True, slots=True)
class Shown:
    """How text is shown within an element. A colour is None if it is unknown, or if there is a picture behind."""

    is_hidden: bool = False
    is_struck: bool = False
    is_visible: bool = True
    size: float = DEFAULT_SIZE
    colour: Colour | None = (0, 0, 0)
    background: Colour | None = (255, 255, 255)

    @property
    def is_seen(self) -> bool:
        return not self.is_hidden and self.is_visible and self.size >= LEAST_SIZE and not self._is_lost

    @property
    def _is_lost(self) -> bool:
        """Whether the text has the colour that is behind it."""
        if self.colour is None or self.background is None:
            return False
        return max(abs(one - other) for one, other in zip(self.colour, self.background, strict=False)) < LEAST_CONTRAST


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of a style sheet: the last compound of its selector, and its declarations."""

    tag: str
    names: frozenset[str]  # ".class" and "#id"
    declared: Mapping[str, str]
    is_for_some: bool  # within an at-rule such as @media, so that not every program follows it


def empty_unseen(tree: HtmlElement, kept: str) -> None:
    """Empties all texts in `tree` that no reader sees, but for the letters in `kept`.

    Raises ValueError if its style sheets have too many rules.
    """
    matching = _matching(list(_rules(tree)))
    waiting = [(tree, Shown())]
    while waiting:
        element, outside = waiting.pop()
        if not isinstance(element.tag, str):
            continue
        shown = _within(element, outside, matching(element.tag, element.get("class", ""), element.get("id", "")))
        element.text = _text(element.text, shown, kept)
        for child in element:
            child.tail = _text(child.tail, shown, kept)
            waiting.append((child, shown))


def _text(text: str | None, shown: Shown, kept: str) -> str | None:
    if not text or (shown.is_seen and not (shown.is_struck and text.strip())):
        return text
    return UNREADABLE if shown.is_seen else "".join(letter for letter in text if letter in kept)


def _within(element: HtmlElement, outside: Shown, rules: Sequence[Rule]) -> Shown:
    """How text is shown within the element, which is within another."""
    own = _declared(element.get("style", ""))
    declared = {name: value for rule in rules if not rule.is_for_some for name, value in rule.declared.items()} | own
    is_closed = element.tag == "details" and element.get("open") is None
    is_hidden = is_closed or element.tag in HIDDEN_ELEMENTS or element.get("hidden") is not None
    is_hidden |= any(map(_hides, (own, *(rule.declared for rule in rules))))
    is_hidden |= any(_size(rule.declared, DEFAULT_SIZE) < LEAST_SIZE for rule in rules if rule.is_for_some)
    link = LINK if element.tag == "a" and element.get("href") is not None else None
    attribute = element.get({"font": "color", "body": "text"}.get(element.tag, "color"), "")
    fill = declared.get("-webkit-text-fill-color") or declared.get("color") or attribute.lower()
    behind = declared.get("background-color") or declared.get("background") or element.get("bgcolor", "").lower()
    background = _background(behind, outside.background)
    return replace(
        outside,
        is_hidden=outside.is_hidden or is_hidden,
        is_struck=outside.is_struck or element.tag in STRUCK or "line-through" in declared.get("text-decoration", ""),
        is_visible=_VISIBLE.get(declared.get("visibility", ""), outside.is_visible),
        size=_size(declared, outside.size),
        colour=background if _CLEAR.fullmatch(fill) else _colour(fill, link or outside.colour),
        background=background,
    )


def _hides(declared: Mapping[str, str]) -> bool:
    """Whether the declarations hide an element with all that is within."""

    def lengths(*names: str) -> list[float]:  # in pixels, or as numbers; so many percent are as many pixels
        found = (_LENGTH.match(declared.get(name, "")) for name in names)
        return [float(one[1]) * _PIXELS.get(one[2] or "px", 16) for one in found if one]

    is_cut = declared.get("overflow", "").startswith(("hidden", "clip"))
    return (
        any(declared.get(name) == value for name, value in _HIDING.items())
        or any(one < LEAST_OPACITY * (100 if "%" in declared["opacity"] else 1) for one in lengths("opacity"))
        or any(_NO_SIZE.search(declared.get(name, "")) for name in ("clip", "clip-path", "transform", "filter"))
        or (is_cut and any(one < LEAST_SIZE for one in lengths("height", "max-height", "width", "max-width")))
        or any(one <= -FAR_OFF for one in lengths("text-indent", "left", "top", "margin-left", "margin-top"))
    )


def _size(declared: Mapping[str, str], outside: float) -> float:
    """The size of letters in pixels."""
    value = declared.get("font-size") or declared.get("font", "")
    found = next((one for word in value.split() if (one := _LENGTH.match(word))), None)
    if found is None or (found[2] is None and float(found[1])):  # a weight such as 700
        return outside
    match found[2]:
        case "em":
            return float(found[1]) * outside
        case "%":
            return float(found[1]) * outside / 100
        case unit:
            return float(found[1]) * _PIXELS.get(unit or "px", 16)


def _colour(value: str, outside: Colour | None) -> Colour | None:
    if value in ("", "inherit", "unset", "currentcolor"):
        return outside
    if value.startswith("rgb"):
        parts = re.findall(r"(\d+)(?:\.\d+)?(%?)", value)[:3]
        return tuple(int(part) * 255 // 100 if percent else int(part) for part, percent in parts)
    try:
        return ImageColor.getrgb(f"#{value}" if re.fullmatch(r"[0-9a-f]{6}", value) else value)[:3]
    except ValueError:
        return None


def _background(value: str, outside: Colour | None) -> Colour | None:
    if "url(" in value or "gradient(" in value:
        return None
    if not value or _CLEAR.search(value):
        return outside
    found = (_colour(one, None) for one in _COLOUR.findall(value))
    return next((one for one in found if one), outside)


@lru_cache(maxsize=2048)
def _declared(style: str) -> dict[str, str]:
    """The declarations of a style, by property; of several for one the last."""
    parts = (part.partition(":") for part in _COMMENT.sub("", style).lower().split(";"))
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in parts if value.strip()}


def _rules(tree: HtmlElement) -> Iterator[Rule]:
    """The rules of all style sheets in the mail that say how text is shown."""
    for sheet in tree.iter("style"):
        opened: list[str] = []
        last = ""
        text = _COMMENT.sub("", sheet.text or "").replace("<!--", "").replace("-->", "")
        for part in [*re.split(r"([{}])", text), "}"]:  # a program closes the last rule as well
            if part == "{":
                opened.append(last.strip())
                last = ""
            elif part != "}":
                last = part
            elif opened:
                selectors, declared = opened.pop(), _declared(last)
                if not selectors.startswith("@") and not declared.keys().isdisjoint(_RELEVANT):
                    for selector in selectors.split(","):
                        yield _rule(selector, declared, is_for_some=any(one.startswith("@") for one in opened))
                last = ""


def _rule(selector: str, declared: Mapping[str, str], *, is_for_some: bool) -> Rule:
    found = _COMPOUND.fullmatch(re.split(r"[\s>+~]+", selector.strip())[-1])
    tag, names = (found[1] or "", found[2]) if found else ("", "")
    return Rule(tag.lower(), frozenset(re.findall(r"[.#][\w-]+", names)), declared, is_for_some)


def _matching(rules: Sequence[Rule]) -> Callable[[str, str, str], Sequence[Rule]]:
    """A function that returns the rules for an element with a tag, classes and an id."""
    if len(rules) > MOST_RULES:
        raise ValueError("too many rules")

    @cache
    def found(tag: str, classes: str, identifier: str) -> Sequence[Rule]:
        names = {*(f".{name}" for name in classes.split()), f"#{identifier}"}
        return [rule for rule in rules if rule.tag in ("", tag) and rule.names <= names]

    return found
