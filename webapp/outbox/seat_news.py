"""Queues the mails that tell a host what their table waits for before the first deal, or about an invitation.

An invitation came back; nobody has answered for two days; or everybody is there, and the host deals.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import seat_of_owner
from webapp.models import LetterKind, LetterRow, LetterState, SeatRow, SeatState
from webapp.outbox.letters import letter_to, queue_once

UNANSWERED_AFTER = timedelta(days=2)
UNDEALT_AFTER = timedelta(days=1)


class SeatNews(StrEnum):
    """News for a host about the seats of their table."""

    RETURNED = "returned"  # an invitation came back
    UNANSWERED = "unanswered"  # somebody has not answered
    ALL_HERE = "all_here"  # the game begins when the host says so


def queue_returned(session: Session, runtime: Runtime, letter: LetterRow, now: datetime) -> None:
    """Queues a mail to the host, once for each person, if `letter` is an invitation of theirs that still asks."""
    if letter.kind is LetterKind.INVITATION and seat_still_asked(session, letter.of_table, letter.player_id):
        guest = letter.player_id
        _queue(session, runtime, letter.of_table, SeatNews.RETURNED, f"{SeatNews.RETURNED} {guest}", now, guest)


def queue_unanswered(session: Session, runtime: Runtime, table_id: int, now: datetime) -> None:
    """Queues the one mail to a host who has invited somebody, for UNANSWERED_AFTER from the last invitation on.

    It is not sent if everybody has answered by then.
    """
    _queue(session, runtime, table_id, SeatNews.UNANSWERED, SeatNews.UNANSWERED, now)
    own = (LetterRow.table_id == table_id, LetterRow.kind == LetterKind.SEATS)
    waiting = select(LetterRow).where(*own, LetterRow.reason == SeatNews.UNANSWERED, col(LetterRow.message).is_(None))
    # Each further invitation moves it: the host hears once, when the last guest has had two days.
    for news in session.exec(waiting.where(LetterRow.state == LetterState.QUEUED)):
        news.created_at = news.next_at = now + UNANSWERED_AFTER


def queue_all_here(session: Session, runtime: Runtime, seats: Sequence[SeatRow], now: datetime) -> None:
    """Queues a mail to the host, once for the same people: all seats are taken, and the host deals.

    A second one follows after UNDEALT_AFTER, if they have not dealt by then.
    """
    # In the key: a table that is full again with somebody else is news again.
    people = " ".join(str(seat.player_id or 0) for seat in seats)
    occasion, table_id = f"{SeatNews.ALL_HERE} {people}", seats[0].table_id
    _queue(session, runtime, table_id, SeatNews.ALL_HERE, occasion, now)
    if later := _queue(session, runtime, table_id, SeatNews.ALL_HERE, f"{occasion} again", now):
        later.created_at = later.next_at = now + UNDEALT_AFTER


def seat_still_asked(session: Session, table_id: int, player_id: int) -> SeatRow | None:
    """The seat to which the host has invited that player, who has not answered; None if there is none."""
    return next((seat for seat in table_seats(session, table_id) if _is_asked(seat, player_id)), None)


def _is_asked(seat: SeatRow, player_id: int) -> bool:
    is_offered = seat.offered_to == player_id and seat.offer_state is None
    return is_offered or (seat.player_id == player_id and seat.state is SeatState.INVITED)


def _queue(
    session: Session,
    runtime: Runtime,
    table_id: int,
    why: SeatNews,
    occasion: str,
    now: datetime,
    guest: int | None = None,
) -> LetterRow | None:
    """Queues the mail once for an `occasion`, and returns it; `guest` is who was invited.

    None if it was queued before, or the host has muted the table.
    """
    # A friend may play for the host, but the table stays the host's.
    host = seat_of_owner(session.get_one(SeatRow, (table_id, 0)))
    if not host.mails or host.player_id is None:
        return None
    news = letter_to(session, LetterKind.SEATS, host, now, about=None, reason=why, newcomer_id=guest)
    return queue_once(session, runtime, news, occasion, now)
