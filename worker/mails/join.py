"""The mail to somebody who asks for an open seat, from the lobby or by a link: it proves their address."""

from dataclasses import dataclass

from webapp.core.tokens import JoinLink
from webapp.games.record.rows import table_seats
from webapp.models import TableRow
from webapp.outbox.about_accounts import link_number
from webapp.tables.lobby import open_table
from webapp.tables.messenger import summary_for_guests
from worker.mails.mail import Mail, MailContext, sealing


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinMail(MailContext):
    host_name: str
    is_by_link: bool
    link: str
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""


def context(mail: Mail) -> JoinMail:
    """The context; it shows of the others what the page shows on which the reader has asked."""
    letter, number = mail.letter, link_number(mail.letter)
    table, seats = mail.session.get_one(TableRow, letter.of_table), table_seats(mail.session, letter.of_table)
    found = open_table(table, seats)
    return JoinMail(
        you=letter.about,
        host_name=found.host_name,
        table=summary_for_guests(table, seats) if number else found.summary,
        rules_link=mail.page(found.summary.rules_path),
        is_by_link=number > 0,
        link=mail.url(JoinLink(letter.of_table, letter.player_id, mail.player.links, number)),
        **mail.foot(),
        **sealing(mail),
    )
