"""Reschedules a player's unsent letters when their preferences have changed."""

from datetime import datetime

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox.letters import WAITING, message_id_of, queue_digest, schedule
from webapp.outbox.superseding import supersede


def reschedule(session: Session, runtime: Runtime, player: PlayerRow, now: datetime) -> None:
    """Reschedules the unsent letters to `player`, whose preferences have changed. Needs a lock on their row.

    A letter that was composed or tried before keeps its time.
    """
    waiting = select(LetterRow).where(LetterRow.player_id == player.id, col(LetterRow.state).in_(WAITING))
    fresh = [letter for letter in session.exec(waiting).all() if letter.message is None and letter.tries == 0]
    for letter in fresh:
        if letter.kind is LetterKind.DIGEST:
            _free_dedupe_key(runtime, letter)
        elif not KINDS[letter.kind].repeats:
            schedule(session, letter, player, now)
    session.flush()
    if any(letter.state is LetterState.HELD for letter in fresh):
        queue_digest(session, runtime, player, now)


def _free_dedupe_key(runtime: Runtime, letter: LetterRow) -> None:
    """Supersedes an unsent letter and frees its dedupe key and Message-ID for another one."""
    supersede([letter])
    letter.dedupe = f"{letter.dedupe} given up {letter.id}"
    letter.message_id = message_id_of(runtime, letter.dedupe)
