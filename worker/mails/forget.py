"""The mail to a player who wants to be forgotten: do they mean it?"""

from dataclasses import dataclass

from webapp.core.tokens import ForgetLink
from webapp.presentation.timestamps import span
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetMail(MailContext):
    link: str
    within: str


def context(mail: Mail) -> ForgetMail:
    link = ForgetLink(mail.letter.player_id, mail.player.generation)
    return ForgetMail(you=mail.player.name, link=mail.url(link), within=span(ForgetLink.ttl), **mail.foot())
