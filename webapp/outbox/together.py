"""Makes one mail of several: of what is over the day's limit of mails to an address.

Code that calls it has locked a letter, and must not wait for a lock on its player: other transactions lock players
before their letters. Where somebody else has that lock, the letter waits for a moment.
"""

from datetime import datetime, timedelta

from sqlmodel import Session, select

from webapp.core.runtime import Runtime
from webapp.games.presence import may_disturb_at
from webapp.kinds import KINDS
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.outbox import digests, letters, timing
from webapp.outbox.digests import Why
from webapp.outbox.leases import put_off

BUSY = timedelta(seconds=1)  # the pause where another transaction has locked the player


def wait_for_room(session: Session, runtime: Runtime, letter: LetterRow, until: datetime, now: datetime) -> None:
    """Makes a letter wait that is over the limit of its address, which ends for it at `until`.

    What a digest can report waits for a digest, and is then included whatever else it says; other letters, and digests,
    wait for `until`. The caller has locked the letter.
    """
    if not digests.can_report(letter):
        player = session.get_one(PlayerRow, letter.player_id)
        put_off(letter, until if KINDS[letter.kind].at_once else may_disturb_at(player, until))
    elif locked := _try_to_lock(session, letter.player_id):
        _hold(session, runtime, locked, [letter], Why.LIMIT, now)
    else:
        put_off(letter, now + BUSY)


def _try_to_lock(session: Session, player_id: int) -> PlayerRow | None:
    """The player's row, locked; None if another transaction has locked it."""
    found = select(PlayerRow).where(PlayerRow.id == player_id).with_for_update(key_share=True, skip_locked=True)
    return session.exec(found.execution_options(populate_existing=True)).first()


def _hold(
    session: Session, runtime: Runtime, player: PlayerRow, held: list[LetterRow], why: Why, now: datetime
) -> None:
    """Holds letters for a digest, which is queued if none is to come."""
    for letter in held:
        letter.state, letter.next_at, letter.claimed_by = LetterState.HELD, None, None
    letters.queue_digest(session, runtime, player, now, why if timing.wants_each_turn(player) else None)
