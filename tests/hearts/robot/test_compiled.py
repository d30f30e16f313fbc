"""Compiled code is cached on disk where possible, and never outlives its source."""

import subprocess
import sys

import pytest
from numba.core import caching

from hearts.robot import compiled, policy, search


def test_without_a_writable_folder_the_loop_is_compiled_anyway(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    with pytest.raises(RuntimeError):
        compiled.njit(cache=True)(search.roll)
    assert callable(compiled._compile(search.roll))


def test_a_changed_constant_of_the_inner_loop_makes_another_version(monkeypatch: pytest.MonkeyPatch):
    before = compiled._version()
    monkeypatch.setattr(policy, "W_LOAD", policy.W_LOAD + 1)
    assert compiled._version() != before


def test_a_changed_function_of_the_inner_loop_makes_another_version(monkeypatch: pytest.MonkeyPatch):
    before = compiled._version()
    monkeypatch.setattr(policy.unseen_mask, "__code__", policy.pick.__code__)
    assert compiled._version() != before


def test_the_version_is_the_same_in_another_process():
    code = "from hearts.robot import compiled; print(compiled._version())"
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert output.strip() == compiled._version()


def test_the_rule_level_does_not_load_numba():
    code = "import sys, hearts.robot; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
