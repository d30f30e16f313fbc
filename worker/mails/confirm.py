"""The mail to somebody who has opened a table: the link confirms that it is theirs."""

from dataclasses import dataclass

from webapp.core.tokens import ConfirmLink
from worker.mails.mail import Mail, MailContext, at_table, sealing


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMail(MailContext):
    link: str
    seal: str | None = None  # of the game that the table plays next
    fair_link: str = ""


def context(mail: Mail) -> ConfirmMail:
    link = ConfirmLink(mail.letter.of_table, mail.player.links)
    return ConfirmMail(**at_table(mail).frame, **sealing(mail), link=mail.url(link))
