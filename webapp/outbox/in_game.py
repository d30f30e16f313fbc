"""Score sheets: they are queued in the mail thread of their game."""

from datetime import datetime

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow
from webapp.outbox import timing
from webapp.outbox.letters import message_id_of


def queue_in_game(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    stored: TableGame,
    seat: SeatRow,
    due: Due,
    now: datetime,
) -> LetterRow:
    """Queues a letter about `due` to the player of `seat` in the mail thread of the game, and returns it."""
    player = session.get_one(PlayerRow, seat.player_id)
    schedule = timing.schedule(kind, player, now, seat, timing.longest_hold(stored.table, due.what))
    # With the player: whoever takes over the seat may get a mail about the same hand, too.
    dedupe = f"{kind} {stored.id} {seat.seat} {seat.player_id} {due.hand} {due.what}"
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
        thread_id=thread_of(session, stored.id, seat.seat, player.id),
        next_at=schedule.at,
        held_at=schedule.held_at,
        created_at=schedule.at,
    )
    session.add(letter)
    return letter


def thread_of(session: Session, game_id: int, seat: int, player_id: int) -> str | None:
    """The Message-ID of the first mail about this game to the player of the seat; None if there is none yet.

    A mail about turns is about several hands, so that the mails of a game are one thread.
    """
    mails = select(LetterRow.message_id).where(LetterRow.game_id == game_id, LetterRow.seat == seat)
    # Composed ones alone: a thread that begins with a mail which nobody got is none in any mail program.
    mails = mails.where(LetterRow.player_id == player_id, col(LetterRow.message).is_not(None))
    return session.exec(mails.order_by(col(LetterRow.id)).limit(1)).first()
