"""Mail of a running game to its seats: a worker looks whether a mail about turns goes; and score sheets.

All happens in the transaction of the turn that causes it. `turn_mail` decides on the mails, `letters` writes the rows.
"""

from datetime import datetime

from sqlmodel import Session

from hearts.game import Stage
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.whose_turn import asked_of
from webapp.games.record.live import is_live
from webapp.games.record.stand_in import is_lent
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, OfferState, PlayerRow, SeatRow
from webapp.outbox import turn_mail
from webapp.outbox.in_game import queue_in_game
from webapp.outbox.turn_mail_times import Key


class TooSoon(Exception):
    """The same turn was mailed less than `turn_mail.AGAIN_AFTER` ago."""


def queue_new_questions(session: Session, before: TableGame, after: TableGame, now: datetime) -> None:
    """Has a worker look whether a mail goes to every player whose turn has come; not to one who is away."""
    for hand in after.open_hands():
        was = before.cycle.hand(hand.game.hand)
        for seat in after.seats:
            # Only for who is asked something new: each look folds all of the player's games.
            if was is None or due_of(hand.game, Seat(seat.seat)) != due_of(was, Seat(seat.seat)):
                queue_question(session, hand, seat, now)


def queue_question(session: Session, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Has a worker look whether a mail goes to the player of `seat`, if the hand asks them, anew or until later."""
    if seat.player_id is not None and seat.mails and asked_of(stored, Seat(seat.seat)) is not None:
        session.get_one(PlayerRow, seat.player_id).look_by(now)


def queue_score_sheets(session: Session, runtime: Runtime, stored: TableGame, now: datetime) -> None:
    """Queues the score sheet of the hand that has just ended to its players, and after the last hand the final sheet.

    The final sheet says all that the last hand's would. Only a friend gets the latter: their seat goes back to its
    owner, whose sheet the final one is. At a live table, whose page shows the score, only a player whose seat passes on
    gets a sheet, because the page of the game then closes to them.
    """
    due, is_over = Due(len(stored.game.scores), "sheet"), stored.game.stage is Stage.OVER
    for seat in stored.seats:
        if seat.player_id is None or not seat.mails:
            continue
        if is_over:
            queue_final_sheet(session, runtime, stored, seat, now)
        if is_over and not is_lent(seat):
            continue
        passes_on = seat.offer_state is OfferState.ACCEPTED and not is_over
        if passes_on or not is_live(stored.table.play_time):
            queue_in_game(session, runtime, LetterKind.SCORE_SHEET, stored, seat, due, now)


def queue_final_sheet(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Queues the final sheet to the player of `seat`, unless they have muted the table."""
    if seat.mails:
        end = Due(stored.game.hand, "game")
        queue_in_game(session, runtime, LetterKind.FINAL_SHEET, stored, seat, end, now)


def was_just_mailed(session: Session, stored: TableGame, seat: SeatRow, due: Due, now: datetime) -> bool:
    """Whether a mail of that question went out less than `turn_mail.AGAIN_AFTER` ago."""
    key = Key(stored.id, seat.seat, due.hand, due.what)
    return seat.player_id is not None and turn_mail.was_just_mailed(session, seat.player_id, key, now)


def queue_on_request(session: Session, runtime: Runtime, stored: TableGame, seat: SeatRow, now: datetime) -> None:
    """Mails all that waits for the player of `seat` once more, at once. Raises TooSoon if the last mail of the hand's
    question went out less than `turn_mail.AGAIN_AFTER` ago. It must be the seat's turn.
    """
    due = due_of(stored.game, Seat(seat.seat))
    assert due is not None
    # It may still be on its way, and who taps once a minute would fill their own inbox.
    if was_just_mailed(session, stored, seat, due, now):
        raise TooSoon
    turn_mail.mail_now(session, runtime, session.get_one(PlayerRow, seat.player_id), now)


def note_missed(session: Session, seat: SeatRow, now: datetime) -> None:
    """Has a worker look whether a mail tells the player of `seat` that they have missed a deadline."""
    if seat.player_id is not None and seat.mails:
        session.get_one(PlayerRow, seat.player_id).look_by(now)
