"""The mail with the link that signs its reader in."""

from webapp.core.tokens import SignInLink
from worker.mails.mail import Context, Mail


def context(mail: Mail) -> Context:
    link = SignInLink(mail.letter.player_id, mail.player.sign_ins)
    return {"you": mail.player.name, "link": mail.url(link), **mail.foot()}
