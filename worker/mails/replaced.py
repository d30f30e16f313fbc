"""The mail to a player who has not their seat any more, or lends it: why, and who has it."""

from dataclasses import dataclass, replace

from webapp.games.record.stand_in import own_name, owner_name
from webapp.models import SeatState
from webapp.outbox.about_tables import SeatGiven
from worker.mails.mail import Mail, MailContext, at_table, has_seat, own_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacedMail(MailContext):
    host_name: str
    new_table_link: str
    why: str | None
    who: str  # the friend who plays for the reader, or the player for whom they played
    new_occupant: str  # "Eve", or "a robot, Pip"


def context(mail: Mail) -> ReplacedMail | None:
    """The context; None if the reader has the seat again."""
    letter, is_lent = mail.letter, mail.letter.reason == SeatGiven.LENT
    if has_seat(mail) or (is_lent and own_seat(mail).stands_in_for != letter.player_id):
        return None
    here = at_table(mail)
    own = here.own
    made = ReplacedMail(
        **here.frame,
        host_name=here.host_name,
        new_table_link=mail.page("/tables/new"),
        why=letter.reason,
        who=own_name(own) if is_lent else owner_name(own),
        new_occupant=f"a robot, {own.name}" if own.state is SeatState.ROBOT else own.name,
    )
    return replace(made, you=letter.about, table_link=made.table_link if is_lent else None)
