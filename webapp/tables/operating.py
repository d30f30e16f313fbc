"""An operator's acts on a table, by the paths of its host; each is noted under the operator's name, `by`."""

from datetime import datetime

from webapp import acts
from webapp.core.runtime import Runtime
from webapp.models import OperatorAct
from webapp.outbox import about_tables
from webapp.play import course
from webapp.tables import hosting, seating


def pause(runtime: Runtime, table_id: int, *, paused: bool, by: str, now: datetime) -> None:
    """Stops the clock of the running game, or starts it again with the time that was left.

    Raises LinkInvalid if there is no such table, Refused if no game is played.
    """
    with seating.change_table(runtime, table_id, now) as (transaction, table):
        session = transaction.session
        game = hosting.pause_game(transaction, table, paused=paused)
        act = OperatorAct.PAUSE if paused else OperatorAct.GO_ON
        acts.note_act(session, act, by, now, game_id=game.row.id)


def end_game(runtime: Runtime, table_id: int, now: datetime, *, by: str) -> None:
    """Ends the running game early, and tells its players by mail that an operator has. Does nothing if none is played.

    Raises LinkInvalid if there is no such table.
    """
    with seating.change_table(runtime, table_id, now) as (transaction, _):
        if game := transaction.running(table_id):
            course.close(game, about_tables.BY_OPERATOR)
            acts.note_act(transaction.session, OperatorAct.END, by, now, game_id=game.row.id)
