"""The table of prices is fitted to what cards have cost."""

import runpy

import numpy as np
import pytest

from bench.prices import PLACES, fitted, text_of
from hearts.robot.judgement import ENTRIES
from hearts.robot.prices import prices


def test_the_fit_finds_the_prices_behind_the_costs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bench.prices.RIDGE", 0.1)
    rng = np.random.default_rng(1)
    true = rng.normal(size=12)
    notes = np.array([[place, *[ENTRIES - 1] * (PLACES - 1)] for place in rng.integers(0, 12, 4000)])
    groups = np.repeat(np.arange(2000), 2)
    costs = true[notes[:, 0]].astype(float)
    costs -= np.repeat(costs.reshape(-1, 2).mean(axis=1), 2)
    found = fitted(notes, costs, np.full(4000, 0.5), groups)[:12]
    assert np.allclose(found - found.mean(), true - true.mean(), atol=0.05)


def test_a_table_written_is_the_table_read(tmp_path):
    file = tmp_path / "found.py"
    file.write_text(text_of(prices()))
    assert runpy.run_path(str(file))["prices"]() == prices()
