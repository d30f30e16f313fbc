"""Small changes of a module that its tests do not notice: make mutants MODULE=webapp/play/taking.py

Each mutant is the module with one thing changed: a comparison, a number, a condition, a call that is left out. Its
tests run on some of them, chosen by a seed, at most one a line. A mutant that all tests pass has survived: a test is
missing, or the change makes no difference. The files stay as they are: only the tests' own process has the mutant.
"""

import argparse
import ast
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import CodeType

from bench.printing import say

ROOT = Path(__file__).resolve().parent.parent
MOST = 15
SLOWER = 3  # times as long as all tests without a change, and then `GRACE` seconds, before a mutant counts as killed
GRACE = 30.0
SWAPPED: dict[type[ast.AST], str] = {
    **{ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "=="},
    **{ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"},
    **{ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Div: "*", ast.BitOr: "&", ast.BitAnd: "|"},
    **{ast.And: "or", ast.Or: "and"},
}
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SLOW = "postgresql"  # parts of names of tests that need a server, and are left out
UNSEEN = ("log.", "log_event")  # calls that change nothing


@dataclass(frozen=True, slots=True, order=True)
class Mutant:
    """A module with one change."""

    line: int
    change: str
    source: str


class Text:
    """The source of a module, of which a node's part can be replaced."""

    def __init__(self, source: str) -> None:
        self._source = source.encode()
        self._begins = [0]
        for line in self._source.split(b"\n"):
            self._begins.append(self._begins[-1] + len(line) + 1)

    def begin(self, node: ast.expr | ast.stmt) -> int:
        return self._begins[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._begins[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr) -> str:
        return self._source[self.begin(node) : self.end(node)].decode()

    def replaced(self, line: int, begin: int, end: int, by: str) -> Mutant | None:
        """The mutant; None if it is no Python."""
        source = (self._source[:begin] + by.encode() + self._source[end:]).decode()
        try:
            ast.parse(source)
        except SyntaxError:
            return None
        was = " ".join(self._source[begin:end].decode().split())
        return Mutant(line, f"{was[:70]} → {by.strip()[:70]}", source)


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module, in order."""
    text, tree = Text(source), ast.parse(source)
    skipped = {id(part) for node in ast.walk(tree) for root in _ignored(node) for part in ast.walk(root)}
    nodes = [node for node in ast.walk(tree) if id(node) not in skipped and isinstance(node, ast.expr | ast.stmt)]
    found = [text.replaced(node.lineno, *change) for node in nodes for change in _changes(text, node)]
    return sorted(mutant for mutant in found if mutant)


def _ignored(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that say nothing about what happens: annotations, decorators, what is logged, texts."""
    match node:
        case ast.FunctionDef():
            yield from (one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg) and one.annotation)
            yield from [*([node.returns] if node.returns else []), *node.decorator_list]
        case ast.ClassDef():
            yield from node.decorator_list
        case ast.AnnAssign():
            yield node.annotation
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            yield node
        case ast.Expr(value=ast.Call() as call) if ast.unparse(call.func).startswith(UNSEEN):
            yield node
        case ast.Raise(exc=ast.Call(args=args)):  # the words of an error
            yield from (one for one in args if isinstance(one, ast.Constant))


def _changes(text: Text, node: ast.expr | ast.stmt) -> Iterator[tuple[int, int, str]]:
    """The changes of a node: from where to where, and what stands there instead."""
    whole = text.begin(node), text.end(node)
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
            yield text.end(left), text.begin(right), f" {SWAPPED[type(op)]} "
        case ast.BoolOp(op=op, values=values):
            for one, other in pairwise(values):
                yield text.end(one), text.begin(other), f" {SWAPPED[type(op)]} "
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPPED:
            yield text.end(left), text.begin(right), f" {SWAPPED[type(op)]} "
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield *whole, f"({text.of(operand)})"
        case ast.IfExp(body=body, orelse=orelse):
            yield *whole, f"({text.of(body)})"
            yield *whole, f"({text.of(orelse)})"
        case ast.If(test=test):
            yield text.begin(test), text.end(test), "True"
            yield text.begin(test), text.end(test), "False"
        case ast.Constant(value=bool() as value):
            yield *whole, str(not value)
        case ast.Constant(value=int() as value):
            yield *whole, str(value + 1)
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield text.begin(value), text.end(value), "None"
        case ast.Expr(value=ast.Call()):
            yield *whole, "pass"
        case ast.Name(id=name, ctx=ast.Load()) if name in OTHERS:
            yield *whole, OTHERS[name]


def some(found: Sequence[Mutant], most: int, luck: random.Random) -> list[Mutant]:
    """At most so many of the mutants, and at most one of a line."""
    by_line: dict[int, Mutant] = {}
    for mutant in luck.sample(found, len(found)):
        by_line.setdefault(mutant.line, mutant)
    return sorted(list(by_line.values())[:most])


def own_tests(module: Path) -> Path:
    """The file of tests of a module's name."""
    return Path("tests") / module.with_name(f"test_{module.name}")


class _Loader(SourceFileLoader):
    """Loads a module from another source than that in its file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, _: str) -> CodeType:
        code: CodeType = compile(self._source, self.path, "exec", dont_inherit=True)
        return code


class _Finder(MetaPathFinder):
    """Finds one module, with the source of a mutant."""

    def __init__(self, module: Path, source: str) -> None:
        self._name = ".".join(module.with_suffix("").parts).removesuffix(".__init__")
        self._path, self._source = str(ROOT / module), source

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self._name:
            return None
        return spec_from_file_location(name, self._path, loader=_Loader(name, self._path, self._source))


def passes(module: Path, tests: Sequence[str], source: str, seconds: float | None = None) -> bool:
    """Whether all tests pass, within that time, in a process whose module has this source."""
    command = [sys.executable, "-m", "bench.mutants", "--source-of", str(module), *tests]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            process.communicate(source.encode(), timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode == 0


def _run_tests(module: Path, tests: Sequence[str]) -> int:
    """Runs tests on the source that comes by the standard input. Returns pytest's exit status."""
    import pytest  # only here: the other process needs none of it

    sys.meta_path.insert(0, _Finder(module, sys.stdin.read()))
    return int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", "-k", f"not {SLOW}", *tests]))


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    asked.add_argument("module", type=Path, help="such as webapp/play/taking.py")
    asked.add_argument("tests", nargs="*", help="that run; without, those in the file of the module's name")
    asked.add_argument("--most", type=int, default=MOST, help="how many mutants, at most")
    asked.add_argument("--seed", type=int, default=7, help="which of them")
    asked.add_argument("--source-of", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    tests = given.tests or [str(own_tests(given.module))]
    if given.source_of:
        return _run_tests(given.module, tests)
    source = (ROOT / given.module).read_text(encoding="utf-8")
    began = time.monotonic()
    if not passes(given.module, tests, source):
        say(f"{' '.join(tests)} fails without any change.")
        return 2
    seconds = SLOWER * (time.monotonic() - began) + GRACE
    possible = mutants(source)
    chosen = some(possible, given.most, random.Random(given.seed))
    survived = [mutant for mutant in chosen if passes(given.module, tests, mutant.source, seconds)]
    for mutant in survived:
        say(f"  {given.module}:{mutant.line} survived: {mutant.change}")
    killed, took = len(chosen) - len(survived), time.monotonic() - began
    say(f"{given.module}: {killed} of {len(chosen)} killed ({len(possible)} possible) in {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
