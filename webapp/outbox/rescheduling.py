"""Reschedules a player's unsent letters when their preferences have changed."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from webapp.core.runtime import Runtime
from webapp.games.clock.hours import quiet_until
from webapp.games.clock.presence import quiet_of
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox import timing
from webapp.outbox.leases import put_off
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
        elif letter.kind is LetterKind.REMINDER and letter.next_at is not None:
            _reschedule_reminder(letter, fresh, player)
        elif not KINDS[letter.kind].repeats:
            schedule(session, letter, player, now)
    session.flush()
    if any(letter.state is LetterState.HELD for letter in fresh):
        queue_digest(session, runtime, player, now)


def _reschedule_reminder(letter: LetterRow, waiting: Sequence[LetterRow], player: PlayerRow) -> None:
    """Supersedes a reminder that its player no longer wants, and moves others out of their quiet hours.

    A player who wants digests gets only the last of several reminders.
    """
    assert letter.next_at is not None
    same = [one for one in waiting if one.kind is letter.kind and _question_of(one) == _question_of(letter)]
    is_last = all(one.next_at is None or one.next_at <= letter.next_at for one in same)
    if not player.reminders or not (is_last or timing.wants_each_turn(player)):
        supersede([letter])
    else:
        put_off(letter, quiet_until(letter.next_at, player.time_zone, quiet_of(player)) or letter.next_at)


def _question_of(letter: LetterRow) -> tuple[object, ...]:
    return (letter.game_id, letter.seat, letter.hand, letter.about)


def _free_dedupe_key(runtime: Runtime, letter: LetterRow) -> None:
    """Supersedes an unsent letter and frees its dedupe key and Message-ID for another one."""
    supersede([letter])
    letter.dedupe = f"{letter.dedupe} given up {letter.id}"
    letter.message_id = message_id_of(runtime, letter.dedupe)
