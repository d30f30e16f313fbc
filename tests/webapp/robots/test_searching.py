"""The compiled search is loaded whatever has become of its cache."""

import pytest

from hearts.robot import compiled
from webapp.robots import searching


@pytest.mark.parametrize("error", [EOFError(), OSError(28, "No space left on device"), ValueError("garbled")])
def test_a_damaged_cache_is_dropped_and_the_search_compiled_anew(error, tmp_path, monkeypatch):
    others = [tmp_path / name for name in ("policy.run-1.py311.nbi", "compiled.py")]
    cached = [tmp_path / f"compiled._compile.locals.run-69.py311.{end}" for end in ("nbi", "1.nbc")]
    for file in (*others, *cached):
        file.touch()
    warmed = []

    def fails(*, caches=True):
        warmed.append(caches)
        if caches:
            raise error

    monkeypatch.setattr(searching, "warm_up", fails)
    monkeypatch.setattr(compiled, "cache_folder", lambda: str(tmp_path))
    searching.warm()
    assert warmed == [True, False]
    assert sorted(tmp_path.iterdir()) == sorted(others)
