"""Finds half sentences in a template: its text is read as a translator would, with gaps and branches.

What is looked at is the text of an element (a paragraph, a row, a button, …) or of a line of a plain text. It may not
begin in the middle of a sentence; its branches may only choose between whole sentences, labels, and notes in
parentheses; and its gaps may hold neither words that a template gives nor a text that is changed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment, nodes

from tests.halves import LETTER, Half, begins_small

_WORD: Final = re.compile(r"[^\W\d_]{2}")
_IF, _FOR, _ELSE, _END, _BREAK, _FIRST_GAP = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004", 0xF0000
_GAP: Final = "[\U000f0000-\U000ffffd]"
_TAG: Final = re.compile(r"<!--.*?-->|<style.*?</style>|<script.*?</script>|<(/?)([a-zA-Z0-9]+)([^<>]*)>", re.DOTALL)
_SPOKEN: Final = re.compile(r'\b(?:aria-label|title|alt|placeholder)="([^"]*)"')
_INLINE: Final = {"a", "b", "code", "em", "i", "kbd", "small", "span", "strong", "time"}
_OFTEN_LABELS: Final = {"a", "small", "span"}
"""Within a line if bare; with a class, or in a menu, a label of its own."""
_ATTRIBUTE: Final = re.compile(r'\w="')
_FORMAT: Final = re.compile(r"%0?\d*[ds]")
_RECASING: Final = {"capitalize", "lower", "replace", "title"}


@dataclass(frozen=True, slots=True)
class Branches:
    """What an `if` or a `for` may put into a text: for an `if` without `else`, nothing is one of them."""

    options: tuple["Pieces", ...]


Pieces = tuple["str | Branches", ...]
Words = frozenset[tuple[str, str]]
"""The names that stand for words: a macro and its parameter, or "" and a name that a template sets."""


def words_passed(templates: Iterable[nodes.Template]) -> Words:
    """The names for which some template gives words, as in `{{ deadline(moment, 'Choose') }}`."""
    templates = list(templates)
    macros = {
        macro.name: [arg.name for arg in macro.args] for tree in templates for macro in tree.find_all(nodes.Macro)
    }
    found: set[tuple[str, str]] = set()
    for tree in templates:
        for macro in tree.find_all(nodes.Macro):
            with_default = macro.args[len(macro.args) - len(macro.defaults) :]
            found |= {
                (macro.name, arg.name) for arg, it in zip(with_default, macro.defaults, strict=True) if _words(it)
            }
        for call in tree.find_all(nodes.Call):
            name = getattr(call.node, "attr", getattr(call.node, "name", ""))
            found |= {(name, to) for to, given in zip(macros.get(name, ()), call.args, strict=False) if _words(given)}
            found |= {(name, pair.key) for pair in call.kwargs if _words(pair.value)}
        for assign in tree.find_all(nodes.Assign):
            targets = assign.target.items if isinstance(assign.target, nodes.Tuple) else [assign.target]
            given = assign.node.items if isinstance(assign.node, nodes.Tuple) else [assign.node] * len(targets)
            found |= {
                ("", to.name)
                for to, it in zip(targets, given, strict=True)
                if isinstance(to, nodes.Name) and any(not re.match("[A-Z].* ", words) for words in _words(it))
            }
    return frozenset(found)


class TemplateReader:
    """Reads one template; `halves` are what it has found."""

    def __init__(self, source: str, words: Words = frozenset(), *, by_line: bool = False) -> None:
        """`by_line`: a plain text, in which a line is what a paragraph is in HTML."""
        self.source, self.passed, self.by_line = source, words, by_line
        self.gaps: list[nodes.Expr] = []
        self.halves: list[Half] = []
        self.macro = ""
        self._read(Environment().parse(source).body)

    def _read(self, body: Iterable[nodes.Node]) -> None:
        text = "".join(map(self._flat, body))
        for piece in self._blocks(text):
            for part in _split(_unmatched_broken(piece)):
                self._check(_tree(part))

    def _flat(self, node: nodes.Node) -> str:
        """A node as text with marks for gaps and branches; what has a text of its own is read apart."""
        match node:
            case nodes.Output():
                return "".join(map(self._flat, node.nodes))
            case nodes.TemplateData():
                return node.data.replace("\n", _BREAK) if self.by_line else node.data
            case nodes.If():
                others = [_ELSE + self._all(other.body) for other in node.elif_]
                return _IF + self._all(node.body) + "".join(others) + _ELSE + self._all(node.else_) + _END
            case nodes.For():
                return _FOR + self._all(node.body) + _ELSE + self._all(node.else_) + _END
            case nodes.Macro():
                self.macro = node.name
                self._read(node.body)
                self.macro = ""
                return _BREAK
            case nodes.Block():
                self._read(node.body)
                return _BREAK
            case nodes.AssignBlock():
                self._read(node.body)
                return ""
            case nodes.CallBlock():
                self._read(node.body)
                return self._gap(node.call)
            case nodes.Assign():
                self._check_set(node)
                return ""
            case nodes.Expr():
                return self._gap(node)
            case _:
                return _BREAK

    def _all(self, body: Iterable[nodes.Node]) -> str:
        return "".join(map(self._flat, body))

    def _gap(self, node: nodes.Expr) -> str:
        self.gaps.append(node)
        return chr(_FIRST_GAP + len(self.gaps) - 1)

    def _blocks(self, text: str) -> list[str]:
        """The text of every element that is not within a line, and of every attribute that is read aloud."""
        attributes = [spoken for tag in _TAG.finditer(text) for spoken in _SPOKEN.findall(tag[3] or "")]
        opened: list[bool] = []
        menus: list[str] = []

        def replaced(tag: re.Match[str]) -> str:
            closes, name, rest = tag[1], (tag[2] or "").lower(), tag[3] or ""
            if name == "nav":
                menus[:] = [] if closes else [name]
            if name not in _INLINE:
                return _BREAK
            if name not in _OFTEN_LABELS:
                return ""
            if closes:
                return _BREAK if opened and opened.pop() else ""
            opened.append("class=" in rest or "id=" in rest or bool(menus))
            return _BREAK if opened[-1] else ""

        return [*_TAG.sub(replaced, text).split(_BREAK), *attributes]

    # what is wrong

    def _check(self, pieces: Pieces) -> None:
        text = _plain(pieces)
        if (not text.strip() and not any(isinstance(piece, Branches) for piece in pieces)) or _ATTRIBUTE.search(text):
            return
        if begins_small(text):
            self._blame(pieces, "begins in the middle of a sentence")
        if re.search(rf"{_GAP}[a-z]", text) and re.search(r"\s", text.strip()):
            self._blame(pieces, "a gap goes on as a word")
        for gap in self._gaps_in(pieces):
            self._check_gap(gap, pieces)
        self._check_branches(pieces)

    def _check_branches(self, pieces: Pieces) -> None:
        for at, branches in enumerate(pieces):
            if isinstance(branches, str):
                continue
            before, after = _plain(pieces[:at], first=True).strip(), _plain(pieces[at + 1 :], first=True).strip()
            for option in branches.options:
                if not before and not after:
                    self._check(option)
                elif LETTER.search(_letters(_plain(option))) and not _is_whole(before, _plain(option), after):
                    self._blame(pieces, f"a branch is half a sentence: {self._shown(_plain(option))!r}")
                else:
                    self._check_branches(option)

    def _check_gap(self, gap: nodes.Expr, pieces: Pieces) -> None:
        amid = bool(LETTER.search(_letters(_plain(pieces))))
        if amid and _words(gap):
            self._blame(pieces, f"a gap holds words: {sorted(_words(gap))}")
        for expr in (gap, *gap.find_all(nodes.Concat)):
            if isinstance(expr, nodes.Concat) and _joins_words(expr):
                self._blame(pieces, "words are joined")
        if any(_recases(one) for one in (gap, *gap.find_all(nodes.Filter)) if isinstance(one, nodes.Filter)):
            self._blame(pieces, "a text is changed")
        if amid and isinstance(gap, nodes.Call) and getattr(gap.node, "name", "") == "caller":
            self._blame(pieces, "a gap holds the caller's words")
        if amid and isinstance(gap, nodes.Name) and {(self.macro, gap.name), ("", gap.name)} & self.passed:
            self._blame(pieces, f"a gap holds words that are given: {gap.name}")

    def _check_set(self, node: nodes.Assign) -> None:
        if getattr(node.target, "name", "") == "class":
            return
        for expr in node.find_all(nodes.Concat):
            if _joins_words(expr):
                self.halves.append(Half(node.lineno, str(getattr(node.target, "name", "")), "words are joined"))

    def _gaps_in(self, pieces: Pieces) -> Iterator[nodes.Expr]:
        for piece in pieces:
            if isinstance(piece, str):
                yield from (self.gaps[ord(mark) - _FIRST_GAP] for mark in re.findall(_GAP, piece))
            else:
                for option in piece.options:
                    yield from self._gaps_in(option)

    def _shown(self, text: str) -> str:
        return re.sub(_GAP, "{}", " ".join(text.split()))

    def _blame(self, pieces: Pieces, wrong: str) -> None:
        text = self._shown(_plain(pieces, first=True))
        gap = next(self._gaps_in(pieces), None)
        half = Half(gap.lineno if gap else self._line_of(pieces), text, wrong)
        if half not in self.halves:
            self.halves.append(half)

    def _line_of(self, pieces: Pieces) -> int:
        words = next((piece.strip() for piece in pieces if isinstance(piece, str) and piece.strip()), "")
        return self.source[: max(0, self.source.find(words.split("\n")[0][:30]))].count("\n") + 1


def _words(node: nodes.Node | None) -> set[str]:
    """The words that an expression may stand for."""
    match node:
        case nodes.Const() if isinstance(node.value, str):
            return {node.value} if _WORD.search(_FORMAT.sub("", node.value)) else set()
        case nodes.CondExpr():
            return _words(node.expr1) | _words(node.expr2)
        case nodes.Or() | nodes.And():
            return _words(node.left) | _words(node.right)
        case nodes.Concat():
            return {words for one in node.nodes for words in _words(one)}
        case nodes.Dict():
            return {words for pair in node.items for words in _words(pair.value)}
        case nodes.Getitem():
            return _words(node.node)
        case nodes.Filter():
            return _words(node.node)
        case _:
            return set()


def _joins_words(expr: nodes.Concat) -> bool:
    """Whether it joins more than the parts of a name such as `seat_kind`."""
    return any(re.search(r"\s", words) for one in expr.nodes for words in _words(one))


def _recases(text: nodes.Filter) -> bool:
    """Whether a filter changes a text, and not only shows a name such as Europe/San_Marino without its underscores."""
    return text.name in _RECASING and not (text.args and getattr(text.args[0], "value", "") == "_")


def _unmatched_broken(text: str) -> str:
    """The text with a break for each mark whose branches begin or end in another element."""
    opened: list[list[int]] = []
    whole: set[int] = set()
    for at, mark in enumerate(text):
        if mark in (_IF, _FOR):
            opened.append([at])
        elif mark == _ELSE and opened:
            opened[-1].append(at)
        elif mark == _END and opened:
            whole |= {*opened.pop(), at}
    marks = (_IF, _FOR, _ELSE, _END)
    return "".join(_BREAK if mark in marks and at not in whole else mark for at, mark in enumerate(text))


def _split(text: str) -> list[str]:
    return [part for part in text.split(_BREAK) if part.strip()]


def _tree(text: str) -> Pieces:
    pieces, rest = _options(text)
    assert not rest, "the marks are matched"
    return pieces[0]


def _options(text: str) -> tuple[list[Pieces], str]:
    """The options up to the end of the branches, and the text behind it."""
    options: list[list[str | Branches]] = [[]]
    while text:
        found = re.search(f"[{_IF}{_FOR}{_ELSE}{_END}]", text)
        if not found:
            options[-1].append(text)
            return [tuple(option) for option in options], ""
        options[-1].append(text[: found.start()])
        text = text[found.end() :]
        if found[0] == _END:
            break
        if found[0] == _ELSE:
            options.append([])
        else:
            inner, text = _options(text)
            options[-1].append(Branches(tuple(inner)))
    return [tuple(option) for option in options], text


def _plain(pieces: Pieces, *, first: bool = False) -> str:
    """The text without its branches; with `first`, with the first of each that says something."""
    said = []
    for piece in pieces:
        if isinstance(piece, str):
            said.append(piece)
        elif first:
            said.append(next((text for option in piece.options if (text := _plain(option, first=True)).strip()), ""))
    return "".join(said)


def _letters(text: str) -> str:
    return re.sub(r"&\w+;", "", text)


def _is_whole(before: str, option: str, after: str) -> bool:
    """Whether a branch is a sentence, a note in parentheses, or a label, between the texts before and behind it."""
    option = option.strip()
    if option[0] == "(" and option[-1] == ")":
        return True
    is_sentence = not option[0].islower() and option[-1] in ".!?…"
    after_one = not before or before[-1] in ".!?…:·(”" or (is_sentence and re.match(_GAP, before[-1]))
    begins = not option[0].islower() and option[0] not in ",;:." and after_one
    ends = option[-1] in ".!?…:·”" or not after or after[0] in ")·"
    return begins and ends and (not after or not after[0].islower())
