"""Phrases that remind: a player who waits says one at the table, and we mail whom it names what waits, read or not.

Each question has one such mail at most.
"""

from datetime import datetime

from sqlmodel import Session

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import PlayLink
from webapp.games import talk
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import awaited
from webapp.games.clock.hours import may_nudge, today_of
from webapp.games.clock.pace import is_live, pace_of
from webapp.games.clock.presence import may_disturb_at
from webapp.games.clock.vacation import days_off_at
from webapp.games.record import changing
from webapp.games.record.store import TableGame
from webapp.models import Frequency, PlayerRow, Talk
from webapp.outbox import turn_mail
from webapp.outbox.timing import Cause, Key


def phrases(session: Session, stored: TableGame, by: Seat, now: datetime) -> list[str]:
    """The phrases by which the player of `by` may have somebody reminded whom a hand of the game awaits, if any."""
    if stored.table.talk is Talk.NONE:
        return []
    waiting = [(hand, seat) for hand in stored.open_hands() for seat in awaited(hand) if seat != by]
    named = {seat for hand, seat in waiting if _may_remind(session, hand, seat, now)}
    return [talk.REMINDER.format(name=stored.names[seat]) for seat in sorted(named)]


def add_line(runtime: Runtime, link: PlayLink, text: str, now: datetime) -> None:
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
            _remind(session, runtime, game.seats[seat].player_id, now)


def _named(stored: TableGame, text: str) -> Seat | None:
    """The seat that a phrase names; None if it is none. Raises Refused if the table does not wait for that seat."""
    seat = next((Seat(seat) for seat, name in enumerate(stored.names) if text == talk.REMINDER.format(name=name)), None)
    if seat is not None and all(seat not in awaited(hand) for hand in stored.open_hands()):
        raise Refused(say("The table does not wait for {name} now.", name=stored.names[seat]))
    return seat


def _remind(session: Session, runtime: Runtime, player_id: int | None, now: datetime) -> None:
    player = session.get_one(PlayerRow, player_id)
    letter = turn_mail.mail_now(session, runtime, player, now, Cause.NUDGE)
    if letter is not None:
        # `mail_now` is for who has just written to us; who is reminded may be asleep.
        letter.created_at = letter.next_at = may_disturb_at(player, now)


def _may_remind(session: Session, hand: TableGame, seat: Seat, now: datetime) -> bool:
    """Whether nobody has had the player reminded of this question, a reminder reaches them in time, they want it at
    once, and it is none of their days off.
    """
    row, asked_at, due = hand.seats[seat], hand.clock.asked_at, due_of(hand.game, seat)
    player = session.get(PlayerRow, row.player_id) if row.player_id and row.mails else None
    if player is None or due is None or asked_at is None or not _is_time(hand, now, may_disturb_at(player, now)):
        return False
    key = Key(hand.id, int(seat), due.hand, due.what)
    return (
        player.unreachable_at is None
        and player.frequency is Frequency.EVERY
        and today_of(player, now) not in days_off_at(row, player)
        and not turn_mail.was_nudged(session, player.id, key, asked_at)
    )


def _is_time(hand: TableGame, now: datetime, at: datetime) -> bool:
    clock, pace = hand.clock, pace_of(hand)
    # At a live pace the clock reminds them sooner than any mail.
    if clock.asked_at is None or clock.due_at is None or is_live(pace):
        return False
    return may_nudge(clock.asked_at, clock.due_at, pace, now, at)
