"""A player comes to a page of their game, or leaves it: what that changes of its clock."""

from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock import clocks
from webapp.games.clock.pace import is_asked_live, pace_of
from webapp.games.clock.presence import (
    HEARTBEAT_INTERVAL,
    NO_TIME,
    PRESENT_FOR,
    READING_FOR,
    absent_from,
    is_present,
    was_present_recently,
)
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_seat
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, SeatRow, Why


def note_presence(
    runtime: Runtime,
    table_id: int,
    seat: int,
    player_id: int,
    now: datetime,
    *,
    here: bool = True,
    idle: timedelta | None = NO_TIME,
    visits: int = 0,
) -> None:
    """Notes that the seat's player has the game open or, without `here`, has just left it.

    They last did something on its page `idle` ago. None: an older page does not say, and tells nothing of them. A
    player who arrives while they are asked in live play gets the table's pace from now on; no deadline moves closer. If
    they had left, nobody wants to go on live any more before they say so again.
    `visits` is the counter in their link. Writes nothing that changes nothing. Raises SeatLost if somebody else has the
    seat, LinkExpired if its player has revoked the link.
    """
    link = PlayLink(table_id, seat, player_id, visits)
    with runtime.database.reading() as session:
        row = _own_seat(session, link)
    was_here = is_present(row, now)
    is_heartbeat_due = row.here_at is None or now - row.here_at >= HEARTBEAT_INTERVAL
    # A page tells us every few seconds: nearly always there is nothing to write, so nothing is locked.
    if was_here == here and not (here and is_heartbeat_due):
        return
    with runtime.database.writing() as session:  # nothing to ring for
        # Games are locked before players, everywhere; only an arrival needs the game.
        game = Transaction(session, runtime, now).running(table_id) if here and not was_here else None
        player = session.get_one(PlayerRow, player_id, with_for_update={"key_share": True})
        # Read again, under the lock: the seat may have gone to somebody else meanwhile.
        row = _own_seat(session, link)
        if not here:
            # Not None: who was there a moment ago may be back, as when one page replaces another.
            row.here_at = now - PRESENT_FOR
            return
        if game is not None:
            _give_time(session, game.stored, Seat(seat), now)
            # They agreed to play on live while this player was away, who would be rushed.
            for one in game.seats if not was_present_recently(row, now) else ():
                one.wants_live = False
        row.here_at = now
        if idle is not None:
            # Two devices may tell in any order, and only the newest act counts.
            player.seen_at = max(player.seen_at or now - idle, now - idle)
            if idle < READING_FOR:
                # Mail waits until they have gone, so the postman looks then.
                player.look_by(player.seen_at + READING_FOR)


def _own_seat(session: Session, link: PlayLink) -> SeatRow:
    return check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))


def _give_time(session: Session, stored: TableGame, seat: Seat, now: datetime) -> None:
    """Gives a player who arrives at a live table its full pace, if they were absent for longer than that.

    Otherwise somebody could make the others wait for ever by leaving and coming back. A player who was absent when they
    were asked got at least twice the pace, so one who was absent for no longer than the pace still has it left.
    """
    leaves_at, pace = absent_from(stored.seats[seat]), pace_of(stored)
    was_gone_long = leaves_at is None or now - leaves_at > pace
    if stored.clock.due_at is not None and seat in awaited(stored) and is_asked_live(stored) and was_gone_long:
        clocks.keep(stored, clocks.granted(stored, seat, now, pace, Why.ARRIVED))
        clocks.settle(session, stored, now)
