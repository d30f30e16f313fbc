"""Mail of a running game to its seats: a worker looks whether a mail about turns goes; score sheets; and reminders.

All happens in the transaction of the turn that causes it. `turn_mail` decides on the mails, `letters` writes the rows.
"""

from datetime import datetime

from sqlmodel import Session, col, select

from hearts.game import Stage
from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import PlayLink
from webapp.games import talk
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.whose_turn import asked_of, awaited
from webapp.games.clock.hours import may_nudge, today_of
from webapp.games.clock.pace import is_live, pace_of
from webapp.games.clock.presence import may_disturb_at
from webapp.games.clock.vacation import days_off_at
from webapp.games.record import changing
from webapp.games.record.seats import is_accepted, is_lent
from webapp.games.record.store import TableGame
from webapp.models import Frequency, LetterKind, LetterRow, PlayerRow, SeatRow, Talk
from webapp.outbox import timing, turn_mail
from webapp.outbox.letters import message_id_of
from webapp.outbox.timing import Cause, Key

# Score sheets: they are queued in the mail thread of their game.


def queue_in_game(
    session: Session,
    runtime: Runtime,
    kind: LetterKind,
    stored: TableGame,
    seat: SeatRow,
    due: Due,
    now: datetime,
) -> LetterRow:
    """Queues a letter about `due` to the player of `seat` in the mail thread of the game, and returns it."""
    player = session.get_one(PlayerRow, seat.player_id)
    schedule = timing.schedule(kind, player, now, seat, timing.longest_hold(stored.table, due.what))
    # With the player: whoever takes over the seat may get a mail about the same hand, too.
    dedupe = f"{kind} {stored.id} {seat.seat} {seat.player_id} {due.hand} {due.what}"
    letter = LetterRow(
        kind=kind,
        dedupe=dedupe,
        player_id=player.id,
        table_id=seat.table_id,
        seat=seat.seat,
        game_id=stored.id,
        turns=stored.row.turns,
        hand=due.hand,
        about=due.what,
        message_id=message_id_of(runtime, dedupe),
        thread_id=thread_of(session, stored.id, seat.seat, player.id),
        next_at=schedule.at,
        held_at=schedule.held_at,
        created_at=schedule.at,
    )
    session.add(letter)
    return letter


def thread_of(session: Session, game_id: int, seat: int, player_id: int) -> str | None:
    """The Message-ID of the first mail about this game to the player of the seat; None if there is none yet.

    A mail about turns is about several hands, so that the mails of a game are one thread.
    """
    mails = select(LetterRow.message_id).where(LetterRow.game_id == game_id, LetterRow.seat == seat)
    # Composed ones alone: a thread that begins with a mail which nobody got is none in any mail program.
    mails = mails.where(LetterRow.player_id == player_id, col(LetterRow.message).is_not(None))
    return session.exec(mails.order_by(col(LetterRow.id)).limit(1)).first()


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
        passes_on = is_accepted(seat) and not is_over
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


# Phrases that remind: a player who waits says one at the table, and we mail whom it names what waits, read or not.
# Each question has one such mail at most.


def phrases(session: Session, stored: TableGame, by: Seat, now: datetime) -> list[str]:
    """The phrases by which the player of `by` may have somebody reminded whom a hand of the game awaits, if any."""
    if stored.table.talk is Talk.NONE:
        return []
    waiting = [(hand, seat) for hand in stored.open_hands() for seat in awaited(hand) if seat != by]
    named = {seat for hand, seat in waiting if _may_remind(session, hand, seat, now)}
    return [talk.REMINDER.format(name=stored.names[seat]) for seat in sorted(named)]


def say_line(runtime: Runtime, link: PlayLink, text: str, now: datetime) -> None:
    """Says `text` at the table, and mails the player whom it names, if it is a phrase that reminds.

    Raises as `talk.add_line`, and Refused if the table does not wait for whom the phrase names.
    """
    # Nearly all talk: it needs no lock of a game, and must not wait for a turn that is being played.
    if not text.endswith(talk.REMINDER.format(name="")):
        talk.add_line(runtime, link, text, now)
        return
    with changing.games(runtime, now) as transaction:
        session, game = transaction.session, transaction.running(link.table_id)
        seat = _named(game.stored, text) if game else None
        talk.add(session, link, text, now, also=() if seat is None else (text,))
        if game is not None and seat is not None and text in phrases(session, game.stored, Seat(link.seat), now):
            player = session.get_one(PlayerRow, game.seats[seat].player_id)
            letter = turn_mail.mail_now(session, runtime, player, now, Cause.NUDGE)
            if letter is not None:
                # `mail_now` is for who has just written to us; who is reminded may be asleep.
                letter.created_at = letter.next_at = may_disturb_at(player, now)


def _named(stored: TableGame, text: str) -> Seat | None:
    """The seat that a phrase names; None if it is none. Raises Refused if the table does not wait for that seat."""
    seat = next((Seat(seat) for seat, name in enumerate(stored.names) if text == talk.REMINDER.format(name=name)), None)
    if seat is not None and all(seat not in awaited(hand) for hand in stored.open_hands()):
        raise Refused(say("The table does not wait for {name} now.", name=stored.names[seat]))
    return seat


def _may_remind(session: Session, hand: TableGame, seat: Seat, now: datetime) -> bool:
    """Whether nobody has had the player reminded of this question, a reminder reaches them in time, they want it at
    once, and it is none of their days off.
    """
    row, asked_at, due = hand.seats[seat], hand.clock.asked_at, due_of(hand.game, seat)
    pace, due_at = pace_of(hand), hand.clock.due_at
    player = session.get(PlayerRow, row.player_id) if row.player_id and row.mails else None
    # At a live pace the clock reminds them sooner than any mail.
    if player is None or due is None or asked_at is None or due_at is None or is_live(pace):
        return False
    if not may_nudge(asked_at, due_at, pace, now, may_disturb_at(player, now)):
        return False
    key = Key(hand.id, int(seat), due.hand, due.what)
    return (
        player.unreachable_at is None
        and player.frequency is Frequency.EVERY
        and today_of(player, now) not in days_off_at(row, player)
        and not turn_mail.was_nudged(session, player.id, key, asked_at)
    )
