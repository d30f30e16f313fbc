"""What an operator does to a table, by the paths of its host."""

from datetime import datetime

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.models import TableRow
from webapp.tables import hosting, seating


def pause(runtime: Runtime, table_id: int, *, paused: bool, now: datetime) -> None:
    """Stops the clock of the running game, or starts it again with fresh deadlines.

    Raises LinkInvalid if there is no such table, Refused if no game is played.
    """

    def change(session: Session, table: TableRow) -> None:
        hosting.pause_game(session, runtime, table, paused=paused, now=now)

    seating.change_table(runtime, table_id, change, now)


def end_game(runtime: Runtime, table_id: int, now: datetime) -> None:
    """Ends the running game early, and tells its players by mail that an operator has. Does nothing if none is played.

    Raises LinkInvalid if there is no such table.
    """

    def change(session: Session, table: TableRow) -> None:
        hosting.end_running_game(session, runtime, table, None, now)

    seating.change_table(runtime, table_id, change, now)
