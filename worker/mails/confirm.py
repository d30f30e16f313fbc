"""The mail to somebody who has opened a table: the link confirms that it is theirs."""

from webapp.core.tokens import ConfirmLink
from worker.mails.mail import Context, Mail, at_table


def context(mail: Mail) -> Context:
    return {**at_table(mail).frame, "link": mail.url(ConfirmLink(mail.letter.of_table, mail.player.links))}
