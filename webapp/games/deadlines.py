"""When a game waits for its players no longer: it depends on the pace or their banks of time, on quiet hours, and on
who is present.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from hearts.game import Game, Stage
from hearts.seats import Seat
from webapp.games import banks
from webapp.games.clock import AFTER_QUIET_HOURS, arrival_time, at_a_good_time, deadline, deadline_at_turn, is_live
from webapp.games.due import due_of
from webapp.games.pace import bank_of, extend_deadline, is_first_question, pace_of, set_deadline, set_wake
from webapp.games.planning import awaited
from webapp.games.presence import quiet_of, was_present_recently
from webapp.games.store import Stored
from webapp.games.trick_sheet import AHEAD, was_asked_before_turn
from webapp.games.vacation import days_off_at
from webapp.models import GameState, LetterRow, LetterState, PlayerRow

A_MOMENT = timedelta(minutes=1)  # a guard has looked by then, unless no worker was free
_SENT = (LetterState.SENT, LetterState.KEPT, LetterState.NOTIFIED, LetterState.BUNDLED)


def after_turn(session: Session, before: Stored, after: Stored, now: datetime) -> list[Stored]:
    """Sets the clock after turns: a new deadline for each hand in which they led to another question, or which waits
    for a seat now because another one is over.

    Returns the hands whose question is the same and whose deadline is later, because its player has decided something
    in another hand and so has more time in their bank.
    """
    decided = banks.settle(session, before, after, now)
    waited = {hand.game.hand: hand.game for hand in before.open_hands()}
    for hand in after.open_hands():
        was = waited.get(hand.game.hand)
        if was is None or _question(hand.game) != _question(was):
            set_deadline(hand.clock, _deadline(session, hand, hand.game.to_act, now), now)
    for hand in before.open_hands():
        is_open = any(game.hand == hand.game.hand for game in after.cycle.open_hands)
        if not is_open and hand.row is not hand.clock:
            set_deadline(hand.clock, None, now)
    moved = [hand for hand in after.open_hands() if _gets_later(session, hand, decided, now)]
    set_wake(after, now)
    return moved


def for_seats(session: Session, stored: Stored, asked: Collection[Seat], now: datetime) -> None:
    """Gives the seats in `asked` a full deadline, unless the table waits for none of them; a later deadline stays."""
    banks.settle(session, stored, stored, now)
    if fresh := _deadline(session, stored, asked, now):
        extend_deadline(stored.clock, fresh, now)
    set_wake(stored, now)


def for_all(session: Session, stored: Stored, now: datetime) -> None:
    """Sets the clock after it was changed itself: all who are asked have a full deadline, or none if it is paused."""
    banks.settle(session, stored, stored, now)
    for hand in stored.open_hands():
        fresh = _deadline(session, hand, hand.game.to_act, now)
        if fresh is None:
            set_deadline(hand.clock, None, now)
        else:
            extend_deadline(hand.clock, fresh, now)
    set_wake(stored, now)


def to_come_together(stored: Stored, now: datetime) -> None:
    """Sets the clock when an evening together begins: who is asked has time to notice, and other hands stand still."""
    for clock in stored.clocks.values():
        set_deadline(clock, None, now)
    for hand in stored.open_hands():
        is_running = bool(awaited(hand)) and stored.table.paused_at is None
        set_deadline(hand.clock, now + arrival_time(pace_of(hand), is_first=False) if is_running else None, now)
    set_wake(stored, now)


def after_days_off(session: Session, stored: Stored, seat: Seat, now: datetime) -> None:
    """Moves the deadline after the days off of the player of `seat` have changed, as if they had always been so.

    Therefore no deadline gets later than the days off that a player has in all allow, however often they change them.
    One that comes closer still leaves `AFTER_QUIET_HOURS`; with banks of time, none does.
    """
    clock, pace = stored.clock, pace_of(stored)
    if clock.due_at is None or clock.asked_at is None or is_live(pace) or seat not in awaited(stored):
        return
    first = _deadline(session, stored, stored.game.to_act, clock.asked_at) or clock.due_at
    if bank_of(stored.table):  # the bank has what was late already
        clock.due_at = max(clock.due_at, first)
    else:
        player = session.get_one(PlayerRow, stored.seats[seat].player_id)
        hours = (pace, player.time_zone, quiet_of(player), days_off_at(stored.seats[seat], player))
        fresh = at_a_good_time(first + timedelta(seconds=clock.moved_by), *hours)
        clock.due_at = max(fresh, min(clock.due_at, at_a_good_time(now + AFTER_QUIET_HOURS, *hours)))
    set_wake(stored, now)


def is_stopped(stored: Stored) -> bool:
    """Whether the game waits for somebody and nothing would ever wake the service for it."""
    if stored.row.state is not GameState.PLAYING or stored.table.paused_at is not None:
        return False
    without = any(hand.clock.due_at is None and awaited(hand) for hand in stored.open_hands())
    return without or stored.row.wake_at is None


def is_late(stored: Stored, now: datetime) -> bool:
    """Whether the deadline is over."""
    return stored.clock.due_at is not None and stored.clock.due_at <= now


def _deadline(session: Session, stored: Stored, asked: Collection[Seat], now: datetime) -> datetime | None:
    """The latest of the deadlines of the seats in `asked`; None if the table waits for none of them, or is paused.

    Each player gets the pace of the table or what their bank has, clear of their quiet hours; in live play, time to
    arrive if not present. For a player who was asked before their turn, the pace has run since then; a bank has not.
    """
    if stored.table.paused_at is not None:
        return None
    waited_for = set(asked).intersection(awaited(stored))
    return max((_deadline_of_seat(session, stored, seat, now) for seat in waited_for), default=None)


def _deadline_of_seat(session: Session, stored: Stored, seat: Seat, now: datetime) -> datetime:
    row, pace = stored.seats[seat], pace_of(stored)
    if is_live(pace):
        is_first = is_first_question(stored, seat)
        return now + (pace if was_present_recently(row, now) else arrival_time(pace, is_first=is_first))
    player = session.get_one(PlayerRow, row.player_id)
    if bank := bank_of(stored.table):
        now = banks.runs_from(row, now)
        pace = max(bank.least, banks.left_at(stored.table, row, player, now))
    hours = (pace, player.time_zone, quiet_of(player), days_off_at(row, player))
    asked_at = None if bank else _asked_ahead_at(session, stored, seat)
    return deadline(now, *hours) if asked_at is None else deadline_at_turn(min(asked_at, now), now, *hours)


def _asked_ahead_at(session: Session, stored: Stored, seat: Seat) -> datetime | None:
    """When the mail went out that asked the seat's player before their turn; None if none has by now.

    None, too, if they have answered it: then they are asked once more.
    """
    due = due_of(stored.game, seat)
    if due is None or not was_asked_before_turn(stored, seat):
        return None
    asking = select(LetterRow).where(LetterRow.game_id == stored.id, LetterRow.hand == due.hand, LetterRow.seat == seat)
    asking = asking.where(LetterRow.player_id == stored.seats[seat].player_id, LetterRow.about == due.what)
    sent = session.exec(asking.where(LetterRow.reason == AHEAD, col(LetterRow.state).in_(_SENT))).all()
    carriers = [session.get_one(LetterRow, one.digest_id) if one.digest_id else one for one in sent]
    return min((at for one in carriers if (at := one.sent_at or one.notified_at)), default=None)


def _gets_later(session: Session, hand: Stored, decided: Collection[Seat], now: datetime) -> bool:
    """Moves the hand's deadline to what the seats in `decided` have in their banks, if that is later."""
    due_at, fresh = hand.clock.due_at, _deadline(session, hand, decided, now)
    if due_at is None or fresh is None or fresh <= due_at:
        return False
    hand.clock.due_at = fresh
    return True


def _question(game: Game) -> tuple[object, ...]:
    """What the deadline is for: the passing of the whole table, or the decision of one seat."""
    return (game.hand, game.stage) if game.stage is Stage.PASS else (game.hand, game.stage, game.trick, game.to_act)
