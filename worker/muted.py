"""Makes the context of the last mail to a player who has muted tables at which they play: did they mean it?"""

from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.tokens import UnsubscribeLink
from webapp.games.links import leave_link
from webapp.games.rows import table_seats
from webapp.games.stand_in import is_lent
from webapp.models import LetterRow, PlayerRow, SeatRow, TableRow
from webapp.outbox.digests import ALL_TABLES
from webapp.players.own_seats import tables_of
from webapp.presentation.sheets import summary_of
from webapp.tables.leaving import may_leave


@dataclass(frozen=True, slots=True)
class MutedTable:
    """A muted table; `leave_link` hands the seat to a robot, None if its player may not leave."""

    name: str
    leave_link: str | None


def muted_context(runtime: Runtime, session: Session, letter: LetterRow, player: PlayerRow) -> dict[str, Any] | None:
    """The context of the mail; None if its player hears of all these tables again, or has no seat there any more."""
    mine = [(seat, table) for seat, table in tables_of(session, player.id) if seat.player_id == player.id]
    muted = [(seat, table) for seat, table in mine if not seat.mails and letter.table_id in (None, table.id)]
    if not muted:
        return None
    where = ALL_TABLES if letter.table_id is None else (letter.of_table, letter.of_seat)
    return {
        "you": player.name,
        "tables": [_line(runtime, session, seat, table) for seat, table in muted],
        "is_answered": bool(runtime.settings.incoming_domain) and letter.game_id is not None,
        "undo_link": runtime.signer.url(UnsubscribeLink(*where, player.id, player.links)),
    }


def _line(runtime: Runtime, session: Session, seat: SeatRow, table: TableRow) -> MutedTable:
    name = summary_of(table, table_seats(session, table.id)).hosts
    may = may_leave(table, seat.player_id or 0) and not is_lent(seat)
    return MutedTable(name, runtime.signer.url(leave_link(seat)) if may else None)
