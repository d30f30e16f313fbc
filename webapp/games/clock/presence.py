"""Presence: who has a game open, who reads it, when a player was last active, and when a mail may disturb them.

A page that is open and visible makes its player present: a live table needs no more. A reader has also done something
within minutes: mail waits for nobody else. Only a touch, a key or the like on such a page, a POST and a reply count as
the player's own activity: their mail program may have opened a link.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlmodel import Session, col, func, select

from hearts.seats import Seat
from hearts.turns import Deal
from webapp.games.asked.visit import last_choice
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.hours import Quiet, quiet_until
from webapp.games.clock.pace import plays_live
from webapp.games.record import store
from webapp.games.record.seats import mark_back
from webapp.games.record.store import BY_PLAYER, TableGame
from webapp.models import LetterKind, LetterRow, PlayerRow, SeatRow, TableRow, TableState, TurnRow, TurnSource

READING_FOR = timedelta(minutes=3)  # after the player's last activity, who reads the page that is open
PRESENT_FOR = timedelta(seconds=40)  # after a heartbeat of their page; every second heartbeat may be lost
HEARTBEAT_INTERVAL = timedelta(seconds=10)  # heartbeats that come sooner after the last are not written
NO_TIME = timedelta()
LEAVE_GRACE = timedelta(seconds=5)  # a player who has left may be back within this time: one page replaces the other
# In a row; after that the table no longer waits for the player. A slow deadline costs the others a day.
MAX_MISSED_DEADLINES = 2
MAX_MISSED_LIVE = 3
AWAKE_FOR = timedelta(minutes=30)  # after the player's last activity, quiet hours do not hold mails back


def quiet_of(player: PlayerRow) -> Quiet | None:
    """The player's quiet hours; None if they have none."""
    if player.quiet_from is None or player.quiet_to is None or player.quiet_from == player.quiet_to:
        return None
    return Quiet(player.quiet_from, player.quiet_to)


def may_disturb_at(player: PlayerRow, now: datetime) -> datetime:
    """The earliest time for a mail about a game: after the player's quiet hours, unless they were active recently."""
    # Who plays at night is awake, whatever their settings say.
    if player.seen_at is not None and now - player.seen_at <= AWAKE_FOR:
        return now
    return quiet_until(now, player.time_zone, quiet_of(player)) or now


def is_present(row: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat has the game open in a visible page, with or without anybody in front of it."""
    return row.here_at is not None and now - row.here_at < PRESENT_FOR


def absent_from(row: SeatRow) -> datetime | None:
    """When the seat's player counts as absent unless another heartbeat comes; None if they were never present."""
    return row.here_at and row.here_at + PRESENT_FOR + LEAVE_GRACE


def plays_themselves(seat: SeatRow) -> bool:
    """Whether the seat has a player who is not away."""
    return seat.player_id is not None and not seat.away


def was_present_recently(row: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat has the game open in a visible page, or had a moment ago."""
    leaves_at = absent_from(row)
    return leaves_at is not None and now < leaves_at


def is_reading(row: SeatRow, player: PlayerRow | None, now: datetime) -> bool:
    """Whether the player of the seat is looking at the game, and has done something within `READING_FOR`."""
    return player is not None and is_present(row, now) and read_until(row, player, now) is not None


def read_until(row: SeatRow, player: PlayerRow, now: datetime) -> datetime | None:
    """Until when the player of the seat counts as reading the game unless we hear from them; None if they do not."""
    leaves_at = absent_from(row)
    if leaves_at is None or player.seen_at is None:
        return None
    # A page that was left open, with nobody in front of it, must not hold mail back.
    until = min(leaves_at, player.seen_at + READING_FOR)
    return until if now < until else None


def note_seen(session: Session, player_id: int, now: datetime) -> PlayerRow:
    """Notes that the player has just done something themselves. Raises NoResultFound if there is no such player."""
    player = session.get_one(PlayerRow, player_id)
    note_act(player, now)
    return player


def note_act(player: PlayerRow, now: datetime) -> None:
    """Notes the same of a loaded player. They have read their mail by that: once they leave, the next may go."""
    # Of two requests, the one that began first may be the last to get the lock.
    player.seen_at = max(player.seen_at or now, now)
    player.look_by(now + READING_FOR)


class LastHere(NamedTuple):
    """When a player was last at a table, if ever, and how many records the running game had by then."""

    turns: int
    at: datetime | None


def last_here(session: Session, stored: store.TableGame, seat: Seat) -> LastHere:
    """When the player of the seat last chose a turn of the game, or did something on a page of its table.

    Who replies to a mail has seen what it showed when it went, and no more.
    """
    row, turns = stored.seats[seat], stored.turns_before(seat)
    player = session.get(PlayerRow, row.player_id) if row.player_id is not None else None
    chosen = last_choice(stored.records, stored, seat)
    chosen_at = session.get_one(TurnRow, (stored.id, chosen.number)).at if chosen else None
    mailed_at = None
    # They read it when it came, not when they answered: what happened since is news to them.
    if chosen and chosen_at and chosen.source is TurnSource.REPLY:
        to_player = LetterRow.player_id == row.player_id, LetterRow.kind == LetterKind.TURNS
        mailed = select(func.max(LetterRow.sent_at)).where(*to_player, col(LetterRow.sent_at) < chosen_at)
        mailed_at = session.exec(mailed).one()
    page_at = min(row.here_at, player.seen_at) if player and player.seen_at and row.here_at else None
    if read_at := max((at for at in (page_at, mailed_at) if at), default=None):
        # Others play while somebody looks: the page has shown what was recorded by then.
        until = select(func.max(TurnRow.number)).where(TurnRow.game_id == stored.id, TurnRow.at <= read_at)
        turns = max(turns, session.exec(until).one() or 0)
    if chosen is None or mailed_at:
        return LastHere(turns, read_at)
    return LastHere(max(turns, chosen.number), max(at for at in (read_at, chosen_at) if at))


def note_turn(
    session: Session,
    stored: store.TableGame,
    seat: Seat,
    source: TurnSource,
    now: datetime,
    *,
    was_live: bool,
    is_missed_again: bool = False,
) -> None:
    """Marks a player who plays as back and seen; marks one who has missed too many deadlines in a row as away.

    Deadlines that they miss at one time, of several hands, count once: `is_missed_again` is any but the first. In live
    play, one missed deadline is too many for a player who was not present recently.
    """
    row = stored.seats[seat]
    if source in BY_PLAYER:
        # Any sign of life ends an absence: nobody has to say that they are back.
        mark_back(row)
        if row.player_id is not None:
            note_seen(session, row.player_id, now)
    elif source is TurnSource.TIMEOUT:
        # Hands side by side run out at one time; a night's sleep is one absence.
        row.missed += not is_missed_again
        # If nobody else waits, there is no hurry; otherwise robots would finish the game before the player is back.
        others_wait = len(stored.played_by_robot | {seat}) < len(stored.seats)
        has_left = was_live and not was_present_recently(row, now)  # while the others sit at the table and wait
        most = MAX_MISSED_LIVE if was_live else MAX_MISSED_DEADLINES
        row.away = row.away or (others_wait and (has_left or row.missed >= most))


def missed_since(session: Session, stored: store.TableGame, seat: Seat) -> bool:
    """Whether the player of the seat has missed another deadline since the hand's present question was asked."""
    asked_at = stored.clock.asked_at
    # One hand at a time has one question: missing it ends it.
    if stored.row.at_once == 1 or asked_at is None:
        return False
    missed = select(col(TurnRow.turn)).where(TurnRow.game_id == stored.id)
    found = session.exec(missed.where(TurnRow.at > asked_at, TurnRow.source == TurnSource.TIMEOUT))
    return any(not isinstance(turn, Deal) and turn.seat == seat for turn in found)


# Says who must be there for a slow game to be played live, who wants that, and when it ends.
# While all who play themselves have a slow game open, its pages ask whether to play on live. Once all have said so, the
# table has a live pace (`card_table.live_seconds`) until one of them has left. `play.course` sets the clocks.
# Needed are the players who are neither away nor robots. For the others a robot plays, as at any live table.

LIVE_PACE = timedelta(seconds=60)  # for a card, where players go on live
FEWEST = 2  # players; one alone waits for nobody


def may_go_live(table: TableRow, seats: Sequence[SeatRow], now: datetime) -> bool:
    """Whether the players of a slow game are asked if they go on live: all who are needed have it open."""
    is_slow = table.state is TableState.PLAYING and table.pause is None and not plays_live(table)
    needed = list(filter(plays_themselves, seats))
    return is_slow and len(needed) >= FEWEST and all(was_present_recently(seat, now) for seat in needed)


def waits_for(seats: Iterable[SeatRow]) -> list[Seat]:
    """The needed players who have not said that they go on live."""
    return [Seat(seat.seat) for seat in seats if plays_themselves(seat) and not seat.wants_live]


def is_deserted(stored: TableGame, now: datetime) -> bool:
    """Whether a robot would have to play for somebody who is not there, at this deadline of a game that went live.

    That ends the live pace instead. A player who has let two deadlines pass in a row counts as not there.
    """
    due_at = stored.clock.due_at
    if not stored.table.is_together or due_at is None or due_at > now:
        return False
    # Not who was slow once: a live table forgives a telephone call.
    late = [stored.seats[seat] for seat in awaited(stored)]
    return any(seat.missed or not was_present_recently(seat, now) for seat in late)
