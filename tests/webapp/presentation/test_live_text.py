"""Playing on live as text: what each player reads, and what their button asks for."""

from datetime import UTC, datetime

import pytest

from hearts.rules import Rules
from webapp.models import SeatRow, SeatState, TableRow, TableState
from webapp.presentation.live_text import live_line

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
THEN = "Then each card has 1 minute."
ANN, BO, CY = range(3)


def line(*wants, live=None, reader=ANN, away=(), is_alone=False):
    """The line for a player at a table of three, of whom those in `wants` have tapped."""
    table = TableRow(code="7F3KM", host_id=1, rules=Rules(), pass_seconds=86400, play_seconds=86400, created_at=NOW)
    table.state, table.live_seconds = TableState.PLAYING, live
    people = [
        SeatRow(table_id=1, seat=n, player_id=n + 1, name=name, state=SeatState.ACCEPTED, here_at=NOW)
        for n, name in enumerate(("Ann", "Bo", "Cy"))
    ]
    for seat in people:
        seat.wants_live, seat.away = seat.seat in wants, seat.seat in away
        seat.here_at = None if is_alone and seat.seat != reader else NOW
    found = live_line(table, people, people[reader], NOW)
    return found and (found.note, found.wants)


@pytest.mark.parametrize(
    ("found", "note", "wants"),
    [
        (line(), "Everybody is here. Live, each card has 1 minute.", "yes"),
        (line(BO), f"Bo wants to play on live. {THEN}", "yes"),
        (line(BO, CY), f"Bo and Cy want to play on live. {THEN}", "yes"),
        (line(BO, CY, away=[CY]), f"Bo wants to play on live. {THEN}", "yes"),
        (line(ANN, BO), "You want to play on live. We wait for Cy.", "no"),
        (line(live=60), "You play live: 1 minute for each card, until somebody leaves.", "end"),
    ],
)
def test_each_player_reads_who_wants_to_play_on_live(found, note, wants):
    assert found == (note, wants)


def test_nobody_is_asked_who_is_away_or_alone():
    assert line(is_alone=True) is None
    assert line(reader=CY, away=[CY]) is None
