"""The mail to a player whom somebody with a link of theirs has set as away: was it them?"""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.games.record.links import preferences_link
from webapp.games.record.rows import table_seats
from webapp.players.own_seats import tables_of
from webapp.presentation.away import absence_sentence
from webapp.presentation.sheets import summary_of
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True)
class LeftTable:
    """A table from which the player is away, and who plays for them until when, in a sentence."""

    name: str
    absence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneAwayMail(MailContext):
    tables: Sequence[LeftTable]
    back_link: str
    devices_link: str


def context(mail: Mail) -> GoneAwayMail | None:
    """The context; None if the player is back everywhere."""
    now, player, left = mail.runtime.now(), mail.player, []
    for seat, table in tables_of(mail.session, player.id):
        if absence := absence_sentence(seat, player, now):
            left.append(LeftTable(summary_of(table, table_seats(mail.session, table.id)).hosts, absence))
    if not left:
        return None
    return GoneAwayMail(
        you=player.name,
        tables=left,
        back_link=f"{mail.url(preferences_link(player))}/away",
        devices_link=mail.page("/signed-in"),
        **mail.foot(),
    )
