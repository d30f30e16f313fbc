"""The clock of this machine, which others need not share."""

import time
from collections.abc import Callable

import pytest


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the clock of this machine, in seconds from now."""
    now = time.time()
    return lambda seconds: monkeypatch.setattr(time, "time", lambda: now + seconds)
