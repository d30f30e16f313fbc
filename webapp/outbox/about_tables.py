"""Queues the mails about a table: invitations, who joins or declines, offered and lost seats, and a game's end."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import seat_of_owner
from webapp.models import (
    GameRow,
    GameState,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    Proposal,
    SeatRow,
    SeatState,
)
from webapp.outbox.letters import SECOND, letter_to, queue_letter, queue_once

# Queues the mails that tell a host what their table waits for before the first deal, or about an invitation.
# An invitation came back; nobody has answered for two days; or everybody is there, and the host deals.

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
    """Queues the one mail to a host who has invited somebody; it goes UNANSWERED_AFTER the last invitation.

    It is not sent if everybody has answered by then, or the table's first game has begun.
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
    """The seat to which the player is invited, and has not answered; None if there is none."""
    for seat in table_seats(session, table_id):
        is_offered = seat.offered_to == player_id and seat.offer_state is None
        if is_offered or (seat.player_id == player_id and seat.state is SeatState.INVITED):
            return seat
    return None


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


SECOND_INVITATION_AFTER = timedelta(days=3)
BY_OPERATOR = "operator"  # why a game was ended, if its host did not end it
RESTED = "rested"  # likewise: nobody has set it going for long
PROPOSED = "proposed"  # likewise: the host has proposed it, and the others have seen that or agreed
NO_STAND_IN = "no_stand_in"  # why a mail says who declines: they do not play for its reader


class OfferOver(StrEnum):
    """Why somebody who has accepted a seat does not get it."""

    WITHDRAWN = "withdrawn"  # by the host
    GAME_OVER = "over"  # the hand being played was the last one
    ENDED = "ended"  # the host has ended the game


class SeatGiven(StrEnum):
    """Why a player has lost a seat, if not because the host has given it away."""

    LENT = "lent"  # a friend plays for them until they are back
    OWNER_BACK = "owner_back"  # they stood in for a player who is back
    REFUSED = "refused"  # by the host, before the deal: they came by the host's link
    GIVEN_BACK = "given_back"  # by themselves, or because they are away; there is no mail
    MISSED = "missed"  # they stood in, and missed too many deadlines
    GAME_OVER = "over"  # they stood in until the end of the game


def queue_about_table(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    seat: SeatRow,
    now: datetime,
    about: str | None = None,
    occasion: str | None = None,
    number: int = 1,
    **columns: int | str | None,
) -> None:
    """Queues a mail about a table to the player of `seat`, unless they have asked not to get it.

    `about` names a person; `columns` are `game_number`, `newcomer_id` and `reason` of the row. The same mail is queued
    once for an `occasion` (`about`, if none is given) before the game of that `number`. An invitation is the host's,
    before or during a game, a player's to a friend who is to play for them, or one to another game (`game_number`). In
    case nobody answers it, a second one is queued with it and, before the first game, the mail of `queue_unanswered`.
    """
    wants = session.get_one(PlayerRow, seat.player_id).invitations if kind is LetterKind.INVITATION else seat.mails
    # Without that one nobody could open the table: it asks whether the address is theirs.
    if not wants and kind is not LetterKind.CONFIRM:
        return
    occasion = occasion or about or ""
    before = "" if number == 1 else f" before game {number}"
    letter = letter_to(session, kind, seat, now, about=about, **columns)
    first = queue_once(session, runtime, letter, occasion + before, now)
    if first is not None and kind is LetterKind.INVITATION:
        # Queued with the first, so that nothing must remember whom to ask again; after an answer it is not composed.
        letter = letter_to(session, kind, seat, now, about=about, again=True, **columns)
        second = queue_once(session, runtime, letter, f"{SECOND} {occasion}".strip() + before, now)
        if second is not None:
            # In the thread of the first, so that the guest does not take it for another table's.
            second.thread_id = first.message_id
            second.created_at = second.next_at = now + SECOND_INVITATION_AFTER
        if number == 1:
            queue_unanswered(session, runtime, seat.table_id, now)


def queue_ended(
    session: Session, runtime: Runtime, seat: SeatRow, number: int, now: datetime, *, reason: str | None
) -> None:
    """Queues a mail that tells the player of `seat` why game `number` is over, if not because the host has ended it."""
    about: dict[str, Any] = {"occasion": f"game {number}", "number": number, "game_number": number, "reason": reason}
    queue_about_table(session, runtime, LetterKind.ENDED, seat, now, **about)


def queue_resting(session: Session, runtime: Runtime, seat: SeatRow, number: int, now: datetime) -> None:
    """Queues a mail that tells the player of `seat`, if it has one, that game `number` rests from `now` on."""
    if seat.player_id is not None:
        # With the time: a game may rest again, and all hear of it again.
        occasion = f"game {number} {now.isoformat()}"
        queue_about_table(session, runtime, LetterKind.RESTING, seat, now, occasion=occasion, number=number)


def queue_proposed(session: Session, runtime: Runtime, seat: SeatRow, proposal: Proposal, now: datetime) -> None:
    """Queues a mail that tells the player of `seat` what the host proposes, unless they have muted the table."""
    queue_about_table(session, runtime, LetterKind.PROPOSED, seat, now, about=proposal.key)


def told_at(session: Session, table_id: int, proposal: Proposal) -> datetime | None:
    """When the last mail about the proposal went; None if one has not gone yet."""
    about = (LetterRow.kind == LetterKind.PROPOSED, LetterRow.about == proposal.key)
    letters = session.exec(select(LetterRow).where(LetterRow.table_id == table_id, *about)).all()
    # At night the mails wait for the morning: until then the others do not know of it.
    if any(letter.state is LetterState.QUEUED for letter in letters):
        return None
    # Where all have muted the table, its page alone has told them, from the first moment on.
    return max((letter.sent_at for letter in letters if letter.sent_at is not None), default=proposal.at)


def queue_offered(session: Session, runtime: Runtime, seat: SeatRow, now: datetime, number: int) -> None:
    """Queues, once, a mail that tells the player of `seat` that the host has offered it to a newcomer.

    The offer is made before the game of that `number`. A player who has muted the table gets no mail.
    """
    if seat.player_id is not None:
        queue_about_table(
            session,
            runtime,
            LetterKind.OFFERED,
            seat,
            now,
            occasion=str(seat.offered_to),
            number=number,
            newcomer_id=seat.offered_to,
        )


def queue_offer_over(session: Session, runtime: Runtime, seat: SeatRow, why: OfferOver, now: datetime) -> None:
    """Queues a mail that tells the player who has accepted the offered `seat` why they do not get it."""
    assert seat.offered_to is not None
    player = session.get_one(PlayerRow, seat.offered_to)
    # Never stored: its reader has no seat here yet, and `letter_to` wants one.
    reader = SeatRow(table_id=seat.table_id, seat=seat.seat, player_id=player.id, name="", state=seat.state)
    letter = letter_to(session, LetterKind.OFFER_OVER, reader, now, about=seat.offered_name, reason=why)
    queue_letter(session, runtime, letter, f"{letter.kind} {seat.table_id} {seat.seat} {player.id} {now.isoformat()}")


def queue_replaced(
    session: Session, runtime: Runtime, seat: SeatRow, name: str, why: SeatGiven | None, now: datetime
) -> None:
    """Queues a mail that tells the player of `seat` why it is not theirs now.

    A player who has muted the table learns only that somebody plays for them. It stores their `name`, which the seat's
    row is about to lose. A player who gives a seat back themselves gets none.
    """
    if why is SeatGiven.LENT or (seat.mails and why is not SeatGiven.GIVEN_BACK):
        letter = letter_to(session, LetterKind.REPLACED, seat, now, about=name, reason=why)
        dedupe = f"{letter.kind} {seat.table_id} {seat.seat} {seat.player_id} {now.isoformat()}"
        queue_letter(session, runtime, letter, dedupe if why is None else f"{dedupe} {why}")


def queue_muted(session: Session, runtime: Runtime, seats: Sequence[SeatRow], now: datetime) -> bool:
    """Queues a mail to the player of the `seats`, who has muted these tables and would miss their turns there.

    It is about the table, or about all that they have muted if there are several; at most one a day. Returns whether it
    was queued now.
    """
    letter = letter_to(session, LetterKind.MUTED, seats[0], now, about=None)
    if len(seats) > 1:
        letter.table_id = letter.seat = None
    else:  # a mail about a game can be answered
        game = select(GameRow.id).where(GameRow.table_id == letter.table_id, GameRow.state == GameState.PLAYING)
        letter.game_id = session.exec(game).first()
    return queue_once(session, runtime, letter, f"{now:%Y-%m-%d}", now) is not None


def queue_no_stand_in(session: Session, runtime: Runtime, seat: SeatRow, name: str, now: datetime) -> None:
    """Queues a mail that tells the player of `seat`, who is away, that the friend `name` does not play for them.

    A player who has muted the table gets none.
    """
    if seat.mails:
        letter = letter_to(session, LetterKind.DECLINED, seat, now, about=name, reason=NO_STAND_IN)
        dedupe = f"{letter.kind} {seat.table_id} {seat.seat} {seat.player_id} {letter.reason} {now.isoformat()}"
        queue_letter(session, runtime, letter, dedupe)
