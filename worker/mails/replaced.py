"""The mail to a player who has not their seat any more, or lends it: why, and who has it."""

from webapp.games.record.stand_in import own_name, owner_name
from webapp.models import SeatState
from webapp.outbox.about_tables import SeatGiven
from worker.mails.mail import Context, Mail, at_table, has_seat, own_seat


def context(mail: Mail) -> Context | None:
    """The context; None if the reader has the seat again.

    `new_occupant` is "Eve", or "a robot, Pip"; `who` is the friend who plays for the reader, or the player for whom
    they played.
    """
    letter, is_lent = mail.letter, mail.letter.reason == SeatGiven.LENT
    if has_seat(mail) or (is_lent and own_seat(mail).stands_in_for != letter.player_id):
        return None
    here = at_table(mail)
    own = here.own
    made = {
        **here.frame,
        "you": letter.about,
        "host_name": here.host_name,
        "new_table_link": mail.page("/tables/new"),
        "why": letter.reason,
        "who": own_name(own) if is_lent else owner_name(own),
        "new_occupant": f"a robot, {own.name}" if own.state is SeatState.ROBOT else own.name,
    }
    return made if is_lent else {**made, "table_link": None}  # somebody else has the table page of the seat
