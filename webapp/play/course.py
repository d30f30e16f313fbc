"""Changes whom a game waits for, and until when, without a turn: pauses, rests, a new pace or plan, evenings."""

from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games import banks, deadlines, evening, first_asked, rest, store, trick_sheet
from webapp.games.pace import set_wake
from webapp.games.planning import (
    awaited,
)
from webapp.games.presence import plays_themselves
from webapp.games.rows import lock_players
from webapp.games.store import Stored
from webapp.models import EveningRow, EveningState, GameRow
from webapp.outbox import about_tables, questions, superseding
from webapp.outbox.about_tables import OfferOver
from webapp.play.advancing import advance, end_game, remind_anew


def preferences_changed(
    session: Session, runtime: Runtime, game: GameRow, seat: Seat, *, was_away: bool, now: datetime
) -> None:
    """Updates a running game after the player of `seat` went away, came back, or changed preferences.

    If it is their turn, a player who is back, or has just got the seat, gets their deadline and a turn mail. The caller
    has locked the game and changed the seat; it must commit and then call `ring`.
    """
    session.flush()
    stored = store.load(session, game.id, lock=True)
    lock_players(session, stored.seats)
    if was_away and plays_themselves(stored.seats[seat]):
        set_going(session, runtime, stored, now)
    for hand in stored.open_hands():
        if was_away:
            trick_sheet.forget(hand, seat)
        asked = [seat] if seat in awaited(hand) else []
        deadlines.for_seats(session, hand, asked if was_away else [], now)
        if asked:
            questions.queue_question(session, runtime, hand, hand.seats[seat], now)


def plan_changed(
    session: Session, runtime: Runtime, game: GameRow, seat: Seat, *, robot_hand: int | None, now: datetime
) -> None:
    """Updates a running game after the player of `seat` has changed their plan, and plays what it plays at once.

    `robot_hand` is the hand that a robot played for them until now: if that is the present one, they get a full
    deadline. The caller has locked the game and changed the seat; it must commit and then call `ring`.
    """
    session.flush()
    stored = store.load(session, game.id, lock=True)
    lock_players(session, stored.seats)
    for hand in stored.open_hands():
        hand.clock.guard_asked = 0
        trick_sheet.forget(hand, seat)
    for hand in advance(session, runtime, stored, stored, now).open_hands():
        if seat not in awaited(hand):
            continue
        was_robots = robot_hand is not None and hand.row.are_together(robot_hand, hand.game.hand)
        deadlines.for_seats(session, hand, [seat] if was_robots or hand.clock.due_at is None else [], now)
        questions.queue_question(session, runtime, hand, hand.seats[seat], now)


def clock_changed(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Updates a running game after its pace was changed, or its clock paused or resumed.

    The players whose turn it is get the deadline that follows from it, or keep the old one if that is later; nobody is
    asked twice for the same decision. The caller has locked the game and its players; it must commit and then call
    `ring`.
    """
    deadlines.for_all(session, stored, now)
    for hand in stored.open_hands():
        remind_anew(session, runtime, hand, now)


def set_paused(
    session: Session,
    runtime: Runtime,
    stored: Stored,
    *,
    paused: bool,
    now: datetime,
    ends_at: datetime | None = None,
) -> None:
    """Stops the clock, until `ends_at` if that is given, or (not `paused`) starts it again; nobody asks for a change.

    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    for seat in stored.seats:
        seat.wants_pause = False
    if paused == (stored.table.paused_at is not None):
        return
    if stored.table.resting_at is not None:
        set_going(session, runtime, stored, now)
        return
    stored.table.paused_at, stored.table.pause_ends_at = (now, ends_at) if paused else (None, None)
    clock_changed(session, runtime, stored, now)


def put_to_rest(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Puts a game to rest that nobody plays: its clock stands still, no robot plays, and each player gets one mail.

    Anybody at the table can set it going; else it is closed after `rest.LASTS`. The caller has locked the game and its
    players; it must commit and then call `ring`.
    """
    set_paused(session, runtime, stored, paused=True, now=now, ends_at=now + rest.LASTS)
    stored.table.resting_at = now
    set_wake(stored, now)
    questions.supersede_waiting(session, stored)
    for seat in stored.seats:
        about_tables.queue_resting(session, runtime, seat, stored.row.number, now)


def set_going(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Sets a game going that rests: everybody whose turn it is has a full time to answer, and is asked by mail again,
    also for what had a short wait.

    Does nothing to any other game. The caller has locked the game and its players; it must commit and then call `ring`.
    """
    if stored.table.resting_at is None:
        return
    stored.table.resting_at = stored.table.paused_at = stored.table.pause_ends_at = None
    rest.forget(stored)
    first_asked.forget(stored)
    for hand in stored.open_hands():
        hand.clock.short_wait = None
    clock_changed(session, runtime, stored, now)
    for hand in stored.open_hands():
        for seat in awaited(hand):
            questions.requeue_question(session, runtime, hand, hand.seats[seat], now)


def close(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Closes a game that has rested for long: it consists of its finished hands, and each player gets their sheet.

    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    superseding.supersede_for_ended_game(session, stored.id)
    end_game(session, runtime, stored, OfferOver.ENDED, now)
    for seat in stored.seats:
        if seat.player_id is not None:
            about_tables.queue_ended(session, runtime, seat, stored.row.number, now, reason=about_tables.RESTED)


def go_on(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Sets a game going that stands still: plays what needs no decision, and asks those for whom it then waits.

    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    clock_changed(session, runtime, advance(session, runtime, stored, stored, now), now)


def come_together(session: Session, stored: Stored, row: EveningRow, now: datetime) -> None:
    """Gives a running game the live pace of an evening together, for which all needed players are there.

    Questions that wait in the outbox are not sent: their readers see the game. Each of them plays themselves from now
    on, also where a robot was to play the hand for them. The caller has locked the game and its players; it must commit
    and then call `ring`.
    """
    questions.supersede_waiting(session, stored)
    banks.stand_still(session, stored, now)
    evening.set_state(stored.table, row, EveningState.LIVE, now + evening.LOOK_EVERY, now)
    for seat in filter(plays_themselves, stored.seats):
        seat.missed, seat.robot_hand = 0, None
    deadlines.to_come_together(stored, now)


def part(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Ends the table's evening together, if it is live: the running game has its own pace again, and plans play again.

    Everybody whose turn it is has the time that was left, and is asked by mail; what they missed that evening does not
    count.
    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    if not stored.table.is_together:
        return
    stored.table.live_seconds = None
    if row := evening.running(session, stored.table.id):
        evening.set_state(stored.table, row, EveningState.OVER, None, now)
    for seat in filter(plays_themselves, stored.seats):
        seat.missed = 0
    go_on(session, runtime, stored, now)


def days_off_changed(session: Session, runtime: Runtime, stored: Stored, seat: Seat, now: datetime) -> None:
    """Updates a running game after the days off of the player of `seat` have changed: its deadline and reminders.

    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    for hand in stored.open_hands():
        due_at = hand.clock.due_at
        deadlines.after_days_off(session, hand, seat, now)
        if hand.clock.due_at != due_at:
            remind_anew(session, runtime, hand, now)
