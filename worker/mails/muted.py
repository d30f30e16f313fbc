"""The last mail to a player who has muted tables at which they play: did they mean it?"""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.core.tokens import UnsubscribeLink
from webapp.games.record.links import leave_link
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import is_lent
from webapp.models import SeatRow, TableRow
from webapp.outbox.digests import ALL_TABLES
from webapp.players.own_seats import tables_of
from webapp.presentation.sheets import summary_of
from webapp.tables.leaving import may_leave
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True)
class MutedTable:
    """A muted table; `leave_link` hands the seat to a robot, None if its player may not leave."""

    name: str
    leave_link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedMail(MailContext):
    tables: Sequence[MutedTable]
    undo_link: str


def context(mail: Mail) -> MutedMail | None:
    """The context; None if its player hears of all these tables again, or has no seat there any more."""
    letter, player = mail.letter, mail.player
    mine = [(seat, table) for seat, table in tables_of(mail.session, player.id) if seat.player_id == player.id]
    muted = [(seat, table) for seat, table in mine if not seat.mails and letter.table_id in (None, table.id)]
    if not muted:
        return None
    where = ALL_TABLES if letter.table_id is None else (letter.of_table, letter.of_seat)
    return MutedMail(
        you=player.name,
        tables=[_line(mail, seat, table) for seat, table in muted],
        is_answered=bool(mail.runtime.settings.incoming_domain) and letter.game_id is not None,
        undo_link=mail.url(UnsubscribeLink(*where, player.id, player.links)),
        **mail.foot(),
    )


def _line(mail: Mail, seat: SeatRow, table: TableRow) -> MutedTable:
    name = summary_of(table, table_seats(mail.session, table.id)).hosts
    may = may_leave(table, seat.player_id or 0) and not is_lent(seat)
    return MutedTable(name, mail.url(leave_link(seat)) if may else None)
