"""Fixtures for incoming mail: a letter of ours that waits for a reply, in a game or before it."""

import pytest

from tests.answers import choosing
from tests.cast import letters, open_table


@pytest.fixture
def leads(runtime):
    """A game in which a player must choose a card: its id, their name, the letter to them, and their legal cards."""
    return choosing(runtime)


@pytest.fixture
def letter(either_runtime):
    """The first letter of a table, on either database."""
    open_table(either_runtime)
    return letters(either_runtime)[0]
