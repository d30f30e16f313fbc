"""The tables of prices for passes are fitted to what passes have cost."""

import runpy

import numpy as np
import pytest

from bench.passes import Fit, noted, text_of
from hearts.cards import Cards
from hearts.robot.keeping import ENTRIES, to_duck, to_shoot, unpacked


def test_the_fit_finds_the_prices_behind_the_costs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bench.passes.RIDGE", 1e-6)
    rng = np.random.default_rng(1)
    true, fit = rng.normal(size=ENTRIES), Fit(1e6)
    notes = rng.integers(0, 3, size=(10, 60, ENTRIES))
    for hand in notes:
        fit.add(hand, hand @ true + 5)
    assert np.allclose(fit.prices(), true, atol=0.02)


def test_what_is_kept_is_noted_by_suit():
    held = Cards.parse("2C 3C 4H 5H").mask
    one, other = noted(held, [Cards.parse("2C").mask, Cards.parse("4H").mask])
    assert one.sum() == other.sum() == 3 + 4 + 1
    assert (one != other).any()


def test_tables_written_are_the_tables_read(tmp_path):
    file = tmp_path / "found.py"
    file.write_text(text_of(np.array(to_duck()) / 64, np.array(to_shoot()) / 64))
    found = runpy.run_path(str(file))
    assert (unpacked(found["DUCK"]), unpacked(found["SHOOT"])) == (to_duck(), to_shoot())
