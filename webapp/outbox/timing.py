"""Whether a letter about a game is owed, and when it goes: by its kind, its player's wishes, and whether she is there.

Source: the service's promises about mail. The hours themselves are for `clock` and `presence`.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from hearts.seats import Seat
from webapp.games.clock import is_live
from webapp.games.due import Due
from webapp.games.pace import is_first_question, pace_for
from webapp.games.presence import absent_from, may_disturb_at, was_present_recently
from webapp.games.store import Stored
from webapp.kinds import KINDS
from webapp.models import Frequency, LetterKind, LetterState, PlayerRow, SeatRow

ASKED_ON_PAGE = timedelta(minutes=2)  # what is asked while she looks at the game is not mailed before


class When(NamedTuple):
    """How a new letter waits: owed from a moment on, or held for a digest."""

    state: LetterState
    at: datetime | None


def is_told_at_once(player: PlayerRow) -> bool:
    """Whether each of the player's turns comes in a mail of its own."""
    return player.frequency is Frequency.EVERY


def should_queue(kind: LetterKind, stored: Stored, row: SeatRow, due: Due, now: datetime) -> bool:
    """Whether the player of the seat is owed a mail of `kind` about `due`, given that it would tell something new.

    In live play that is only the first question of a game, that she is played for from now on, and the final sheet.
    """
    if not row.mails:
        return False
    if kind is LetterKind.SCORE_SHEET:
        return not was_present_recently(row, now) and not is_live(stored.table.play_time)
    if not is_live(pace_for(stored.table, due.what)):
        return True
    if kind is LetterKind.PLAYED_FOR_YOU:  # where nobody waits for her she does not count as away: only the first time
        return row.away or (row.missed == 1 and not was_present_recently(row, now))
    return not KINDS[kind].is_question or is_first_question(stored, Seat(row.seat))


def when(kind: LetterKind, player: PlayerRow, now: datetime, row: SeatRow | None = None) -> When:
    """How a letter that comes to be owed to `player` at `now` waits; `row` is her seat, where it is about a table."""
    if KINDS[kind].at_once:
        return When(LetterState.QUEUED, now)
    if KINDS[kind].digestible and not is_told_at_once(player):
        return When(LetterState.HELD, None)
    at = may_disturb_at(player, now)
    held = row and held_until(kind, row, now)
    return When(LetterState.QUEUED, max(at, held, now + ASKED_ON_PAGE) if held else at)


def held_until(kind: LetterKind, row: SeatRow, now: datetime) -> datetime | None:
    """Until when a letter that is due waits, because the player of `row` is looking at the game; None where it goes.

    If she is there by then it waits on.
    """
    return absent_from(row) if KINDS[kind].shown_on_page and was_present_recently(row, now) else None
