"""The mail with the link that signs its reader in, and the code for the browser in which they asked."""

from dataclasses import dataclass

from webapp.accounts import sign_ins
from webapp.core.tokens import SignInLink
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInMail(MailContext):
    link: str
    code: str | None = None  # where the page that asked has a field for it


def context(mail: Mail) -> SignInMail:
    link = SignInLink(mail.letter.player_id, mail.player.sign_ins)
    browser = mail.letter.about
    code = sign_ins.code_of(mail.runtime, mail.player, browser) if browser else None
    return SignInMail(you=mail.player.name, link=mail.url(link), code=code, **mail.foot())
