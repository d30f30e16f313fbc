"""The mail to somebody whose offered seat they cannot have any more."""

from webapp.tables.offers import is_offered
from worker.mails.mail import Context, Mail, at_table, has_seat, own_seat


def context(mail: Mail) -> Context | None:
    """The context; None if the reader has been offered the seat again, or has it."""
    if has_seat(mail) or is_offered(own_seat(mail), mail.letter.player_id):
        return None
    here = at_table(mail)
    return {
        **here.frame,
        "you": mail.letter.about,
        "why": mail.letter.reason,
        "host_name": here.host_name,
        "table_link": None,
        "new_table_link": mail.page("/tables/new"),
    }
