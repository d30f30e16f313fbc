"""Shows a player, on the table page, what became of the last mail to them; a host also of those to the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from webapp.games.record.links import preferences_link
from webapp.models import SeatRow, TableRow
from webapp.outbox.delivery import Delivery, last_mails
from webapp.pages.common import runtime, signed_in


@dataclass(frozen=True, slots=True)
class MailLines:
    """The delivery of the last mail to the page's reader; `reason` is the server's own text if it was refused.

    `preferences_link` is for a reader who is signed in: the seat's link alone cannot change an address. `others` is for
    the host: a player's name, what became of their mail, whether that is a problem.
    """

    sentence: str
    reason: str | None
    is_trouble: bool
    preferences_link: str | None
    others: list[tuple[str, str, bool]]


def mail_lines(
    session: Session,
    seat: SeatRow,
    table: TableRow,
    seats: Sequence[SeatRow],
    own: Delivery | None,
    zone: str,
    now: datetime,
) -> MailLines | None:
    """Describes the delivery of the last mail to the seat's player; for the host, also of those to the others."""
    if own is None:
        return None
    others = [other for other in seats if other.player_id not in (None, seat.player_id)]
    mails = last_mails(session, others, now) if others and seat.player_id == table.host_id else {}
    player = signed_in()
    is_own = player is not None and player.id == seat.player_id
    link = runtime().signer.local_url(preferences_link(player)) if player and is_own else None
    return MailLines(
        own.sentence(now, zone),
        own.reason,
        own.is_trouble,
        link,
        [(other.name, mail.status.value, mail.is_trouble) for other in others if (mail := mails.get(other.seat))],
    )
