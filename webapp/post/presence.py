"""Who is about: when a player was last seen to do something, and when a mail would not disturb her.

Only what she did herself counts, by a POST or an answer; that a link was opened may have been her mail program.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from webapp.models import PlayerRow, SeatRow
from webapp.post.clock import Quiet, quiet_until

AWAKE_FOR = timedelta(minutes=30)  # after she was seen, nothing waits for the morning


def quiet_of(player: PlayerRow) -> Quiet | None:
    """The player's quiet hours; None where any time will do."""
    if player.quiet_from is None or player.quiet_to is None or player.quiet_from == player.quiet_to:
        return None
    return Quiet(player.quiet_from, player.quiet_to)


def may_disturb_at(player: PlayerRow, now: datetime) -> datetime:
    """From when on a mail about a game may come: now, or after her quiet hours; but somebody who is up is up."""
    if player.seen_at is not None and now - player.seen_at <= AWAKE_FOR:
        return now
    return quiet_until(now, player.time_zone, quiet_of(player)) or now


def note_seen(session: Session, player_id: int, now: datetime) -> PlayerRow:
    """Notes that the player has just done something herself. Raises NoResultFound where there is no such player."""
    player = session.get_one(PlayerRow, player_id)
    player.seen_at = now
    return player


def lock_players(session: Session, seats: Sequence[SeatRow]) -> None:
    """Locks the players of the seats, always in one order, so that nobody else owes them mails at the same moment.

    Whoever changes a game locks that first; whoever changes a player locks nothing else before her.
    """
    ids = [seat.player_id for seat in seats if seat.player_id is not None]
    players = select(PlayerRow).where(col(PlayerRow.id).in_(ids)).order_by(col(PlayerRow.id))
    # Without the key, so that rows which only name a player need not wait.
    locked = session.exec(players.with_for_update(key_share=True).execution_options(populate_existing=True)).all()
    session.info["players"] = locked  # a session forgets a row that nobody holds, and would ask for it again and again
