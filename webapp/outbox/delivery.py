"""The delivery of the last mail to a seat, in a sentence for its player and in a word or two for the host.

It claims only what is known: the relay says whether it accepted a mail, but nobody says whether it was read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, and_, col, func, not_, select

from webapp.core.say import later, say, say_as
from webapp.models import LetterRow, LetterState, PlayerRow, SeatRow
from webapp.presentation.phrasing import timestamp


class Status(StrEnum):
    """The state of a mail's delivery."""

    ON_ITS_WAY = "on its way"
    WAITING = "waiting"
    ACCEPTED = "accepted"
    UNSURE = "unsure"
    KEPT = "kept"
    NOTIFIED = "notified"
    CAME_BACK = "came back"
    REFUSED = "refused"
    WITHHELD = "withheld"


TROUBLE = frozenset({Status.CAME_BACK, Status.REFUSED, Status.WITHHELD})
_STATUS_OF_STATE = {
    LetterState.KEPT: Status.KEPT,
    LetterState.NOTIFIED: Status.NOTIFIED,
    LetterState.BOUNCED: Status.CAME_BACK,
    LetterState.FAILED: Status.REFUSED,
    LetterState.WITHHELD: Status.WITHHELD,
}
_TEXT_FOR_PLAYER = {
    Status.ON_ITS_WAY: later("An email to you is on its way."),
    Status.WAITING: later("The last email to you waits: the mail server asked us to try again later."),
    Status.ACCEPTED: later("The last email to you was accepted on {at}."),
    Status.UNSURE: later(
        "The last email to you went out on {at}, but the line broke at its end: it may not have arrived."
    ),
    Status.KEPT: later("The last email to you, of {at}, is kept in /mailbox."),
    Status.NOTIFIED: later("Instead of an email, your devices were told on {at}."),
    Status.CAME_BACK: later("The last email to you, of {at}, came back. Is your address right?"),
    Status.REFUSED: later("The last email to you, of {at}, was refused. Is your address right?"),
    Status.WITHHELD: later(
        "We no longer write to your address, because mail came back or was reported as unwanted. Sign in, or give "
        "another one."
    ),
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of a mail, and its time. `reason` is the mail server's own text, which only the player may see."""

    at: datetime
    status: Status
    reason: str | None = None

    @property
    def is_trouble(self) -> bool:
        return self.status in TROUBLE

    @property
    def in_short(self) -> str:
        """The same for the host, in a word or two."""
        match self.status:
            case Status.ON_ITS_WAY:
                return say_as("an email", "on its way")
            case Status.WAITING:
                return say_as("an email", "waits, as the server asked")
            case Status.ACCEPTED:
                return say_as("an email", "accepted")
            case Status.UNSURE:
                return say_as("an email", "sent, perhaps lost")
            case Status.KEPT:
                return say_as("an email", "kept in /mailbox")
            case Status.NOTIFIED:
                return say_as("an email", "told to a device")
            case Status.CAME_BACK:
                return say_as("an email", "came back")
            case Status.REFUSED:
                return say_as("an email", "refused")
            case Status.WITHHELD:
                return say("cannot be reached by mail")

    def sentence(self, now: datetime, zone: str) -> str:
        """The sentence that the player reads; `zone` is the name of their time zone."""
        return say(_TEXT_FOR_PLAYER[self.status], at=timestamp(self.at, now, zone).text)


def last_mails(session: Session, seats: Sequence[SeatRow], now: datetime) -> dict[int, Delivery]:
    """By seat, what became of the latest mail to its player about its table; without those who got none.

    `seats` are of one table.
    """
    numbers = {seat.player_id: seat.seat for seat in seats if seat.player_id is not None}
    is_about = and_(col(LetterRow.player_id).in_(numbers), LetterRow.table_id == seats[0].table_id)
    # A reminder that will only go later is not the last mail yet.
    planned = and_(LetterRow.state == LetterState.QUEUED, col(LetterRow.tries) == 0, col(LetterRow.next_at) > now)
    # By when they went: what is queued first, such as a second invitation, may go last.
    latest_first = func.coalesce(LetterRow.sent_at, LetterRow.created_at).desc(), col(LetterRow.id).desc()
    place = func.row_number().over(partition_by=col(LetterRow.player_id), order_by=latest_first).label("place")
    placed = select(LetterRow.id, place).where(is_about, LetterRow.state != LetterState.SUPERSEDED)
    latest = placed.where(not_(planned)).subquery()
    mails = {}
    for letter in session.exec(select(LetterRow).join(latest, and_(latest.c.id == LetterRow.id, latest.c.place == 1))):
        if letter.state is LetterState.QUEUED:
            status = Status.WAITING if letter.tries else Status.ON_ITS_WAY
        elif letter.state is LetterState.SENT:
            # A problem that is left on a sent letter means that the relay's last word never came.
            status = Status.UNSURE if letter.problem else Status.ACCEPTED
        else:
            status = _STATUS_OF_STATE[letter.state]
        problem = letter.problem if letter.state is LetterState.FAILED else None
        mails[numbers[letter.player_id]] = Delivery(letter.sent_at or letter.created_at, status, problem)
    return mails


def unreachable_seats(session: Session, seats: Sequence[SeatRow], mails: Mapping[int, Delivery]) -> set[int]:
    """The numbers of the seats whose player is silenced, or whose last mail was refused or came back: `mails` are those
    of `last_mails`.
    """
    numbers = {seat.player_id: seat.seat for seat in seats if seat.player_id is not None}
    silenced = select(PlayerRow.id).where(col(PlayerRow.id).in_(numbers), col(PlayerRow.unreachable_at).is_not(None))
    in_trouble = {number for number in numbers.values() if number in mails and mails[number].is_trouble}
    return in_trouble | {numbers[player_id] for player_id in session.exec(silenced)}
