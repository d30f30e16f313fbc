"""Who is about: who looks at a game now, when a player was last seen to do something, and when a mail may disturb her.

Only what she did herself counts, by a POST or an answer; that a link was opened may have been her mail program.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.tokens import PlayLink
from webapp.games import store
from webapp.games.clock import Quiet, quiet_until
from webapp.games.links import check_seat
from webapp.games.pace import give_until, is_asked_live, pace_of, set_wake
from webapp.models import GameRow, GameState, PlayerRow, SeatRow

HERE_FOR = timedelta(seconds=40)  # as long after a beat of her page she counts as here: one beat in two may be lost
BEAT_EVERY = timedelta(seconds=10)  # beats that follow closer than this are not written
LEAVES_FOR = timedelta(seconds=5)  # so soon after she has left she may be back: one page gives way to the next
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


def is_present(row: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat is looking at the game."""
    return row.here_at is not None and now - row.here_at < HERE_FOR


def absent_from(row: SeatRow) -> datetime | None:
    """Until when the player of the seat is about, unless she is heard of again; None where she never was there."""
    return row.here_at and row.here_at + HERE_FOR + LEAVES_FOR


def was_present_recently(row: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat is looking at the game, or was a moment ago."""
    leaves_at = absent_from(row)
    return leaves_at is not None and now < leaves_at


def note_presence(
    runtime: Runtime, table_id: int, seat: int, player_id: int, now: datetime, *, here: bool = True, visits: int = 0
) -> None:
    """The player of the seat is looking at the game; or (not `here`) has just left it. `visits` is their link's number.

    Whoever comes while she is asked in live play has the table's pace from then on; no deadline comes earlier. What
    changes nothing is not written. Raises SeatLost where the seat is somebody else's, LinkExpired: it was ended.
    """
    link = PlayLink(table_id, seat, player_id, visits)
    with runtime.database.reading() as session:
        row = _own_seat(session, link)
    was_here = is_present(row, now)
    if was_here == here and not (here and _is_worth_writing(row, now)):
        return
    with runtime.database.writing() as session:
        stored = _running_game(session, table_id) if here and not was_here else None
        player = session.get_one(PlayerRow, player_id, with_for_update={"key_share": True})
        row = _own_seat(session, link)
        if not here:
            row.here_at = now - HERE_FOR
            return
        if stored is not None:
            _give_time(stored, Seat(seat), now)
        row.here_at = player.seen_at = now


def _own_seat(session: Session, link: PlayLink) -> SeatRow:
    return check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))


def _is_worth_writing(row: SeatRow, now: datetime) -> bool:
    return row.here_at is None or now - row.here_at >= BEAT_EVERY


def _running_game(session: Session, table_id: int) -> store.Stored | None:
    """The game that the table plays, locked as whoever changes its clock does."""
    running = select(GameRow.id).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    game_id = session.exec(running).first()
    return None if game_id is None else store.load(session, game_id, lock=True)


def _give_time(stored: store.Stored, seat: Seat, now: datetime) -> None:
    """Whoever comes has the pace of a live table at least; but nobody who goes and comes has the others wait for ever.

    So she must have been gone for longer than that. Whoever was gone when she was asked has twice the pace, and so has
    once the pace left where she was not.
    """
    row, pace = stored.row, pace_of(stored)
    leaves_at = absent_from(stored.seats[seat])
    was_gone_long = leaves_at is None or now - leaves_at > pace
    is_awaited = seat in stored.game.to_act and seat not in stored.not_waited_for
    if row.due_at is not None and is_awaited and is_asked_live(stored) and was_gone_long:
        give_until(row, now + pace, now)
        set_wake(stored, now)


def note_seen(session: Session, player_id: int, now: datetime) -> PlayerRow:
    """Notes that the player has just done something herself. Raises NoResultFound where there is no such player."""
    player = session.get_one(PlayerRow, player_id)
    player.seen_at = now
    return player


def lock_players(session: Session, seats: Sequence[SeatRow], others: Collection[int] = ()) -> None:
    """Locks the players of the seats, always in one order, so that nobody else owes them mails at the same moment.

    `others` are players who are about to get a seat; so are those to whom a seat is offered.

    Whoever changes a game locks that first; whoever changes a player locks nothing else before her.
    """
    theirs = {player_id for seat in seats for player_id in (seat.player_id, seat.offered_to)} - {None}
    ids = [*others, *theirs]
    players = select(PlayerRow).where(col(PlayerRow.id).in_(ids)).order_by(col(PlayerRow.id))
    # Without the key, so that rows which only name a player need not wait.
    locked = session.exec(players.with_for_update(key_share=True).execution_options(populate_existing=True)).all()
    session.info["players"] = locked  # a session forgets a row that nobody holds, and would ask for it again and again
