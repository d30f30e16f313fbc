"""A table at which a game is played, with everybody's page."""

import pytest

from tests.table import Table
from webapp.core.runtime import Runtime


@pytest.fixture
def table_id(runtime: Runtime, table: Table) -> int:
    return table.table_id


@pytest.fixture
def plays(runtime: Runtime, table: Table) -> list[str]:
    """The address of everybody's page that follows the game, by seat."""
    return [runtime.signer.local_url(table.play_link(seat)) for seat in range(4)]
