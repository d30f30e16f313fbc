"""What the seats of a game are asked by mail: the question, its reminders, the same once more; and what is answered.

And the score sheets of what they have played. All is owed, or taken back, in the transaction of the turn that it
follows. How a letter is written is for `letters`.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from hearts.game import Game, Stage
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.clock import reminders
from webapp.games.due import Due, due_of
from webapp.games.presence import quiet_of
from webapp.games.store import Stored
from webapp.kinds import KINDS
from webapp.models import LetterKind, LetterRow, LetterState, OfferState, PlayerRow, SeatRow
from webapp.outbox import letters, timing

AGAIN_AFTER = timedelta(minutes=10)  # how long somebody waits before she can have the same turn mailed again


class TooSoon(Exception):
    """The same turn was mailed a moment ago."""


def queue_what_follows(session: Session, runtime: Runtime, before: Game, after: Stored, now: datetime) -> None:
    """A question to every player who is newly awaited.

    What was asked and is answered now need not be sent any more. Whoever is away is asked nothing.
    """
    _supersede_answered(session, before, after)
    for seat in _readers(after):
        if due_of(after.game, Seat(seat.seat)) != due_of(before, Seat(seat.seat)):
            queue_question(session, runtime, after, seat, now)


def queue_score_sheets(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """The sheet of the hand that has just ended, to those who have played it; after the last one the final sheet too.

    A player whose seat passes on now gets the sheet also while they look at the game, whose page then closes to them.
    """
    due = Due(len(stored.game.scores), "sheet")
    for seat in _readers(stored):
        passes_on = seat.offer_state is OfferState.ACCEPTED and stored.game.stage is not Stage.OVER
        if passes_on or timing.should_queue(LetterKind.SCORE_SHEET, stored, seat, due, now):
            letters.queue_in_game(session, runtime, LetterKind.SCORE_SHEET, stored, seat, due, now)
        if stored.game.stage is Stage.OVER:
            end = Due(stored.game.hand, "game")
            letters.queue_in_game(session, runtime, LetterKind.FINAL_SHEET, stored, seat, end, now)


def queue_question(session: Session, runtime: Runtime, stored: Stored, seat: SeatRow, now: datetime) -> None:
    """What `seat` is asked now, with its reminders, if it is asked anything by mail and has not got it already."""
    due = due_of(stored.game, Seat(seat.seat))
    if due is None or seat.away or not timing.should_queue(_question(due), stored, seat, due, now):
        return
    told = letters.letters_asking(session, stored.id, seat, due)
    if not any(KINDS[letter.kind].is_question and letter.state is not LetterState.SUPERSEDED for letter in told):
        letters.queue_in_game(session, runtime, _question(due), stored, seat, due, now, again=_again(told))
    _queue_reminders(session, runtime, stored, seat, due, now)


def queue_again(session: Session, runtime: Runtime, stored: Stored, seat: SeatRow, now: datetime) -> None:
    """What `seat` is asked now once more, at once, under a name of its own; a mail of it that still waits is not sent.

    Raises TooSoon where the last one is from the last few minutes. The seat must be asked something.
    """
    due = due_of(stored.game, Seat(seat.seat))
    assert due is not None
    told = [
        letter for letter in letters.letters_asking(session, stored.id, seat, due) if KINDS[letter.kind].is_question
    ]
    if any(letter.state not in letters.WAITING and now - _last_at(letter) < AGAIN_AFTER for letter in told):
        raise TooSoon
    letters.supersede(letter for letter in told if letter.state in letters.WAITING)
    again = f"{_again(told)} on request"
    letter = letters.queue_in_game(session, runtime, _question(due), stored, seat, due, now, again=again)
    letter.requested, letter.state = True, LetterState.QUEUED
    letter.next_at = letter.created_at = now


def queue_anew(session: Session, runtime: Runtime, stored: Stored, seat: SeatRow, now: datetime) -> None:
    """What `seat` is asked now once more, if it is asked by mail: links in earlier mails are dead, or lie elsewhere."""
    due = due_of(stored.game, Seat(seat.seat))
    if due is None or seat.away or not timing.should_queue(_question(due), stored, seat, due, now):
        return
    told = letters.letters_asking(session, stored.id, seat, due)
    letters.supersede(letter for letter in told if letter.state in letters.WAITING)
    letters.queue_in_game(session, runtime, _question(due), stored, seat, due, now, again=_again(told))
    _queue_reminders(session, runtime, stored, seat, due, now)


def queue_played_for_you(
    session: Session, runtime: Runtime, stored: Stored, seat: Seat, due: Due, now: datetime
) -> None:
    """Tells the player of `seat` what was played for her when she missed the deadline for `due`."""
    row = stored.seats[seat]
    if timing.should_queue(LetterKind.PLAYED_FOR_YOU, stored, row, due, now):
        letters.queue_in_game(session, runtime, LetterKind.PLAYED_FOR_YOU, stored, row, due, now)


def _readers(stored: Stored) -> list[SeatRow]:
    """The seats whose players want mails of the table."""
    return [seat for seat in stored.seats if seat.player_id is not None and seat.mails]


def _supersede_answered(session: Session, before: Game, after: Stored) -> None:
    for row in after.seats:
        seat = Seat(row.seat)
        due = due_of(before, seat)
        if due is not None and due != due_of(after.game, seat):
            told = letters.letters_asking(session, after.id, row, due)
            letters.supersede(letter for letter in told if letter.state in letters.WAITING)


def _queue_reminders(
    session: Session, runtime: Runtime, stored: Stored, seat: SeatRow, due: Due, now: datetime
) -> None:
    told = [
        letter for letter in letters.letters_asking(session, stored.id, seat, due) if not KINDS[letter.kind].is_question
    ]
    letters.supersede(letter for letter in told if letter.state in letters.WAITING)
    player = session.get_one(PlayerRow, seat.player_id)
    if not player.reminders or stored.row.due_at is None:
        return
    pace = stored.table.pass_time if due.what == "pass" else stored.table.play_time
    moments = reminders(now, stored.row.due_at, pace, player.time_zone, quiet_of(player))
    for at in moments if timing.is_told_at_once(player) else moments[-1:]:
        again = f" {at.isoformat()}" + (f" again {len(told)}" if told else "")
        letter = letters.queue_in_game(session, runtime, LetterKind.REMINDER, stored, seat, due, now, again=again)
        letter.created_at = letter.next_at = at


def _question(due: Due) -> LetterKind:
    return LetterKind(due.what) if due.what in ("pass", "moon") else LetterKind.TURN


def _again(told: list[LetterRow]) -> str:
    """What tells one more letter with the same question from those before it; nothing for the first."""
    earlier = sum(KINDS[letter.kind].is_question for letter in told)
    return f" again {earlier}" if earlier else ""


def _last_at(letter: LetterRow) -> datetime:
    return letter.sent_at or letter.created_at
