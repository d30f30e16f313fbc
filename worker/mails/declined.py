"""The mail to a host whose guest has declined, or to a player whose friend has."""

from dataclasses import dataclass

from webapp.models import TableState
from webapp.outbox.about_tables import NO_STAND_IN
from worker.mails.mail import Mail, MailContext, at_table, has_seat, own_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclinedMail(MailContext):
    who: str | None
    is_stand_in: bool
    is_played: bool
    may_fill_seat: bool


def context(mail: Mail) -> DeclinedMail | None:
    """The context; None if a player who asked a friend is not away any more."""
    letter = mail.letter
    if letter.reason == NO_STAND_IN and not (has_seat(mail) and own_seat(mail).away):
        return None
    here = at_table(mail)
    return DeclinedMail(
        **here.frame,
        who=letter.about,
        is_stand_in=letter.reason == NO_STAND_IN,
        is_played=here.table.state is TableState.PLAYING,
        may_fill_seat=letter.of_seat == 0,  # other seats get this mail if the host has declined
    )
