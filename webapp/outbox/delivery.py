"""What became of the last mail to a seat, for its player and, in fewer words, for the host.

Only what can be known is said: that a mail was accepted says the relay; whether it was read says nobody.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session, and_, col, func, not_, select

from webapp.models import LetterRow, LetterState, PlayerRow, SeatRow
from webapp.presentation.timestamps import timestamp


class News(StrEnum):
    """What became of a mail; the words are the host's."""

    ON_ITS_WAY = "on its way"
    WAITING = "waits: the mail server asked us to"
    HELD = "waits for a digest"
    ACCEPTED = "accepted"
    UNSURE = "sent, perhaps lost"
    KEPT = "kept in /mailbox"
    NOTIFIED = "told to a device"
    CAME_BACK = "came back"
    REFUSED = "refused"
    WITHHELD = "cannot be reached by mail"


TROUBLE = frozenset({News.CAME_BACK, News.REFUSED, News.WITHHELD})
_STATES = {
    LetterState.HELD: News.HELD,
    LetterState.BUNDLED: News.ACCEPTED,
    LetterState.KEPT: News.KEPT,
    LetterState.NOTIFIED: News.NOTIFIED,
    LetterState.BOUNCED: News.CAME_BACK,
    LetterState.FAILED: News.REFUSED,
    LetterState.WITHHELD: News.WITHHELD,
}
_OWN_WORDS = {
    News.ON_ITS_WAY: "A mail to you is on its way.",
    News.WAITING: "The last mail to you waits: the mail server asked us to try again later.",
    News.HELD: "The last news for you waits for your next digest.",
    News.ACCEPTED: "The last mail to you was accepted on {at}.",
    News.UNSURE: "The last mail to you went out on {at}, but the line broke at its end: it may not have arrived.",
    News.KEPT: "The last mail to you, of {at}, is kept in /mailbox.",
    News.NOTIFIED: "Instead of a mail, your devices were told on {at}.",
    News.CAME_BACK: "The last mail to you, of {at}, came back. Is your address right?",
    News.REFUSED: "The last mail to you, of {at}, was refused. Is your address right?",
    News.WITHHELD: "Nothing is sent to your address any more, because mails came back or were reported as unwanted. "
    "Sign in, or give another one.",
}


@dataclass(frozen=True, slots=True)
class MailNews:
    """What became of a mail, and when; `reason` is what the mail server said, for the player's own eyes."""

    at: datetime
    news: News
    reason: str | None = None

    @property
    def is_trouble(self) -> bool:
        return self.news in TROUBLE

    def sentence(self, now: datetime, zone: str) -> str:
        """What the player reads, in her time zone."""
        return _OWN_WORDS[self.news].format(at=timestamp(self.at, now, zone).text)


def last_mail(session: Session, seat: SeatRow, now: datetime) -> MailNews | None:
    """What became of the newest mail to the player of `seat` about its table; None where she has been owed none."""
    planned = and_(LetterRow.state == LetterState.QUEUED, col(LetterRow.tries) == 0, col(LetterRow.next_at) > now)
    letter = session.exec(
        select(LetterRow)
        .where(LetterRow.player_id == seat.player_id, LetterRow.table_id == seat.table_id)
        .where(LetterRow.state != LetterState.SUPERSEDED, not_(planned))
        .order_by(func.coalesce(LetterRow.sent_at, LetterRow.created_at).desc(), col(LetterRow.id).desc())
        .limit(1)
    ).first()
    if letter is not None and letter.told_by is not None:
        letter = session.get(LetterRow, letter.told_by) or letter
    return _news(letter) if letter else None


def unreachable_seats(session: Session, seats: Iterable[SeatRow], now: datetime) -> set[int]:
    """Which of the seats have a player to whom nothing is sent any more, or whose last mail came back."""
    return {seat.seat for seat in seats if seat.player_id is not None and _is_unreachable(session, seat, now)}


def _is_unreachable(session: Session, seat: SeatRow, now: datetime) -> bool:
    if session.get_one(PlayerRow, seat.player_id).unreachable_at is not None:
        return True
    found = last_mail(session, seat, now)
    return found is not None and found.is_trouble


def _news(letter: LetterRow) -> MailNews:
    at = letter.sent_at or letter.created_at
    if letter.state is LetterState.QUEUED:
        return MailNews(at, News.WAITING if letter.tries else News.ON_ITS_WAY)
    if letter.state is LetterState.SENT:
        return MailNews(at, News.UNSURE if letter.problem else News.ACCEPTED)
    is_refused = letter.state is LetterState.FAILED
    return MailNews(at, _STATES[letter.state], letter.problem if is_refused else None)
