"""Rows in words: what one player may see of a table and its game, for pages and mails alike.

The only place where a stored game is made into a seat's view; whoever renders gets that, and never the game.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from hearts.view import view
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.moments import Moment, moment
from webapp.present import ScoreSheet, SeatLine, TableSummary, TurnSheet, score_sheet, table_summary, turn_sheet
from webapp.store import Stored, table_rules


def summary_of(table: TableRow, seats: Sequence[SeatRow]) -> TableSummary:
    lines = [SeatLine(seat.name, seat.state.value) for seat in seats]
    return table_summary(
        f"Table {table.code}",
        table_rules(table),
        lines,
        table.pass_time,
        table.play_time,
        rules_path=f"/how-we-play/{table.code}",
    )


def deadline_of(stored: Stored, zone: str, now: datetime) -> Moment | None:
    """When whoever is awaited must have played, in the reader's time zone; None once the game is over."""
    return moment(stored.row.due_at, now, zone) if stored.row.due_at else None


def turn_sheet_of(stored: Stored, seat: Seat, zone: str, now: datetime) -> TurnSheet:
    """What `seat` sees of the hand being played."""
    deadline = deadline_of(stored, zone, now)
    return turn_sheet(view(stored.game, seat), stored.names, stored.robots, deadline)


def score_sheet_of(stored: Stored, *, hands: int | None = None) -> ScoreSheet:
    """The sheet after the first `hands` hands (None: all that are played)."""
    game = stored.game
    scores = game.scores[:hands]
    return score_sheet(game.rules, stored.names, scores, game.winners if scores == game.scores else ())


def blank_score_sheet(table: TableRow, seats: Sequence[SeatRow]) -> ScoreSheet:
    """The sheet before the first game."""
    return score_sheet(table_rules(table), [seat.name for seat in seats], (), ())


def zone_of(session: Session, seat: SeatRow) -> str:
    """The time zone of whoever has the seat."""
    return session.get_one(PlayerRow, seat.player_id).time_zone if seat.player_id else "UTC"
