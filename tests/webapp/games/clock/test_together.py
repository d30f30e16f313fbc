"""Playing live together at a slow game: who must be there for it, and when its pages ask."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.rules import Rules
from webapp.games.clock.presence import LEAVE_GRACE, PRESENT_FOR, may_go_live, waits_for
from webapp.models import Pause, SeatRow, SeatState, Stands, TableRow, TableState

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
ANN, BO, CY = 1, 2, 3
LEFT = PRESENT_FOR + LEAVE_GRACE
A_DAY = 86400


def seats(*away, gone=()):
    """Ann, Bo, Cy, and a robot; all but those in `gone` have the game open."""
    people = [(ANN, "Ann"), (BO, "Bo"), (CY, "Cy"), (None, "Pip")]
    rows = [
        SeatRow(table_id=1, seat=n, player_id=player, name=name, state=SeatState.ACCEPTED, away=player in away)
        for n, (player, name) in enumerate(people)
    ]
    for seat in rows:
        seat.here_at = NOW - LEFT if seat.player_id in gone else NOW - LEFT + timedelta(seconds=1)
    return rows


def table(**columns):
    return TableRow(
        **{
            "host_id": ANN,
            "code": "7F3KM",
            "rules": Rules(),
            "pass_seconds": A_DAY,
            "play_seconds": A_DAY,
            "state": TableState.PLAYING,
            "created_at": NOW,
            **columns,
        }
    )


@pytest.mark.parametrize(
    ("columns", "rows", "asks"),
    [
        pytest.param({}, seats(), True, id="all are there"),
        pytest.param({}, seats(gone=[BO]), False, id="one has left"),
        pytest.param({}, seats(BO, gone=[BO]), True, id="who is away is not needed"),
        pytest.param({}, seats(CY), True, id="two are enough"),
        pytest.param({}, seats(BO, CY), False, id="one alone with a robot"),
        pytest.param({"live_seconds": 60}, seats(), False, id="live already"),
        pytest.param({"pass_seconds": 30, "play_seconds": 30}, seats(), False, id="a live table"),
        pytest.param({"pause": Pause(Stands.HOST, NOW)}, seats(), False, id="the clock stands still"),
        pytest.param({"state": TableState.INVITING}, seats(), False, id="no game is played"),
    ],
)
def test_pages_ask_once_all_who_are_needed_are_there(columns, rows, asks):
    assert may_go_live(table(**columns), rows, NOW) is asks


def test_a_game_goes_live_only_with_all_who_are_needed():
    rows = seats(CY)
    assert waits_for(rows) == [0, 1]
    rows[0].wants_live = True
    assert waits_for(rows) == [1]
