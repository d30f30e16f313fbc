"""The mail to a player whose seat the host has offered to somebody else."""

from dataclasses import dataclass

from webapp.tables.offers import Offer, offer_of
from worker.mails.mail import Mail, MailContext, at_table, own_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedMail(MailContext):
    offer: Offer


def context(mail: Mail) -> OfferedMail | None:
    """The context; None if the reader has not the seat any more, or it is not offered to the newcomer any more."""
    seat, letter = own_seat(mail), mail.letter
    offer = offer_of(mail.session, seat)
    if offer is None or seat.player_id != letter.player_id or seat.offered_to != letter.newcomer_id:
        return None
    return OfferedMail(**at_table(mail).frame, offer=offer)
