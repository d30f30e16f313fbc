"""Withdraws invitations that nobody has answered for KEPT_FOR after their last mail, and closes tables never confirmed.

By then every link that answers them has expired. It is done in small transactions, each of a few tables, under the same
locks as an answer. `players.never_answered` then forgets the people who have nothing else here.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import ColumnElement, SQLColumnExpression
from sqlmodel import Session, and_, col, exists, or_, select

from webapp.core.database import in_batches
from webapp.core.runtime import Runtime
from webapp.games.record.rows import lock_players, lock_tables
from webapp.games.record.seats import clear_offer
from webapp.models import GameRow, LetterRow, OfferState, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import letters

KEPT_FOR = timedelta(days=60)  # longer than any link to an invitation works
TABLES_AT_ONCE = 10
NOBODY = "Free seat"  # the name of a seat whose invitation ran out


def withdraw_old(runtime: Runtime, now: datetime) -> int:
    """Withdraws every invitation and offer that ran out, and closes old unconfirmed tables. Idempotent.

    A running game goes on. No mail says any of this. Returns the number of tables that changed.
    """
    find, change = partial(_tables_after, now=now), partial(_withdraw_at, now=now)
    return in_batches(runtime.database, find, change, "table")


def _tables_after(session: Session, last: int, *, now: datetime) -> Sequence[int]:
    """The next few tables, by number, at which something ran out."""
    found = select(TableRow.id).join(SeatRow).where(_ran_out(now), TableRow.id > last).distinct()
    return session.exec(found.order_by(col(TableRow.id)).limit(TABLES_AT_ONCE)).all()


def _withdraw_at(session: Session, table_ids: Sequence[int], *, now: datetime) -> int:
    """Withdraws what nobody has answered at these tables since `_tables_after` found them. Returns how many changed."""
    lock_tables(session, table_ids)
    found = select(SeatRow, TableRow).join(TableRow).where(_ran_out(now), col(TableRow.id).in_(table_ids))
    overdue = session.exec(found.order_by(col(SeatRow.table_id), col(SeatRow.seat))).all()
    lock_players(session, [seat for seat, _ in overdue])
    for seat, table in overdue:
        if table.state is TableState.UNCONFIRMED:
            table.state = TableState.OVER
        if seat.state is SeatState.INVITED:
            guest = seat.player_id
            seat.player_id, seat.name, seat.state = None, NOBODY, SeatState.DECLINED
        else:
            guest = seat.offered_to
            clear_offer(seat)
        if guest is not None:
            session.flush()
            letters.supersede_without_seat(session, guest, table.id)
    return len({table.id for _, table in overdue})


def _ran_out(now: datetime) -> ColumnElement[bool]:
    """Selects the seats that nobody has answered for, and those at tables that their hosts have not confirmed."""
    before = now - KEPT_FOR
    is_old = and_(
        col(TableRow.created_at) < before,
        or_(col(TableRow.confirmed_at).is_(None), col(TableRow.confirmed_at) < before),
    )
    never_confirmed = col(TableRow.state) == TableState.UNCONFIRMED
    # Who has played at the table may be asked for another game for long.
    has_played = exists().where(col(GameRow.table_id) == col(SeatRow.table_id))
    is_unseen = exists().where(col(PlayerRow.id) == col(SeatRow.player_id), col(PlayerRow.seen_at).is_(None))
    is_new = or_(~has_played, is_unseen)
    guest, newcomer = col(SeatRow.player_id), col(SeatRow.offered_to)
    is_invited = and_(col(SeatRow.state) == SeatState.INVITED, is_new, ~_was_mailed(guest, before))
    has_no_answer = col(SeatRow.offer_state).is_distinct_from(OfferState.ACCEPTED)
    is_offered = and_(newcomer.is_not(None), has_no_answer, ~_was_mailed(newcomer, before))
    return and_(is_old, or_(never_confirmed, is_invited, is_offered))


def _was_mailed(player_id: SQLColumnExpression[int | None], since: datetime) -> ColumnElement[bool]:
    """Selects seats about whose table a mail to that player was, or is to be, sent after `since`."""
    return exists().where(
        col(LetterRow.player_id) == player_id,
        col(LetterRow.table_id) == col(SeatRow.table_id),
        col(LetterRow.created_at) > since,
    )
