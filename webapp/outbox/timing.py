"""Decides whether to queue a letter about a game, and when to send it.

Both depend on the kind of mail, the player's preferences, and whether they are present. `clock` and `presence` compute
the hours themselves.
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from hearts.seats import Seat
from webapp.games.asked.due import Due
from webapp.games.clock.pace import is_first_question, pace_for
from webapp.games.clock.presence import may_disturb_at, read_until, was_present_recently
from webapp.games.record.live import is_live
from webapp.games.record.store import TableGame
from webapp.kinds import KINDS
from webapp.models import Frequency, LetterKind, LetterState, PlayerRow, SeatRow, TableRow

PAGE_GRACE = timedelta(minutes=2)  # a question that comes up while its player reads the game waits this long
HOLD_DIVISOR = 10  # a letter waits for its reader to leave the game for a tenth of the pace at most


class Schedule(NamedTuple):
    """How a new letter waits: queued for the time `at`, or held for a digest, when `at` is None.

    `held_at` is `now` if it waits for its reader to leave the game, else None.
    """

    state: LetterState
    at: datetime | None
    held_at: datetime | None = None


def wants_each_turn(player: PlayerRow) -> bool:
    """Whether the player wants a mail for each turn as it comes."""
    return player.frequency is Frequency.EVERY


def wants_digests(player: PlayerRow) -> bool:
    """Whether questions to the player wait for their next digest."""
    return player.frequency in (Frequency.BUNDLED, Frequency.DAILY)


def should_queue(kind: LetterKind, stored: TableGame, row: SeatRow, due: Due, now: datetime) -> bool:
    """Whether to queue a mail of `kind` about `due` to the player of the seat. The caller rules out repeats.

    Live play mails only the first question of a game, that a robot plays for the player from now on, and the final
    sheet.
    """
    if not row.mails:
        return False
    if kind is LetterKind.SCORE_SHEET:
        return not is_live(stored.table.play_time)
    if not is_live(pace_for(stored.table, due.what)):
        return True
    if kind is LetterKind.PLAYED_FOR_YOU:  # not away if nobody waits for them: then only the first time
        return row.away or (row.missed == 1 and not was_present_recently(row, now))
    return not KINDS[kind].is_question or is_first_question(stored, Seat(row.seat))


def schedule(
    kind: LetterKind,
    player: PlayerRow,
    now: datetime,
    row: SeatRow | None = None,
    longest: timedelta | None = None,
) -> Schedule:
    """How a new letter to `player` waits; `row` is their seat, if the letter is about a table.

    It waits for its reader to leave the game for `longest` in all, as `longest_hold` says.
    """
    if KINDS[kind].at_once:
        return Schedule(LetterState.QUEUED, now)
    if KINDS[kind].digestible and wants_digests(player):
        return Schedule(LetterState.HELD, None)
    at = may_disturb_at(player, now)
    held = row and held_until(kind, row, player, now, now, longest)
    if not held:
        return Schedule(LetterState.QUEUED, at)
    grace = PAGE_GRACE if longest is None else min(PAGE_GRACE, longest)
    return Schedule(LetterState.QUEUED, max(at, held, now + grace), held_at=now)


def longest_hold(table: TableRow, what: str | None) -> timedelta | None:
    """How long a letter about `what` waits at most, in all, for its reader to leave the game: a tenth of the pace.

    None if there is no such limit: at a live pace, all are expected to be there.
    """
    pace = pace_for(table, what or "")
    return None if is_live(pace) else pace / HOLD_DIVISOR


def held_until(
    kind: LetterKind, row: SeatRow, player: PlayerRow, now: datetime, since: datetime, longest: timedelta | None
) -> datetime | None:
    """Until when a letter waits because the player of `row` is reading the game; None if it need not wait.

    If they are still reading then, it waits on, but for `longest` at most, counted from `since`.
    """
    until = read_until(row, player, now) if KINDS[kind].shown_on_page else None
    if until is None or longest is None:
        return until
    return min(until, since + longest) if now < since + longest else None
