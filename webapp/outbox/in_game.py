"""Letters about a decision in a game: they are queued in the mail thread of its hand, found again, and superseded."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, TypeVar

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from hearts.turns import Deal
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due
from webapp.games.clock.pace import bank_of, pace_for
from webapp.games.clock.presence import may_disturb_at
from webapp.games.record.store import TableGame
from webapp.kinds import ASKING, KINDS, QUESTIONS
from webapp.models import (
    Frequency,
    LetterKind,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    TurnRow,
    TurnSource,
)
from webapp.outbox import timing
from webapp.outbox.letters import WAITING, message_id_of, queue_digest
from webapp.outbox.superseding import supersede

T = TypeVar("T")
APART: Final = timedelta(hours=8)  # two mails with questions to a player who wants two a day
COUNTED: Final = (*QUESTIONS, LetterKind.DIGEST, LetterKind.REMINDER)  # in the two mails a day
AT_MAIL: Final = timedelta(minutes=10)  # how long a player who has answered by mail is taken to read on
SLOW: Final = timedelta(hours=20)  # how long before its deadline a question may wait for that


def queue_in_game(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    stored: TableGame,
    seat: SeatRow,
    due: Due,
    now: datetime,
    again: str = "",
) -> LetterRow:
    """Queues a letter about `due` to the player of `seat` in the mail thread of its hand, and returns it.

    `again` distinguishes its dedupe key from that of an earlier letter of the same kind about the same decision.
    """
    player = session.get_one(PlayerRow, seat.player_id)
    schedule = timing.schedule(kind, player, now, seat, timing.longest_hold(stored.table, due.what))
    at = schedule.at
    if at and not _has_just_answered(session, stored, seat, now):
        at = _not_too_soon(session, kind, player, stored, due, at)
    dedupe = f"{kind} {stored.id} {seat.seat} {seat.player_id} {due.hand} {due.what}{again}"
    letter = LetterRow(
        kind=kind,
        dedupe=dedupe,
        player_id=player.id,
        table_id=seat.table_id,
        seat=seat.seat,
        game_id=stored.id,
        turns=stored.row.turns,
        hand=due.hand,
        about=due.what,
        message_id=message_id_of(runtime, dedupe),
        thread_id=_thread(session, stored, seat, due),
        state=schedule.state,
        next_at=at,
        held_at=schedule.held_at,
        created_at=at or now,
    )
    session.add(letter)
    if letter.state is LetterState.HELD:
        queue_digest(session, runtime, player, now)
    return letter


def _not_too_soon(
    session: Session, kind: LetterKind, player: PlayerRow, stored: TableGame, due: Due, at: datetime
) -> datetime:
    """When a letter that would go at `at` goes to a player who wants two mails a day: some hours after the last one.

    Only questions wait, and only where their players still have enough time then; a bank of time would run meanwhile.
    """
    until = stored.clock.due_at or at + pace_for(stored.table, due.what)
    may_wait = KINDS[kind].is_question and until - at >= SLOW and not bank_of(stored.table)
    if player.frequency is not Frequency.TWICE or not may_wait:
        return at
    asked = (LetterRow.player_id == player.id, col(LetterRow.kind).in_(COUNTED))
    last = session.exec(select(func.max(LetterRow.sent_at)).where(*asked, col(LetterRow.sent_at) > at - APART)).one()
    return may_disturb_at(player, max(at, last + APART)) if last else at


def _has_just_answered(session: Session, stored: TableGame, seat: SeatRow, now: datetime) -> bool:
    """Whether the seat's player has answered by mail within `AT_MAIL`: their visit goes on in their inbox."""
    replies = (one for one in reversed(stored.records) if one.source is TurnSource.REPLY)
    last = next((one.number for one in replies if not isinstance(one.turn, Deal) and one.turn.seat == seat.seat), None)
    return last is not None and now - session.get_one(TurnRow, (stored.id, last)).at < AT_MAIL


def letters_asking(session: Session, game_id: int, seat: SeatRow, due: Due) -> Sequence[LetterRow]:
    """All letters, sent or not, that ask the present player of `seat` for `due`; not those to earlier players."""
    return session.exec(_asking(game_id, seat, due)).all()


def supersede_answered(session: Session, game_id: int, seat: SeatRow, due: Due) -> None:
    """Supersedes those of the `letters_asking` that are not sent yet."""
    waiting = _asking(game_id, seat, due).where(col(LetterRow.state).in_(WAITING))
    supersede(session.exec(waiting.with_for_update().execution_options(populate_existing=True)))


def _asking(game_id: int, seat: SeatRow, due: Due) -> SelectOfScalar[LetterRow]:
    """The letters that ask for `due`, in the order in which workers lock them."""
    asking = _of_hand(select(LetterRow), game_id, seat, due)
    asking = asking.where(LetterRow.about == due.what, col(LetterRow.kind).in_(ASKING))
    return asking.order_by(col(LetterRow.id))


def _thread(session: Session, stored: TableGame, seat: SeatRow, due: Due) -> str | None:
    """The Message-ID of the first mail about this hand to this player; None if there is none yet."""
    mails = _of_hand(select(LetterRow.message_id), stored.id, seat, due)
    return session.exec(mails.order_by(col(LetterRow.id)).limit(1)).first()


def _of_hand(letters: SelectOfScalar[T], game_id: int, seat: SeatRow, due: Due) -> SelectOfScalar[T]:
    of_seat = letters.where(LetterRow.seat == seat.seat, LetterRow.player_id == seat.player_id)
    return of_seat.where(LetterRow.game_id == game_id, LetterRow.hand == due.hand)
