"""The robot, compiled before the tests that it would delay."""

import pytest

from hearts.robot import warm_up


@pytest.fixture(autouse=True)
def _brief_robots() -> None:
    """Here robots think as long as in play."""


@pytest.fixture(scope="session", autouse=True)
def _engine() -> None:
    warm_up()
