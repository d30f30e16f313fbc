"""Makes one mail of several: of questions to one player that are due together, and of what is over the day's limit.

That mail is a digest. The transaction has locked a letter by then, and so must not wait for a lock on its player,
because other transactions lock players before their letters. Where somebody else has that lock, the letter waits for a
moment.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select, text
from sqlmodel.sql.expression import SelectOfScalar

from webapp.core.batches import one_by_one
from webapp.core.runtime import Runtime
from webapp.games.clock.presence import may_disturb_at
from webapp.games.record import store
from webapp.kinds import KINDS
from webapp.models import WAITING_QUESTION, LetterRow, LetterState, PlayerRow
from webapp.outbox import digests, letters, timing
from webapp.outbox.digests import Why
from webapp.outbox.leases import put_off

SOON = timedelta(minutes=5)  # a question that is due by then goes with one that is due now
BUSY = timedelta(seconds=1)  # the pause where another transaction has locked the player, or one of the questions


def wait_for_room(session: Session, runtime: Runtime, letter: LetterRow, until: datetime, now: datetime) -> None:
    """Makes a letter wait that is over the limit of its address, which ends for it at `until`.

    If a digest can report the letter, it waits for a digest, which then includes it whatever else it says; other
    letters, and digests, wait for `until`. `letter` comes from `leases.held_letters`.
    """
    if not digests.can_report(letter):
        player = session.get_one(PlayerRow, letter.player_id)
        put_off(letter, until if KINDS[letter.kind].at_once else may_disturb_at(player, until))
    elif locked := _try_to_lock(session, letter.player_id):
        _hold(session, runtime, locked, [letter], Why.LIMIT, now)
    else:
        put_off(letter, now + BUSY)


def due_together(session: Session, runtime: Runtime, letter: LetterRow, now: datetime) -> list[LetterRow]:
    """`letter`, which is due, and the questions to ask in one mail with it, if it is a question itself.

    They are of the same player, and of any table, or of several hands of one; none if that player wants digests anyway.
    Empty if another transaction is at work on these questions: then the letter waits for a moment. Locks the player and
    the questions.
    """
    if not KINDS[letter.kind].is_question or letter.message is not None or letter.requested:
        return [letter]
    others = _others_to_join(session, letter, now)
    if runtime.settings.asks_by_table:
        others = [one for one in others if one.game_id == letter.game_id]
    if not others or not _may_be_joined(session, letter, now):
        return [letter]
    player = _try_to_lock(session, letter.player_id)
    if player is not None and (player.unreachable_at is not None or timing.wants_digests(player)):
        return [letter]
    if player is None or not _try_to_lock_all(session, others):
        put_off(letter, now + BUSY)
        return []
    return [letter, *others]


def ask_together(session: Session, runtime: Runtime, asking: list[LetterRow], now: datetime) -> None:
    """Asks the questions, which `due_together` has found, in one digest, which is due at once."""
    player = session.get_one(PlayerRow, asking[0].player_id)
    digests.bring_forward(session, player, now)
    _hold(session, runtime, player, asking, Why.TOGETHER, now)


def _others_to_join(session: Session, letter: LetterRow, now: datetime) -> list[LetterRow]:
    found = []

    def look(other: LetterRow) -> None:
        if _may_be_joined(session, other, now):
            found.append(other)

    others = {other.id: other for other in session.exec(_others(letter, now))}
    one_by_one("letter", others, lambda number: look(others[number]))  # one that cannot be read is not joined
    return found


def _others(letter: LetterRow, now: datetime) -> SelectOfScalar[LetterRow]:
    """The other questions to the player that are due, or will be soon."""
    others = _waiting().where(LetterRow.player_id == letter.player_id, LetterRow.id != letter.id)
    return others.where(col(LetterRow.next_at) <= now + SOON)


def _waiting() -> SelectOfScalar[LetterRow]:
    """The questions that were never composed, and that nobody has requested."""
    waiting = select(LetterRow).where(text(WAITING_QUESTION))
    return waiting.where(col(LetterRow.message).is_(None), col(LetterRow.requested).is_(False))


def _may_be_joined(session: Session, letter: LetterRow, now: datetime) -> bool:
    """Whether the question still stands, and its player does not see it already."""
    is_seen = letters.held_until(session, letter, now) is not None
    return not is_seen and not letters.is_stale(letter, store.load(session, letter.of_game))


def _try_to_lock(session: Session, player_id: int) -> PlayerRow | None:
    """The player's row, locked; None if another transaction has locked it."""
    found = select(PlayerRow).where(PlayerRow.id == player_id).with_for_update(key_share=True, skip_locked=True)
    return session.exec(found.execution_options(populate_existing=True)).first()


def _try_to_lock_all(session: Session, others: list[LetterRow]) -> bool:
    """Locks the questions; False if another transaction has locked one, or they are not waiting any more."""
    waiting = _waiting().where(col(LetterRow.id).in_([one.id for one in others])).with_for_update(skip_locked=True)
    return len(session.exec(waiting.execution_options(populate_existing=True)).all()) == len(others)


def _hold(
    session: Session, runtime: Runtime, player: PlayerRow, held: list[LetterRow], why: Why, now: datetime
) -> None:
    """Holds letters for a digest, which is queued if none is to come."""
    for letter in held:
        letter.state, letter.next_at, letter.claimed_by = LetterState.HELD, None, None
    letters.queue_digest(session, runtime, player, now, None if timing.wants_digests(player) else why)
