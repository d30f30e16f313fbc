"""Queues the mails that a game sends to its seats: questions and their repeats, and score sheets.

It queues and supersedes them in the transaction of the turn that causes them. `letters` writes the rows.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.game import Stage
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.whose_turn import asked_of
from webapp.games.record.stand_in import is_lent
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, OfferState, SeatRow
from webapp.outbox import reminders, timing
from webapp.outbox.in_game import letters_asking, queue_in_game, supersede_answered
from webapp.outbox.letters import WAITING
from webapp.outbox.superseding import supersede

AGAIN_AFTER = timedelta(minutes=10)  # after the last mail about a turn, before its player can have it mailed again


class TooSoon(Exception):
    """The same turn was mailed less than `AGAIN_AFTER` ago."""


def queue_new_questions(session: Session, runtime: Runtime, before: TableGame, after: TableGame, now: datetime) -> None:
    """Queues a question to every player whose turn has come, and supersedes unsent questions that are now answered.

    A player who is away gets no question.
    """
    _supersede_answered(session, before, after)
    for hand in after.open_hands():
        was = before.cycle.hand(hand.game.hand)
        for seat in _readers(after):
            if was is None or due_of(hand.game, Seat(seat.seat)) != due_of(was, Seat(seat.seat)):
                queue_question(session, runtime, hand, seat, now)


def queue_score_sheets(session: Session, runtime: Runtime, stored: TableGame, now: datetime) -> None:
    """Queues the score sheet of the hand that has just ended to its players, and after the last hand the final sheet.

    The final sheet says all that the last hand's would. Only a friend gets the latter: their seat goes back to its
    owner, whose sheet the final one is. A player whose seat passes on now gets the sheet in live play, too, because the
    page of the game then closes to them.
    """
    due, is_over = Due(len(stored.game.scores), "sheet"), stored.game.stage is Stage.OVER
    for seat in _readers(stored):
        if is_over:
            queue_final_sheet(session, runtime, stored, seat, now)
        if is_over and not is_lent(seat):
            continue
        passes_on = seat.offer_state is OfferState.ACCEPTED and not is_over
        if passes_on or timing.should_queue(LetterKind.SCORE_SHEET, stored, seat, due, now):
            queue_in_game(session, runtime, LetterKind.SCORE_SHEET, stored, seat, due, now)


def queue_final_sheet(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Queues the final sheet to the player of `seat`, unless they have muted the table."""
    if seat.mails:
        end = Due(stored.game.hand, "game")
        queue_in_game(session, runtime, LetterKind.FINAL_SHEET, stored, seat, end, now)


def queue_question(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Queues the question that `seat` must answer now, unless it is queued or sent, and replaces its reminders.

    Does nothing if the seat is asked nothing, its player need not answer it, or no mail of it should be sent.
    """
    due = asked_of(stored, Seat(seat.seat))
    if due is None or not timing.should_queue(_question(due), stored, seat, due, now):
        return
    earlier = letters_asking(session, stored.id, seat, due)
    is_asked = any(map(_is_open, earlier))
    _ask(session, runtime, None if is_asked else _question(due), stored, seat, due, earlier, now)


def supersede_waiting(session: Session, stored: TableGame) -> None:
    """Supersedes the unsent questions of a running game and their reminders, of all its hands."""
    for game in stored.cycle.open_hands:
        for row in stored.seats:
            due = due_of(game, Seat(row.seat))
            if due and row.player_id:
                supersede_answered(session, stored.id, row, due)


def was_just_mailed(session: Session, stored: TableGame, seat: SeatRow, due: Due, now: datetime) -> bool:
    """Whether a mail of that question went out less than `AGAIN_AFTER` ago."""
    asking = letters_asking(session, stored.id, seat, due)
    return _is_just_mailed([letter for letter in asking if KINDS[letter.kind].is_question], now)


def queue_on_request(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Queues the present question of `seat` once more, to be sent at once, and supersedes mails of it that still wait.

    Raises TooSoon if the last mail of it went out less than `AGAIN_AFTER` ago. It must be the seat's turn.
    """
    due = due_of(stored.game, Seat(seat.seat))
    assert due is not None
    earlier = [letter for letter in letters_asking(session, stored.id, seat, due) if KINDS[letter.kind].is_question]
    if _is_just_mailed(earlier, now):
        raise TooSoon
    supersede(letter for letter in earlier if letter.state in WAITING)
    again = f"{_dedupe_suffix(earlier)} on request"
    letter = queue_in_game(session, runtime, _question(due), stored, seat, due, now, again=again)
    letter.requested, letter.state = True, LetterState.QUEUED
    letter.next_at = letter.created_at = now


def requeue_question(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Queues the present question of `seat` once more, if it has one that is mailed.

    It is for a player whose earlier links are dead, or in the inbox of another address.
    """
    due = asked_of(stored, Seat(seat.seat))
    if due is None or not timing.should_queue(_question(due), stored, seat, due, now):
        return
    earlier = letters_asking(session, stored.id, seat, due)
    supersede(letter for letter in earlier if letter.state in WAITING)
    _ask(session, runtime, _question(due), stored, seat, due, earlier, now)


def queue_played_for_you(
    session: Session, runtime: Runtime, stored: TableGame, seat: Seat, due: Due, now: datetime
) -> None:
    """Queues a mail that tells the player of `seat`, who missed the deadline for `due`, what was played for them."""
    row = stored.seats[seat]
    if timing.should_queue(LetterKind.PLAYED_FOR_YOU, stored, row, due, now):
        queue_in_game(session, runtime, LetterKind.PLAYED_FOR_YOU, stored, row, due, now)


def _readers(stored: TableGame) -> list[SeatRow]:
    """The seats whose players have not muted the table."""
    return [seat for seat in stored.seats if seat.player_id is not None and seat.mails]


def _supersede_answered(session: Session, before: TableGame, after: TableGame) -> None:
    for was in before.cycle.open_hands:
        now = after.cycle.hand(was.hand)
        for row in (row for row in after.seats if row.player_id is not None):
            seat = Seat(row.seat)
            due = due_of(was, seat)
            if due is not None and (now is None or due != due_of(now, seat)):
                supersede_answered(session, after.id, row, due)


def _is_open(letter: LetterRow) -> bool:
    return KINDS[letter.kind].is_question and letter.state is not LetterState.SUPERSEDED


def _ask(
    session: Session,
    runtime: Runtime,
    question: LetterKind | None,
    stored: TableGame,
    seat: SeatRow,
    due: Due,
    earlier: Sequence[LetterRow],
    now: datetime,
) -> None:
    """Queues `due` as a `question` of that kind, unless it is None, and notes when its reminders are due.

    `earlier` are the letters about it so far: reminders among them that still wait are superseded.
    """
    waiting = (letter for letter in earlier if letter.state in WAITING)
    supersede(letter for letter in waiting if letter.kind is LetterKind.REMINDER)
    if question:
        queue_in_game(session, runtime, question, stored, seat, due, now, again=_dedupe_suffix(earlier))
    reminders.note_times(session, stored, seat, due, now)


def _question(due: Due) -> LetterKind:
    return LetterKind(due.what) if due.what in ("pass", "moon") else LetterKind.TURN


def _dedupe_suffix(earlier: Sequence[LetterRow]) -> str:
    """Returns the end of a repeated question's dedupe key, which makes it unique; empty for the first."""
    questions = sum(KINDS[letter.kind].is_question for letter in earlier)
    return f" again {questions}" if questions else ""


def _is_just_mailed(asking: Sequence[LetterRow], now: datetime) -> bool:
    mailed = [letter for letter in asking if letter.state not in (*WAITING, LetterState.BUNDLED)]
    return any(now - _last_at(letter) < AGAIN_AFTER for letter in mailed)


def _last_at(letter: LetterRow) -> datetime:
    return letter.sent_at or letter.created_at
