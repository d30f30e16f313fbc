"""Guests at a table whose game has not begun: when it waits for its host."""

from dataclasses import dataclass

import pytest

from webapp.games.record.guests import waits_for_host
from webapp.models import SeatState, TableState

INVITING, PLAYING = TableState.INVITING, TableState.PLAYING
HOST, HERE, ROBOT, OPEN = SeatState.HOST, SeatState.ACCEPTED, SeatState.ROBOT, SeatState.OPEN


@dataclass
class Table:
    state: TableState


@dataclass
class Seat:
    state: SeatState
    by_link: bool = False


@pytest.mark.parametrize(
    ("state", "last", "waits"),
    [
        pytest.param(INVITING, Seat(HERE, by_link=True), True, id="a guest by the link"),
        pytest.param(INVITING, Seat(OPEN, by_link=True), False, id="a free seat"),
        pytest.param(INVITING, Seat(HERE), False, id="no guest by the link"),
        pytest.param(INVITING, Seat(ROBOT), False, id="a robot"),
        pytest.param(PLAYING, Seat(HERE, by_link=True), False, id="a game that has begun"),
    ],
)
def test_a_table_filled_by_link_waits_for_its_host(state, last, waits):
    assert waits_for_host(Table(state), [Seat(HOST), Seat(ROBOT), last]) is waits
