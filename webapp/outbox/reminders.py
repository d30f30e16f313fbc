"""Reminders of questions that their players have not answered: when they are due, and their mails.

The mail is queued when its time has come (`games.clock.reminding`). Nearly all questions are answered before.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.games.asked.due import Due
from webapp.games.asked.whose_turn import asked_of
from webapp.games.clock import reminding
from webapp.games.clock.hours import quiet_until, reminders
from webapp.games.clock.pace import pace_for
from webapp.games.clock.presence import quiet_of
from webapp.games.clock.reminding import Reminding
from webapp.games.clock.vacation import days_off_at
from webapp.games.record.changing import OpenGame
from webapp.games.record.store import TableGame
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import timing
from webapp.outbox.in_game import COUNTED, letters_asking, queue_in_game

DAY: Final = timedelta(days=1)
MAILS_A_DAY: Final = 2  # with questions or reminders, to a player who does not want a mail for each turn


def note_times(session: Session, stored: TableGame, seat: SeatRow, due: Due, now: datetime) -> None:
    """Notes when the player of `seat` is to be reminded of `due`, which they are asked now."""
    reminding.keep(stored, Seat(seat.seat), due, _times(session, stored, seat, due, now))


def queue_due(game: OpenGame) -> None:
    """Queues the reminders of a running game that are due; of several of the same question, the last one.

    None goes to a player who has answered, or does not want it any more. One that is due in quiet hours waits for their
    end.
    """
    for hand in game.stored.open_hands():
        for kept in reminding.kept_by(hand.clock):
            if kept.times[0] <= game.now:
                _take_due(game.session, game.runtime, hand, kept, game.now)


def _take_due(session: Session, runtime: Runtime, hand: TableGame, kept: Reminding, now: datetime) -> None:
    row, later = hand.seats[kept.seat], [at for at in kept.times if at > now]
    player = session.get(PlayerRow, row.player_id) if row.player_id and row.mails else None
    is_asked = asked_of(hand, kept.seat) == kept.due
    if player is None or not is_asked or not player.reminders:
        later = []  # they have answered, or want none any more
    elif timing.wants_each_turn(player) or not later:  # a player who wants digests gets only the last one
        if until := quiet_until(now, player.time_zone, quiet_of(player)):
            later = [until, *(at for at in later if at > until)]
        elif not timing.wants_each_turn(player) and (free_at := _free_at(session, player, now)) > now:
            later = [free_at] if hand.clock.due_at and free_at < hand.clock.due_at else []
        else:
            _queue(session, runtime, hand, row, kept.due, now)
    reminding.keep(hand, kept.seat, kept.due, later)


def _free_at(session: Session, player: PlayerRow, now: datetime) -> datetime:
    """When the player may be reminded: a day after the last reminder, and within the mails of a day.

    Reminders for which another player has asked do not count.
    """
    since, is_reminder = now - DAY, LetterRow.kind == LetterKind.REMINDER
    asking = (LetterRow.player_id == player.id, col(LetterRow.state) != LetterState.SUPERSEDED)
    queued = select(LetterRow.created_at).where(*asking, is_reminder, col(LetterRow.reason).is_(None))
    reminded = session.exec(queued.where(col(LetterRow.created_at) > since)).all()
    mailed = select(LetterRow.sent_at).where(LetterRow.player_id == player.id, col(LetterRow.kind).in_(COUNTED))
    newest = mailed.where(col(LetterRow.sent_at) > since).order_by(col(LetterRow.sent_at).desc()).limit(MAILS_A_DAY)
    last = [at for at in session.exec(newest) if at]
    return max([now, *(at + DAY for at in reminded), *(at + DAY for at in last[MAILS_A_DAY - 1 :])])


def _queue(session: Session, runtime: Runtime, hand: TableGame, row: SeatRow, due: Due, now: datetime) -> None:
    earlier = [one for one in letters_asking(session, hand.id, row, due) if one.kind is LetterKind.REMINDER]
    once_more = f" again {len(earlier)}" if earlier else ""
    queue_in_game(session, runtime, LetterKind.REMINDER, hand, row, due, now, again=f" {now.isoformat()}{once_more}")


def _times(session: Session, stored: TableGame, seat: SeatRow, due: Due, now: datetime) -> Sequence[datetime]:
    """When the player of `seat` is to be reminded of `due`, which they are asked now."""
    player = session.get_one(PlayerRow, seat.player_id)
    if not player.reminders or stored.clock.due_at is None:
        return ()
    hours = (player.time_zone, quiet_of(player), days_off_at(seat, player))
    times = reminders(now, stored.clock.due_at, pace_for(stored.table, due.what), *hours)
    return times if timing.wants_each_turn(player) else times[-1:]
