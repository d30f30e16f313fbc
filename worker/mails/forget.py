"""The mail to a player who wants to be forgotten: do they mean it?"""

from webapp.core.tokens import ForgetLink
from webapp.presentation.timestamps import span
from worker.mails.mail import Context, Mail


def context(mail: Mail) -> Context:
    link = ForgetLink(mail.letter.player_id, mail.player.generation)
    return {"you": mail.player.name, "link": mail.url(link), "within": span(ForgetLink.ttl), **mail.foot()}
