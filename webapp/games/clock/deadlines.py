"""When a game waits for its players no longer: it depends on the pace, on quiet hours, and on who is present."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.game import Game, Stage
from hearts.seats import Seat
from webapp.games.asked import first_asked
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.hours import (
    AFTER_QUIET_HOURS,
    after_stop,
    arrival_time,
    at_a_good_time,
    deadline,
    fair_time,
)
from webapp.games.clock.pace import extend_deadline, is_first_question, pace_of, set_deadline, set_wake
from webapp.games.clock.presence import quiet_of, was_present_recently
from webapp.games.clock.vacation import days_off_at
from webapp.games.record.live import is_live
from webapp.games.record.store import TableGame
from webapp.models import GameState, PlayerRow


def after_turn(session: Session, before: TableGame, after: TableGame, now: datetime) -> None:
    """Sets the clock after turns: a new deadline for each hand in which they led to another question, or which waits
    for a seat now because another one is over.
    """
    waited = {hand.game.hand: hand.game for hand in before.open_hands()}
    for hand in after.open_hands():
        was = waited.get(hand.game.hand)
        if was is None or _question(hand.game) != _question(was):
            hand.clock.first_asked = None
            set_deadline(hand.clock, _deadline(session, hand, hand.game.to_act, now), now)
    for hand in before.open_hands():
        is_open = any(game.hand == hand.game.hand for game in after.cycle.open_hands)
        if not is_open and hand.row is not hand.clock:
            set_deadline(hand.clock, None, now)
    set_wake(after, now)


def for_seats(session: Session, stored: TableGame, asked: Collection[Seat], now: datetime) -> None:
    """Gives the seats in `asked` their deadlines, unless the table waits for none of them; a later deadline stays."""
    if fresh := _deadline(session, stored, asked, now):
        extend_deadline(stored.clock, fresh, now)
    set_wake(stored, now)


def for_all(session: Session, stored: TableGame, now: datetime) -> None:
    """Sets the clock after it was changed itself: all who are asked have a deadline, or none if it is paused."""
    for hand in stored.open_hands():
        if stored.table.pause is not None:
            first_asked.stop(hand.clock, now)
            set_deadline(hand.clock, None, now)
            continue
        if stop := first_asked.resume(hand.clock, now):
            _restore(session, hand, stop, now)
        if fresh := _deadline(session, hand, hand.game.to_act, now):
            extend_deadline(hand.clock, fresh, now)
        else:
            set_deadline(hand.clock, None, now)
    set_wake(stored, now)


def _restore(session: Session, stored: TableGame, stop: first_asked.Stop, now: datetime) -> None:
    """Leaves the hand what was left of its time when that was stopped. In live play of a slow game that stays stopped,
    whatever else has been.
    """
    clock = stored.clock
    due_at = stop.due_at and _after_stop(session, stored, stop.since, stop.due_at, now)
    clock.due_at, clock.asked_at, clock.moved_by = due_at, now, stop.moved_by
    if stored.table.is_together:
        first_asked.stop(clock, now)
        set_deadline(clock, None, now)


def _after_stop(
    session: Session, stored: TableGame, since: datetime, due_at: datetime, now: datetime
) -> datetime | None:
    """The latest deadline of those who are asked whose time stood still since then; None if nobody is asked."""
    rows = [stored.seats[seat] for seat in awaited(stored)]
    asked = [(row, session.get_one(PlayerRow, row.player_id)) for row in rows]
    hours = [(one.time_zone, quiet_of(one), days_off_at(row, one)) for row, one in asked]
    return max((after_stop(due_at, (since, now), pace_of(stored), *one) for one in hours), default=None)


def to_come_together(stored: TableGame, now: datetime) -> None:
    """Sets the clock when players go on live: who is asked has time to notice, and other hands stand still."""
    first_asked.stop(stored.row, now)
    for clock in stored.clocks.values():
        first_asked.stop(clock, now)
        set_deadline(clock, None, now)
    for hand in stored.open_hands():
        is_running = bool(awaited(hand)) and stored.table.pause is None
        set_deadline(hand.clock, now + arrival_time(pace_of(hand), is_first=False) if is_running else None, now)
    set_wake(stored, now)


def after_days_off(session: Session, stored: TableGame, seat: Seat, now: datetime) -> None:
    """Moves the deadline after the days off of the player of `seat` have changed, as if they had always been so.

    Therefore no deadline gets later than the days off that a player has in all allow, however often they change them.
    One that comes closer still leaves `AFTER_QUIET_HOURS`; who is asked beside that player keeps what they were told.
    """
    clock, pace = stored.clock, pace_of(stored)
    asked = awaited(stored)
    if clock.due_at is None or clock.asked_at is None or is_live(pace) or seat not in asked:
        return
    first = _deadline(session, stored, stored.game.to_act, clock.asked_at) or clock.due_at
    late = timedelta(seconds=clock.moved_by)
    player = session.get_one(PlayerRow, stored.seats[seat].player_id)
    hours = (pace, player.time_zone, quiet_of(player), days_off_at(stored.seats[seat], player))
    soonest = at_a_good_time(now + AFTER_QUIET_HOURS, *hours) if len(asked) == 1 else clock.due_at
    clock.due_at = max(at_a_good_time(first + late, *hours), min(clock.due_at, soonest))
    set_wake(stored, now)


def is_stopped(stored: TableGame) -> bool:
    """Whether the game waits for somebody and nothing would ever wake the service for it."""
    if stored.row.state is not GameState.PLAYING or stored.table.pause is not None:
        return False
    without = any(hand.clock.due_at is None and awaited(hand) for hand in stored.open_hands())
    return without or stored.row.wake_at is None


def is_late(stored: TableGame, now: datetime) -> bool:
    """Whether the deadline is over."""
    return stored.clock.due_at is not None and stored.clock.due_at <= now


def _deadline(session: Session, stored: TableGame, asked: Collection[Seat], now: datetime) -> datetime | None:
    """The latest of the deadlines of the seats in `asked`; None if the table waits for none of them, or is paused.

    Each player gets the pace of the table, clear of their quiet hours, since they were first
    asked; in live play, time to arrive if not present. After a pause they have a fair time, too.
    """
    if stored.table.pause is not None:
        return None
    waited_for = set(asked).intersection(awaited(stored))
    return max((_of_seat(session, stored, seat, now) for seat in waited_for), default=None)


def _of_seat(session: Session, stored: TableGame, seat: Seat, now: datetime) -> datetime:
    row, pace = stored.seats[seat], pace_of(stored)
    asked_at, resumed_at = first_asked.since(stored, seat, now), first_asked.resumed_at(stored)
    if is_live(pace):
        time = pace if was_present_recently(row, now) else arrival_time(pace, is_first=is_first_question(stored, seat))
        return max(asked_at, resumed_at or asked_at) + time
    player = session.get_one(PlayerRow, row.player_id)
    hours = (player.time_zone, quiet_of(player), days_off_at(row, player))
    due_at = deadline(asked_at, pace, *hours)
    return max(due_at, deadline(resumed_at, fair_time(pace), *hours)) if resumed_at else due_at


def _question(game: Game) -> tuple[object, ...]:
    """Returns a key for what the deadline is about: the whole table's pass, or one seat's decision."""
    return (game.hand, game.stage) if game.stage is Stage.PASS else (game.hand, game.stage, game.trick, game.to_act)
