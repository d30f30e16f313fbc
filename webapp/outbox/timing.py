"""Decides when to send a letter: by its kind, its reader's quiet hours, and whether they are present."""

from datetime import datetime, timedelta
from typing import NamedTuple

from webapp.games.clock.pace import pace_for
from webapp.games.clock.presence import may_disturb_at, read_until
from webapp.games.record.live import is_live
from webapp.kinds import KINDS
from webapp.models import LetterKind, PlayerRow, SeatRow, TableRow

PAGE_GRACE = timedelta(minutes=2)  # a letter that comes up while its player reads the game waits this long
HOLD_DIVISOR = 10  # a letter waits for its reader to leave the game for a tenth of the pace at most


class Schedule(NamedTuple):
    """When a new letter goes. `held_at` is `now` if it waits for its reader to leave the game, else None."""

    at: datetime
    held_at: datetime | None = None


def schedule(
    kind: LetterKind,
    player: PlayerRow,
    now: datetime,
    row: SeatRow | None = None,
    longest: timedelta | None = None,
) -> Schedule:
    """When a new letter to `player` goes; `row` is their seat, if the letter is about a table.

    It waits for its reader to leave the game for `longest` in all, as `longest_hold` says.
    """
    if KINDS[kind].at_once:
        return Schedule(now)
    at = may_disturb_at(player, now)
    held = row and held_until(kind, row, player, now, now, longest)
    if not held:
        return Schedule(at)
    # Who sees the end of a hand on the page mostly reads its sheet there, within a moment.
    grace = PAGE_GRACE if longest is None else min(PAGE_GRACE, longest)
    return Schedule(max(at, held, now + grace), held_at=now)


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
    # A page that lies open looks read for a while: without an end it swallowed the mail.
    return min(until, since + longest) if now < since + longest else None
