"""The mutants of a module: which changes there are, and that tests see them."""

import random
from pathlib import Path

import pytest

from bench.mutants import mutants, own_tests, passes, some

MODULE = Path("hearts/seats.py")


@pytest.mark.parametrize(
    ("source", "changes"),
    [
        ("a < b", ["a <= b"]),
        ("a and b or c", ["a or b or c", "a and b and c"]),
        ("x = not a", ["x = (a)"]),
        ("x = a if b else c", ["x = (a)", "x = (c)"]),
        ("if a:\n    b", ["if True:\n    b", "if False:\n    b"]),
        ("x = 3", ["x = 4"]),
        ("x = min(a, b)", ["x = max(a, b)"]),
        ("def f() -> None:\n    f()", ["def f() -> None:\n    pass"]),
        ("def f() -> int:\n    return a", ["def f() -> int:\n    return None"]),
        ("log.info('text %d', 3)", []),
        ("x: int = y", []),
    ],
)
def test_each_change_is_a_mutant_of_its_own(source, changes):
    assert sorted(one.source for one in mutants(source)) == sorted(changes)


def test_a_line_is_changed_at_most_once():
    source = "x = a < b and c < d\ny = 1\n"
    chosen = some(mutants(source), 9, random.Random(1))
    assert [one.line for one in chosen] == [1, 2]


def test_a_mutant_is_killed_in_the_tests_own_process():
    before = MODULE.read_text(encoding="utf-8")
    broken = before.replace("def ", "def not_", 1)
    tests = [str(own_tests(MODULE))]
    assert (passes(MODULE, tests, before), passes(MODULE, tests, broken)) == (True, False)
    assert MODULE.read_text(encoding="utf-8") == before
