"""Takes a running game as far as it goes without anybody's answer: deals, forced cards, plans, the end of a hand or of
the game. Then sets the clock and queues the mails.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, select

from hearts.game import Stage
from webapp.core.runtime import Runtime
from webapp.games import deadlines, evening, rest, store
from webapp.games.clock import is_live
from webapp.games.forced import deal_record
from webapp.games.planning import (
    awaited,
    unasked_records,
)
from webapp.games.records import Record
from webapp.games.rows import lock_players
from webapp.games.store import Stored
from webapp.models import EveningState, GameRow, GameState, PlayerRow, TableRow, TableState
from webapp.outbox import evenings, questions
from webapp.outbox.about_tables import OfferOver
from webapp.play import seat_transfer


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
        after = append(session, runtime, after, records, now)
    if after.game.stage is Stage.OVER:
        questions.queue_score_sheets(session, runtime, after, now)
        end_game(session, runtime, after, OfferOver.GAME_OVER, now)
    else:
        for hand in deadlines.after_turn(session, before, after, now):
            remind_anew(session, runtime, hand, now)
    questions.queue_new_questions(session, runtime, before, after, now)
    return after.at(taken.game.hand)


def _without_asking(runtime: Runtime, stored: Stored) -> tuple[Stored, list[Record]] | None:
    """The next records that need nobody's answer now, with the hand to which they belong.

    None if somebody has to answer in each hand, or the game is over.
    """
    if stored.cycle.stage is Stage.DEAL:
        return stored, [deal_record(stored.cycle.hands[-1], runtime.chance)]
    return next(((hand, records) for hand in stored.open_hands() if (records := unasked(hand))), None)


def unasked(hand: Stored) -> list[Record]:
    """The next records of a hand that need nobody's answer now; empty if it waits for a seat, or is over."""
    return unasked_records(hand) if hand.game.to_act else []


def append(session: Session, runtime: Runtime, stored: Stored, records: Sequence[Record], now: datetime) -> Stored:
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


def remind_anew(session: Session, runtime: Runtime, hand: Stored, now: datetime) -> None:
    """Queues anew the reminders of the players whom the hand asks, after its deadline has moved."""
    for seat in awaited(hand):
        questions.queue_question(session, runtime, hand, hand.seats[seat], now)
