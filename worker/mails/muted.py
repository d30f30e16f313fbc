"""The last mail to a player who has muted tables at which they play: did they mean it?"""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.core.tokens import UnsubscribeLink
from webapp.games.record.rows import table_seats
from webapp.outbox.letters import ALL_TABLES
from webapp.players.own_seats import tables_of
from webapp.presentation.sheets import summary_of
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedMail(MailContext):
    tables: Sequence[str]  # by their names
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
        tables=[summary_of(table, table_seats(mail.session, table.id)).hosts for _, table in muted],
        is_answered=bool(mail.runtime.settings.incoming_domain) and letter.game_id is not None,
        undo_link=mail.url(UnsubscribeLink(*where, player.id, player.links)),
        **mail.foot(),
    )
