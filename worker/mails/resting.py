"""The mail about a game at rest: one tap sets it going."""

from dataclasses import dataclass

from webapp.presentation.timestamps import timestamp
from worker.mails.mail import Mail, MailContext, at_table


@dataclass(frozen=True, slots=True, kw_only=True)
class RestingMail(MailContext):
    link: str
    ends: str


def context(mail: Mail) -> RestingMail | None:
    """The context; None if the game goes on again."""
    here = at_table(mail)
    if not here.table.rests or here.table.pause is None or here.table.pause.until is None:
        return None
    ends = timestamp(here.table.pause.until, mail.runtime.now(), mail.player.time_zone).text
    return RestingMail(**here.frame, link=f"{here.frame['table_link']}/rest", ends=ends)
