"""Forgets people whom others have named and who never did anything here themselves: guests, friends, typing errors.

Their row stays without a name, as that of a player who wants to be forgotten. People who want no more mail keep their
address, which is how that wish is kept: see `_is_forgettable`.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import ColumnElement, SQLColumnExpression
from sqlmodel import Session, and_, col, exists, or_, select

from webapp.core.batches import in_batches
from webapp.core.runtime import Runtime
from webapp.games.record.rows import lock_tables
from webapp.models import GameRow, LetterRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.players import forgetting
from webapp.tables.run_out import KEPT_FOR

PLAYERS_AT_ONCE = 5  # each takes some twenty statements


def forget_silent_guests(runtime: Runtime, now: datetime) -> int:
    """Forgets everybody who has done nothing, has no seat, and got no mail for KEPT_FOR. Idempotent.

    Each transaction forgets a few. Returns how many it has forgotten.
    """
    find, change = partial(_players_after, now=now), partial(_forget, now=now)
    return in_batches(runtime.database, find, change, "player")


def _players_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    found = select(PlayerRow.id).where(_is_forgettable(now), PlayerRow.id > last)
    return session.exec(found.order_by(col(PlayerRow.id)).limit(PLAYERS_AT_ONCE)).all()


def _forget(session: Session, player_ids: Sequence[int], *, now: datetime) -> int:
    """Forgets those of the players who still may be forgotten once they are locked. Returns how many."""
    lock_tables(session, session.exec(select(SeatRow.table_id).where(col(SeatRow.player_id).in_(player_ids))).all())
    # Their keys, too: whoever is just being invited is passed over, and an invitation that comes now adds a new player.
    locked = select(PlayerRow.id).where(col(PlayerRow.id).in_(player_ids)).with_for_update(skip_locked=True)
    held = session.exec(locked).all()
    # A statement of its own sees what was committed before the locks.
    found = select(PlayerRow).where(col(PlayerRow.id).in_(held), _is_forgettable(now)).order_by(col(PlayerRow.id))
    players = session.exec(found.execution_options(populate_existing=True)).all()
    for player in players:
        forgetting.erase(session, player, now)
    return len(players)


def _is_forgettable(now: datetime) -> ColumnElement[bool]:
    """Selects players who never did anything, whom nobody has asked for KEPT_FOR, and who have no seat.

    Not those who want no invitations, or whose address has complained or bounced: nothing may be sent there again.
    """
    before, player_id = now - KEPT_FOR, col(PlayerRow.id)
    was_mailed = exists().where(col(LetterRow.player_id) == player_id, col(LetterRow.created_at) > before)
    return and_(
        *(col(PlayerRow.seen_at).is_(None), col(PlayerRow.forgotten_at).is_(None)),
        *(col(PlayerRow.invitations).is_(True), col(PlayerRow.unreachable_at).is_(None)),
        *(col(PlayerRow.created_at) < before, ~was_mailed, ~_has_seat(player_id)),
    )


def _has_seat(player_id: SQLColumnExpression[int]) -> ColumnElement[bool]:
    """Selects players who have a seat, or may get one; a seat that they declined or never confirmed is none."""
    is_begun = exists().where(col(GameRow.table_id) == col(TableRow.id))
    is_closed = and_(col(TableRow.state) == TableState.OVER, ~is_begun)
    is_left = or_(col(SeatRow.state) == SeatState.DECLINED, is_closed)
    own = exists().where(col(SeatRow.player_id) == player_id, col(SeatRow.table_id) == col(TableRow.id), ~is_left)
    offered = exists().where(col(SeatRow.offered_to) == player_id)
    lent = exists().where(col(SeatRow.stands_in_for) == player_id)
    return or_(own, offered, lent)
