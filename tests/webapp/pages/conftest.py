"""A table at which a game is played, with everybody's page."""

import pytest

from tests.cast import load, play_link
from webapp.core.runtime import Runtime


@pytest.fixture
def table_id(runtime: Runtime, game_id: int) -> int:
    return load(runtime, game_id).row.table_id


@pytest.fixture
def plays(runtime: Runtime, game_id: int) -> list[str]:
    """The address of everybody's page that follows the game, by seat."""
    return [runtime.signer.local_url(play_link(runtime, game_id, seat)) for seat in range(4)]
