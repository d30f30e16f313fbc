"""The mail to somebody whose offered seat they cannot have any more."""

from dataclasses import dataclass, replace

from webapp.tables.offers import is_offered
from worker.mails.mail import Mail, MailContext, at_table, has_seat, own_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferOverMail(MailContext):
    why: str | None
    host_name: str
    new_table_link: str


def context(mail: Mail) -> OfferOverMail | None:
    """The context; None if the reader has been offered the seat again, or has it."""
    if has_seat(mail) or is_offered(own_seat(mail), mail.letter.player_id):
        return None
    here = at_table(mail)
    over = OfferOverMail(
        **here.frame, why=mail.letter.reason, host_name=here.host_name, new_table_link=mail.page("/tables/new")
    )
    return replace(over, you=mail.letter.about, table_link=None)
