"""The robot, compiled before the tests that it would delay."""

import pytest

from hearts.robot import warm_up


@pytest.fixture(scope="session", autouse=True)
def _engine() -> None:
    warm_up()
