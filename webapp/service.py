"""The one path of a turn, whether a player, a robot or an expired deadline plays it.

It loads the game, asks `hearts` whether the turn is legal, appends the record and those that need no decision, queues
the mails, commits, and wakes a worker. What changes what a running game waits for is here, too.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from sqlmodel import Session, select

from hearts.game import Game, Stage
from hearts.plans import Planned
from hearts.seats import Seat
from webapp import seat_transfer
from webapp.core.log import note
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkExpired
from webapp.games import banks, deadlines, evening, first_asked, rest, short_wait, store, trick_sheet
from webapp.games.clock import is_live
from webapp.games.due import Decision, Due, answer_to, due_of
from webapp.games.forced import deal_record
from webapp.games.pace import extend_lease, is_asked_live, set_wake
from webapp.games.planning import (
    Pending,
    ShortWait,
    awaited,
    keep_ahead,
    pending,
    short_wait_of,
    unasked_records,
)
from webapp.games.presence import BY_PLAYER, missed_since, note_turn, plays_themselves
from webapp.games.records import Record
from webapp.games.rows import lock_players
from webapp.games.store import Stored
from webapp.models import (
    EveningRow,
    EveningState,
    GameRow,
    GameState,
    Grounds,
    KeptAhead,
    PlayerRow,
    TableRow,
    TableState,
    TurnSource,
)
from webapp.outbox import about_tables, evenings, questions, superseding
from webapp.outbox.about_tables import OfferOver, SeatGiven

# A robot chose these for a seat for which it plays now. Of a plan, the other cards have a guard's consent.
BY_ROBOT: Final = (TurnSource.ORDER, TurnSource.ROBOT, TurnSource.PLAN)


@dataclass
class TurnOver(Exception):
    """The seat is not, or no longer, asked for this. `answer` is what it played when it was; None if it never was."""

    answer: Record | None


def start_game(session: Session, runtime: Runtime, table: TableRow, now: datetime) -> GameRow:
    """Starts the table's next game and deals it. The caller must commit and then call `ring`."""
    earlier = session.exec(select(GameRow).where(GameRow.table_id == table.id)).all()
    at_once = 1 if is_live(table.play_time) or is_live(table.pass_time) else table.at_once
    row = GameRow(table_id=table.id, number=len(earlier) + 1, state=GameState.PLAYING, at_once=at_once, started_at=now)
    session.add(row)
    session.flush()
    stored = store.load(session, row.id)
    lock_players(session, stored.seats)
    for seat in stored.seats:
        seat.vacation = seat.bank = None
        if seat.plan is None and seat.player_id is not None:
            seat.plan = session.get_one(PlayerRow, seat.player_id).plan
    advance(session, runtime, stored, stored, now)
    return row


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn that answers `due`, why the service plays it, and the robot's reasons."""

    due: Due
    turn: Decision
    source: TurnSource
    choice: Grounds | None = None
    seen: Game | None = None
    """The hand for which the service chose a card; None if nothing that others do meanwhile matters."""
    planned: Pending | None = None
    """The card of a plan to which its guard has agreed; None if a robot plays, or a player."""
    short_wait: ShortWait | None = None
    """The short wait after which it is played; None if there was none."""


class Left(NamedTuple):
    """A card that a plan leaves to its player, in the hand that its guard has `seen`: the guard did not agree to it,
    or did (`agreed`), and the player has a short wait.
    """

    seen: Game
    planned: Pending
    agreed: Planned | None = None


def take_turn(
    runtime: Runtime,
    game_id: int,
    due: Due,
    turn: Decision,
    source: TurnSource,
    now: datetime,
    choice: Grounds | None = None,
    player_id: int | None = None,
    links: int | None = None,
    ahead: KeptAhead | None = None,
) -> Stored:
    """Plays `turn`, which answers `due`, and returns the game after it and the records that then need no decision.

    `choice` is a robot's reasons. If a player plays, `player_id` is theirs, `links` the number in their link, and
    `ahead` an answer ahead to keep, for the lead that they have chosen with the card.

    Raises TurnOver if the seat is not asked for `due` (somebody was faster), IllegalTurn if the rules refuse the turn,
    LookupError if there is no such game or the player no longer has the seat, and LinkExpired if the player has ended
    the link. Nothing has changed then.
    """
    seat, answer = turn.seat, Answer(due, turn, source, choice)
    with runtime.database.writing() as session:
        before = store.load(session, game_id, hand=due.hand, lock=True)
        if player_id is not None and before.seats[seat].player_id != player_id:
            raise LookupError(f"seat {seat} of game {game_id} is somebody else's")
        if links is not None and before.seats[seat].links != links:
            raise LinkExpired
        lock_players(session, before.seats)
        _check_due(before, answer, now)
        set_going(session, runtime, before, now)
        if ahead is not None:
            keep_ahead(before, seat, ahead)
        after = _take(session, runtime, before, answer, now)
        after = advance(session, runtime, before, after, now)
    _note_taken(after, answer)
    ring(runtime, after.row, now)
    return after


def take_turns(
    runtime: Runtime, game_id: int, answers: Sequence[Answer], left: Left | None, lease: timedelta, now: datetime
) -> tuple[Stored, int]:
    """Plays turns that the service has chosen in one transaction: of seats that a hand asks at the same time, or cards
    one after the other, with all that then needs no decision. At their end a player may be asked (`left`).

    Leaves out what the hand does not ask any more, or asks in another way. Returns the game as `take_turn` does, and
    the number of turns. Wakes no worker for the game: the caller plays its next turns, too, or another worker claims it
    after the `lease`.

    Raises TurnOver if it can play none of the turns any more, and IllegalTurn and LookupError as `take_turn`.
    """
    taken: list[tuple[Stored, Answer]] = []
    with runtime.database.writing() as session:
        before = after = store.load(session, game_id, hand=answers[0].due.hand, lock=True)
        lock_players(session, before.seats)
        for answer in answers:
            with suppress(TurnOver):
                _check_due(after, answer, now)
                after = _take(session, runtime, after, answer, now)
                taken.append((after, answer))
                while records := _unasked(after):
                    after = _append(session, runtime, after, records, now)
        if not taken:
            raise TurnOver(None)
        if left is not None:
            leave_to_player(session, runtime, after, left, now)
        if after is not before:
            after = advance(session, runtime, before, after, now)
        extend_lease(after.row, lease, now)
    for each in taken:
        _note_taken(*each)
    runtime.bell.deliver()
    return after, len(taken)


def leave_to_player(session: Session, runtime: Runtime, stored: Stored, left: Left, since: datetime) -> bool:
    """Notes that a guard has left a card to its player, whom the hand asks since `since`, if it still is as the guard
    has seen it. Returns whether it is. The caller has locked the game and its players.
    """
    if stored.game != left.seen or pending(stored) != left.planned:
        return False
    stored.clock.guard_asked = stored.last_turn
    if left.agreed is not None:
        short_wait.begin(session, stored, left.planned, left.agreed, since, runtime.chance)
    return True


def _check_due(stored: Stored, answer: Answer, now: datetime) -> None:
    """Raises TurnOver unless the seat is asked for what it answers, and may be played for so now."""
    seat = answer.turn.seat
    has_moved = answer.seen is not None and answer.seen != stored.game
    if due_of(stored.game, seat) != answer.due or has_moved or not _may_play(stored, answer, now):
        raise TurnOver(answer_to(stored.records, seat, answer.due))


def _take(session: Session, runtime: Runtime, before: Stored, answer: Answer, now: datetime) -> Stored:
    """Appends the record of a turn that is due, and returns the game after it. Marks the player as seen, or as having
    missed the deadline. Raises IllegalTurn.
    """
    source, seat = answer.source, answer.turn.seat
    is_missed_again = source is TurnSource.TIMEOUT and missed_since(session, before, seat)
    record = Record(answer.turn, source, answer.choice)
    after = store.append(session, before, record, now)
    note_turn(session, after, seat, source, now, was_live=is_asked_live(before), is_missed_again=is_missed_again)
    rest.note_turn(before, source, now)
    if source is TurnSource.TIMEOUT and not is_missed_again:  # one mail for all that they missed at one time
        questions.queue_played_for_you(session, runtime, after, seat, answer.due, now)
    if source is TurnSource.TIMEOUT:
        seat_transfer.give_back_from_absent(session, runtime, after, now, SeatGiven.MISSED)
    return after


def _note_taken(stored: Stored, answer: Answer) -> None:
    """Logs a turn that is committed."""
    about = {"game": stored.id, "number": stored.turns, "hand": answer.due.hand}
    note("turn", **about, seat=int(answer.turn.seat), source=answer.source.value)


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
        _remind_anew(session, runtime, hand, now)


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
            _remind_anew(session, runtime, hand, now)


def _remind_anew(session: Session, runtime: Runtime, hand: Stored, now: datetime) -> None:
    """Replaces the reminders of the players whom the hand asks, after its deadline has moved."""
    for seat in awaited(hand):
        questions.queue_question(session, runtime, hand, hand.seats[seat], now)


def ring(runtime: Runtime, row: GameRow, now: datetime) -> None:
    """Wakes a worker for the mails, and one for the game if it is due. Call it after the commit."""
    runtime.bell.deliver()
    if row.wake_at is not None and row.wake_at <= now:
        runtime.bell.play_for_absent(row.id)


def advance(session: Session, runtime: Runtime, before: Stored, after: Stored, now: datetime) -> Stored:
    """Appends every record that needs no decision, then sets the clock and queues the mails.

    The caller has locked the game and its players; it must commit and then call `ring`.
    """
    taken = after
    while found := _without_asking(runtime, after):
        after, records = found
        if after.game.stage is Stage.DEAL and after.game.scores:
            _between_hands(session, runtime, after, now)
        after = _append(session, runtime, after, records, now)
    if after.game.stage is Stage.OVER:
        questions.queue_score_sheets(session, runtime, after, now)
        end_game(session, runtime, after, OfferOver.GAME_OVER, now)
    else:
        for hand in deadlines.after_turn(session, before, after, now):
            _remind_anew(session, runtime, hand, now)
    questions.queue_new_questions(session, runtime, before, after, now)
    return after.at(taken.game.hand)


def _without_asking(runtime: Runtime, stored: Stored) -> tuple[Stored, list[Record]] | None:
    """The next records that need nobody's answer now, with the hand to which they belong.

    None if somebody has to answer in each hand, or the game is over.
    """
    if stored.cycle.stage is Stage.DEAL:
        return stored, [deal_record(stored.cycle.hands[-1], runtime.chance)]
    return next(((hand, records) for hand in stored.open_hands() if (records := _unasked(hand))), None)


def _unasked(hand: Stored) -> list[Record]:
    """The next records of a hand that need nobody's answer now; empty if it waits for a seat, or is over."""
    return unasked_records(hand) if hand.game.to_act else []


def _append(session: Session, runtime: Runtime, stored: Stored, records: Sequence[Record], now: datetime) -> Stored:
    for record in records:
        stored = store.append(session, stored, record, now)
        rest.note_turn(stored, record.source, now)
    return stored


def _between_hands(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Queues the sheets of the hand that was just scored, and seats newcomers, which only happens before a deal."""
    questions.queue_score_sheets(session, runtime, stored, now)
    seat_transfer.seat_newcomers(session, runtime, stored, now)


def end_game(session: Session, runtime: Runtime, stored: Stored, why: OfferOver, now: datetime) -> None:
    """Ends the game: clears its deadline and the table's pause, calls off an evening together, withdraws offers of
    seats with `why` as the reason, and gives lent seats back.

    The caller has locked the game and its players.
    """
    row, table = stored.row, stored.table
    row.state, row.ended_at, row.due_at, row.wake_at = GameState.OVER, now, None, None
    row.remind_at = row.reminders = None
    table.state, table.paused_at, table.pause_ends_at, table.resting_at = TableState.OVER, None, None, None
    for clock in stored.clocks.values():
        clock.due_at = clock.reminders = None
    for seat in stored.seats:
        seat.wants_pause = False
        seat_transfer.withdraw(session, runtime, seat, why, now)
    if meeting := evening.running(session, table.id):
        evenings.call_off(session, runtime, stored, meeting, EveningState.OVER, now)
    seat_transfer.give_back_at_end(session, runtime, stored, now)


def _may_play(stored: Stored, answer: Answer, now: datetime) -> bool:
    """Whether the seat may still be played for in this way at `now`.

    While the robot was thinking, the player may have come back, lost the seat or changed their plan, the clock may have
    been paused, or the game put to rest.
    """
    seat, source = answer.turn.seat, answer.source
    if stored.table.resting_at is not None and source not in BY_PLAYER:
        return False
    if source is TurnSource.TIMEOUT:
        return seat not in stored.robots and deadlines.is_late(stored, now) and not evening.is_deserted(stored, now)
    if answer.planned is not None:
        return pending(stored) == answer.planned
    if answer.short_wait is not None:
        return short_wait_of(stored) == answer.short_wait and short_wait.is_over(stored, now)
    return source not in BY_ROBOT or seat in stored.played_by_robot
