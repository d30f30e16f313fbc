"""The one writer of deadlines: it settles the clocks of a game's hands (`deadline`), and when the game is next due.

Each transaction that changes whom a game waits for, or until when, ends with `settle`.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.game import Stage
from hearts.seats import Seat
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock import deadline
from webapp.games.clock.deadline import Asked, Hand
from webapp.games.clock.hours import arrival_time
from webapp.games.clock.pace import is_first_question, is_live, pace_of
from webapp.games.clock.presence import was_present_recently
from webapp.games.clock.vacation import hours_at
from webapp.games.record.store import TableGame
from webapp.models import Clock, GameRow, GameState, PlayerRow, Why


def set_wake(stored: TableGame, now: datetime) -> None:
    """Wakes the service at once if a robot has to play now, and else at the first deadline; once it is over, never."""
    # Who claimed the game has done its part; the next worker may have it.
    row, hands = stored.row, list(stored.open_hands()) if stored.row.state is GameState.PLAYING else []
    row.claims = 0
    row.due_at = min((one.clock.due_at for one in hands if one.clock.due_at is not None), default=None)
    # Where somebody whom nobody waits for is to act, it is now: a robot, or the player of a forced card.
    wakes = [now if awaited(one) != one.game.to_act else one.clock.due_at for one in hands]
    times = [] if stored.table.rests else [at for at in wakes if at is not None]
    # A pause ends by itself, and somebody must be awake to see that.
    if stored.table.pause and stored.table.pause.until:
        times.append(stored.table.pause.until)
    times += [one.ends_at for one in stored.table.proposals or () if one.ends_at is not None]
    row.wake_at = min(times, default=None)


def extend_lease(row: GameRow, lease: timedelta, now: datetime) -> None:
    """Leases a game that is due to the worker that plays in it: no other worker claims it before the lease is over."""
    # A worker that dies loses the lease, and the game is due again.
    if row.wake_at is not None and row.wake_at <= now:
        row.wake_at, row.claims = now + lease, 1


def settle(session: Session, stored: TableGame, now: datetime, changed: int | None = None) -> list[TableGame]:
    """Sets the deadlines of all hands, and when the game next needs the service. Returns the hands that have another
    deadline than before, or another question.

    Only if the hours of the player `changed` have changed may a deadline come closer, and only for them.
    """
    before, clocks = stored.row.clocks or {}, {}
    hands = list(map(stored.at, (game.hand for game in stored.cycle.open_hands)))
    # A game that is over, or was ended, keeps no clock: nothing may wake for it.
    for hand in hands if stored.row.state is GameState.PLAYING else ():
        clocks[hand.game.hand] = deadline.settle(hand.clock, asking(session, hand, now), now, changed)
    stored.row.clocks = clocks or None
    set_wake(stored, now)
    # Mails are written for these alone; a clock that is settled again is the same.
    moved = (hand for hand in hands if hand.game.hand in clocks)
    return [one for one in moved if _told(before.get(one.game.hand)) != _told(one.clock)]


def asking(session: Session, stored: TableGame, now: datetime) -> Hand:
    """The question of the hand and whom it asks, as `deadline` has it."""
    table, game = stored.table, stored.game
    rows = {seat: stored.seats[seat] for seat in awaited(stored)}
    players = {seat: session.get_one(PlayerRow, row.player_id) for seat, row in rows.items()}
    # Of hands side by side, people at one table play one at a time; the others' clocks stand.
    is_first = next(stored.open_hands(), stored).game.hand == game.hand
    # The pass is the whole table's question, a card one seat's.
    what = (game.hand, game.stage) if game.stage is Stage.PASS else (game.hand, game.stage, game.trick, game.to_act)
    return Hand(
        str(what),
        {int(seat): Asked(player.id, _time_for(stored, seat, now)) for seat, player in players.items()},
        {player.id: hours_at(rows[seat], player) for seat, player in players.items()},
        pace_of(stored),
        stands=table.pause is not None or (table.is_together and not is_first),
        is_together=table.is_together and is_first,
    )


def keep(stored: TableGame, clock: Clock) -> None:
    """Keeps the clock of the hand, until `settle` says what follows from it."""
    stored.row.clocks = {**(stored.row.clocks or {}), stored.game.hand: clock}


def granted(stored: TableGame, seat: Seat, at: datetime, time: timedelta, why: Why) -> Clock:
    """The clock of the hand with `time` from `at` on for the present player of the seat."""
    player_id = stored.seats[seat].player_id
    assert player_id is not None
    return deadline.give(stored.clock, int(seat), player_id, at, time, why)


def forget(stored: TableGame) -> None:
    """Gives all players who are asked now a full time to answer: nobody could while the service was down."""
    stored.row.clocks = None


def is_stopped(stored: TableGame) -> bool:
    """Whether the game waits for somebody and nothing would ever wake the service for it."""
    # A pause ends by its own time, or by the host: nobody is forgotten.
    if stored.row.state is not GameState.PLAYING or stored.table.pause is not None:
        return False
    without = any(hand.clock.due_at is None and awaited(hand) for hand in stored.open_hands())
    return without or stored.row.wake_at is None


def is_late(stored: TableGame, now: datetime) -> bool:
    """Whether the deadline is over."""
    return stored.clock.due_at is not None and stored.clock.due_at <= now


def _told(clock: Clock | None) -> tuple[object, ...]:
    return (clock.question, clock.due_at) if clock else ()


def _time_for(stored: TableGame, seat: Seat, now: datetime) -> timedelta:
    """The time that a question asked now gives the player of the seat: at a live pace, time to arrive if they are not
    present, or to notice that the game goes on live.
    """
    pace = pace_of(stored)
    if not is_live(pace):
        return pace
    # Everybody is there, but not with this question in front of them yet.
    goes_live = not any(one.is_together for one in (stored.row.clocks or {}).values())
    if stored.table.is_together and goes_live:
        return arrival_time(pace, is_first=False)
    if was_present_recently(stored.seats[seat], now):
        return pace
    return arrival_time(pace, is_first=is_first_question(stored, seat))
