"""Queues the mails about an evening together: the question, the hour that was agreed on, and that there will be none.

The mails of one evening to one player are a thread. A worker composes each as the evening then stands.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.evenings import meeting
from webapp.games.clock.presence import plays_themselves
from webapp.games.record.changing import OpenGame
from webapp.games.record.store import TableGame
from webapp.models import (
    EveningRow,
    EveningState,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
)
from webapp.outbox.letters import letter_to, queue_letter
from webapp.outbox.superseding import supersede

BEFOREHAND = timedelta(hours=1)  # the latest time before the hour at which a mail about it goes, also at night
# The states of a letter that has reached its reader, or may have.
_GONE = (LetterState.SENT, LetterState.KEPT, LetterState.BOUNCED)


def queue_question(session: Session, runtime: Runtime, stored: TableGame, row: EveningRow, now: datetime) -> None:
    """Queues a mail to all players but the proposer, which asks what hours suit them."""
    others = [seat for seat in stored.seats if plays_themselves(seat) and seat.player_id != row.proposed_by]
    _queue(session, runtime, LetterKind.EVENING_ASKED, others, row, now)


def queue_hour(session: Session, runtime: Runtime, stored: TableGame, row: EveningRow, now: datetime) -> None:
    """Queues a mail to all players with the hour on which they have agreed, and supersedes the question."""
    _supersede(session, row)
    _queue(session, runtime, LetterKind.EVENING_AGREED, filter(plays_themselves, stored.seats), row, now)


def call_off(game: OpenGame, row: EveningRow, state: EveningState) -> None:
    """Ends an evening in `state`, and queues a mail about that if players expect one to come.

    After they have agreed on an hour, it also goes to those who have gone away, muted the table or lost their seat
    since, because the hour is in their calendar. None goes about a live evening, or about a vote that ends with its
    game.
    """
    session, runtime, now = game.session, game.runtime, game.now
    was_live, was_agreed = row.state is EveningState.LIVE, row.state is EveningState.AGREED
    readers = [seat for seat in game.seats if was_agreed or plays_themselves(seat)]
    _supersede(session, row)
    meeting.set_state(game.table, row, state, None, now)
    if was_agreed or not (was_live or state is EveningState.OVER):
        _queue(session, runtime, LetterKind.EVENING_OFF, readers, row, now)
    if was_agreed:
        told = {seat.player_id for seat in readers if seat.mails}
        noted = [seat for seat in _noted_in_calendars(session, row) if seat.player_id not in told]
        _queue(session, runtime, LetterKind.EVENING_OFF, noted, row, now)


def _noted_in_calendars(session: Session, row: EveningRow) -> Iterable[SeatRow]:
    """The seats, as copies, of all whom a mail has told the hour, with the player that each had then."""
    brought = select(LetterRow).where(LetterRow.evening_id == row.id, LetterRow.kind == LetterKind.EVENING_AGREED)
    for letter in session.exec(brought.where(col(LetterRow.state).in_(_GONE))).all():
        name = session.get_one(PlayerRow, letter.player_id).name
        yield SeatRow(
            table_id=letter.of_table,
            seat=letter.of_seat,
            player_id=letter.player_id,
            name=name,
            state=SeatState.ACCEPTED,
        )


def invitation_sent(session: Session, letter: LetterRow) -> LetterRow | None:
    """The letter that has brought the hour of the evening to the reader of `letter`; None if none has."""
    same = (LetterRow.evening_id == letter.evening_id, LetterRow.player_id == letter.player_id)
    brought = select(LetterRow).where(*same, LetterRow.kind == LetterKind.EVENING_AGREED)
    return session.exec(brought.where(col(LetterRow.state).in_(_GONE))).first()


def _queue(
    session: Session, runtime: Runtime, kind: LetterKind, seats: Iterable[SeatRow], row: EveningRow, now: datetime
) -> None:
    """Queues a mail to each player of `seats` who has not muted the table."""
    for seat in seats:
        if seat.player_id is not None and seat.mails:
            _hurry(_queue_one(session, runtime, kind, seat, row, now), row, now)


def _queue_one(
    session: Session, runtime: Runtime, kind: LetterKind, seat: SeatRow, row: EveningRow, now: datetime
) -> LetterRow:
    """Queues a mail to the player of `seat`, in the thread of the evening, and returns it."""
    letter = letter_to(session, kind, seat, now, about=None, evening_id=row.id, game_id=row.game_id)
    same = (LetterRow.evening_id == row.id, LetterRow.player_id == seat.player_id)
    session.flush()
    first = select(LetterRow.message_id).where(*same).order_by(col(LetterRow.id)).limit(1)
    letter.thread_id = session.exec(first).first()
    queue_letter(session, runtime, letter, f"{kind} {row.id} {seat.seat} {seat.player_id}")
    return letter


def _hurry(letter: LetterRow, row: EveningRow, now: datetime) -> None:
    """Brings a mail forward that would wait for the morning, if the hour comes soon."""
    if row.begins_at is not None and letter.next_at is not None:
        latest = max(now, row.begins_at - BEFOREHAND)
        letter.next_at = letter.created_at = min(letter.next_at, latest)


def _supersede(session: Session, row: EveningRow) -> None:
    waiting = select(LetterRow).where(LetterRow.evening_id == row.id, LetterRow.state == LetterState.QUEUED)
    supersede(session.exec(waiting))
