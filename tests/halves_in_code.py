"""Finds half sentences in a module: in its literals, and in how they are put together.

A text may not begin or end in the middle of a sentence; texts may not be joined, but for lists and whole sentences; and
the gap of a text may not hold words that the module knows, unless they are a whole noun.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final, TypeGuard

from tests.halves import LETTER, Half, begins_small
from tests.syntax import parsed

_HALF_BEFORE: Final = re.compile(r"^[\s,;:.]")
_HALF_BEHIND: Final = re.compile(r"[\s,;]$")
_QUOTED: Final = "\ue010"
_LOGGERS: Final = {"log", "logger"}
_OURS: Final = {"ValueError", "TypeError", "LookupError", "KeyError", "RuntimeError", "AssertionError"}
"""What a caller of ours did wrong: nobody else reads it."""


_ERRORS: Final = {"Why"}
"""The first argument is about a seat, and the end of an error of `hearts`; only the others are for players."""


class CodeReader(ast.NodeVisitor):
    """Reads one module; `halves` are what it has found. `nouns` are functions and constants that are whole nouns."""

    def __init__(self, source: str, nouns: Iterable[str] = ()) -> None:
        self.nouns = frozenset(nouns)
        self.halves: list[Half] = []
        self.may_begin_small = False
        tree = parsed(source)
        self.worded = {name for name, given in _names(tree) if _fragments(given)}
        self.own = {
            name
            for one in ast.walk(tree)
            if isinstance(one, ast.ClassDef)
            for name, given in _names(one)
            if _fragments(given)
        }
        self.visit(tree)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer = self.worded, self.may_begin_small
        given = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        set_here = {name for name, _ in _set_in(node)}
        worded = {name for name, value in _set_in(node) if _fragments(value)}
        self.worded = (self.worded - given - set_here) | worded
        self.may_begin_small = node.name in self.nouns
        self.generic_visit(node)
        self.worded, self.may_begin_small = outer

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """An error of Python's own is for who called wrongly; another begins small, as errors do."""
        name = getattr(getattr(node.exc, "func", None), "id", "")
        if name not in _OURS:
            outer, self.may_begin_small = self.may_begin_small, True
            self.generic_visit(node)
            self.may_begin_small = outer

    def visit_Assert(self, node: ast.Assert) -> None:
        self.visit(node.test)

    def visit_Call(self, node: ast.Call) -> None:
        owner = getattr(node.func, "value", None)
        if isinstance(owner, ast.Name) and owner.id in _LOGGERS | {"re"}:
            return
        if isinstance(node.func, ast.Attribute):
            self._check_method(node, node.func)
        if isinstance(node.func, ast.Name) and node.func.id in _ERRORS:
            for argument in node.args[1:]:
                self.visit(argument)
        else:
            self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, (ast.Add, ast.Mod)) and any(map(_said, (node.left, node.right))):
            self._blame(node, "words are joined")
        self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        text = _text(node)
        self._check_text(node, text)
        if " " in text.strip():
            if re.search(rf"{_QUOTED}[a-z]", text):
                self._blame(node, "a gap goes on as a word")
            for gap in (value.value for value in node.values if isinstance(value, ast.FormattedValue)):
                self._check_gap(node, gap)
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.visit(value.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._check_text(node, node.value)

    # what is wrong

    def _check_text(self, node: ast.expr, text: str) -> None:
        if not LETTER.search(text) or not re.search(r"\s", text):
            return
        if _HALF_BEFORE.search(text) or _HALF_BEHIND.search(text):
            self._blame(node, "begins or ends in the middle of a sentence")
        if not self.may_begin_small and begins_small(text):
            self._blame(node, "begins in the middle of a sentence")

    def _check_gap(self, node: ast.expr, gap: ast.expr) -> None:
        if words := _fragments(gap):
            self._blame(node, f"a gap holds words: {words}")
        name = gap.func if isinstance(gap, ast.Call) else gap.value if isinstance(gap, ast.Subscript) else gap
        if isinstance(name, ast.Name) and name.id in self.worded - self.nouns:
            self._blame(node, f"a gap holds words: {name.id}")
        if _is_own(name) and name.attr in self.own - self.nouns:
            self._blame(node, f"a gap holds words: {name.attr}")

    def _check_method(self, node: ast.Call, method: ast.Attribute) -> None:
        if method.attr == "join" and _said(method.value):
            self._blame(node, "words are joined")
        if method.attr == "capitalize":
            self._blame(node, "a text is changed")

    def _blame(self, node: ast.expr, wrong: str) -> None:
        self.halves.append(Half(node.lineno, ast.unparse(node), wrong))


def _is_own(node: ast.expr) -> TypeGuard[ast.Attribute]:
    """Whether it is a property or a method of the same object."""
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"


def _names(tree: ast.Module | ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The constants and functions of a module, or of a class, with what they are or may return."""
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            yield from ((name, node.value) for name in _targets(node))
        if isinstance(node, ast.FunctionDef):
            returned = (one.value for one in ast.walk(node) if isinstance(one, ast.Return) and one.value is not None)
            yield from ((node.name, value) for value in returned)


def _set_in(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that a function sets, with their values."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            yield from _pairs(node)


def _pairs(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> Iterator[tuple[str, ast.expr]]:
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
        yield from (
            (one.id, it) for one, it in zip(target.elts, node.value.elts, strict=False) if isinstance(one, ast.Name)
        )
    elif node.value is not None:
        yield from ((name, node.value) for name in _targets(node))


def _targets(node: ast.Assign | ast.AnnAssign | ast.NamedExpr) -> Iterator[str]:
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))


def _literals(node: ast.expr) -> list[str]:
    """The words that an expression may stand for."""
    match node:
        case ast.Constant(value=str(text)):
            return [text] if LETTER.search(text) else []
        case ast.JoinedStr():
            text = _text(node)
            return [text.replace(_QUOTED, "{}")] if LETTER.search(text) else []
        case ast.IfExp():
            return _literals(node.body) + _literals(node.orelse)
        case ast.BoolOp():
            return [words for value in node.values for words in _literals(value)]
        case ast.Tuple() | ast.List() | ast.Set():
            return [words for value in node.elts for words in _literals(value)]
        case ast.Starred():
            return _literals(node.value)
        case ast.Dict():
            return [words for value in node.values for words in _literals(value)]
        case ast.Subscript():
            return _literals(node.value)
        case ast.Call(func=ast.Attribute(attr="get", value=ast.Dict() as known)):
            return _literals(known)
        case ast.Call(func=ast.Name(id="by_number")):
            return [words for value in node.args for words in _literals(value)]
        case _:
            return []


def _fragments(node: ast.expr) -> list[str]:
    """The words that an expression may stand for, but whole sentences."""
    return [text for text in _literals(node) if text[:1].islower() or text[-1] not in ".!?”"]


def _text(node: ast.JoinedStr) -> str:
    return "".join(str(value.value) if isinstance(value, ast.Constant) else _QUOTED for value in node.values)


def _said(node: ast.expr) -> bool:
    """Whether it is a text with letters, or with a mark between two sentences."""
    return bool(_literals(node)) or (isinstance(node, ast.Constant) and ";" in str(node.value))
