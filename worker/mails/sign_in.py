"""The mail with the link that signs its reader in."""

from dataclasses import dataclass

from webapp.core.tokens import SignInLink
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInMail(MailContext):
    link: str


def context(mail: Mail) -> SignInMail:
    link = SignInLink(mail.letter.player_id, mail.player.sign_ins)
    return SignInMail(you=mail.player.name, link=mail.url(link), **mail.foot())
