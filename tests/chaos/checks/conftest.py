"""Fixtures for the tests of the checks: a service in this process, and a relay."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chaos.relay import MoodyRelay
from tests.runtimes import make_runtime
from webapp.core.runtime import Runtime


@pytest.fixture
def runtime(tmp_path: Path) -> Iterator[Runtime]:
    made = make_runtime(tmp_path / "var")
    yield made
    made.database.engine.dispose()


@pytest.fixture
def relay() -> Iterator[MoodyRelay]:
    made = MoodyRelay(random.Random(1))
    made.start()
    yield made
    made.stop()
