"""When a game that nobody plays is put to rest: after three deadlines in a row at which no player has chosen a card.

It waits for everybody who has missed no deadline: their turn may not have come while others missed theirs.
A deadline counts at whatever seat it passes, once for all who miss it, and only if the table's time for a question has
passed since the last that counted: those of hands side by side do not add up within a day. A table whose players are
all away rests, too, before a robot plays for nobody. A live pace is not affected.
`play.course` puts games to rest and sets them going.
"""

from datetime import datetime, timedelta
from typing import Final

from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.clocks import is_late
from webapp.games.clock.pace import pace_of, plays_live
from webapp.games.clock.presence import plays_themselves
from webapp.games.record.store import CHOSEN, TableGame
from webapp.models import GameState, TurnSource, Unattended

DEADLINES: Final = 3
LASTS: Final = timedelta(days=60)  # then the game is closed


def note_turn(stored: TableGame, source: TurnSource, now: datetime) -> None:
    """Counts a missed deadline, or sets the count to 0 after a card that a player has chosen.

    Robots' turns and cards that need no choice do neither.
    """
    # Only a person's own choice shows that somebody is there.
    if source in CHOSEN:
        forget(stored)
    elif source is TurnSource.TIMEOUT and _counts(stored, now):
        stored.row.unattended = Unattended(_counted(stored) + 1, now)


def forget(stored: TableGame) -> None:
    """Sets the count to 0."""
    if stored.row.unattended is not None:
        stored.row.unattended = None


def is_due(stored: TableGame, now: datetime) -> bool:
    """Whether nobody plays the game, so that it is to rest in place of the service's next turn, which is due."""
    table = stored.table
    if stored.row.state is not GameState.PLAYING or table.pause is not None or plays_live(table):
        return False
    players = [seat for seat in stored.seats if seat.player_id is not None]
    playing = [seat for seat in players if plays_themselves(seat)]
    # Robots would play a whole game among themselves, and mail its score sheets to nobody.
    if players and not playing:
        return True
    if not is_late(stored, now):
        return False
    asked = awaited(stored)
    # The deadline that is over now would be the last one.
    is_last = _counted(stored) >= DEADLINES - 1 and _counts(stored, now)
    return is_last and all(seat.missed or seat.seat in asked for seat in playing)


def _counts(stored: TableGame, now: datetime) -> bool:
    """Whether a deadline that is missed now is another one: the time for a question has passed since the last."""
    last = stored.row.unattended
    return last is None or now - last.at >= pace_of(stored)


def _counted(stored: TableGame) -> int:
    return stored.row.unattended.deadlines if stored.row.unattended else 0
