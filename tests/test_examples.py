"""The examples in docstrings: each says what its function does."""

import doctest
from importlib import import_module

import pytest

from tests.syntax import ROOT

ROOMS = ("hearts", "webapp", "worker", "bench", "scripts")
FILES = [file.relative_to(ROOT) for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
WITH_EXAMPLES = [file for file in FILES if "\n    >>> " in (ROOT / file).read_text(encoding="utf-8")]


@pytest.mark.parametrize("file", WITH_EXAMPLES, ids=str)
def test_an_example_in_a_docstring_says_what_happens(file):
    result = doctest.testmod(import_module(".".join(file.with_suffix("").parts)))
    assert result.attempted > 0
    assert result.failed == 0
