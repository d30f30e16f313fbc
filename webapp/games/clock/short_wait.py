"""The short wait: a player has some waking hours for a choice that hardly matters; then we play for them.

A worker has found that the choice hardly matters (`whose_turn.pending`). The hand's clock keeps the card and the end in
`short_wait`, tied to the number of the hand's last record. The deadline that the others see stays that of the whole
pace, and the wait is up to a quarter longer by chance: so nobody learns from a clock, or from its end, whether the
choice mattered. Neither a mail nor a reminder asks for it.
"""

import random
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import Session

from hearts.seats import Seat
from hearts.waits import Price
from webapp.games.asked.whose_turn import Pending, grounds, short_wait_of
from webapp.games.clock.hours import after_waking
from webapp.games.clock.pace import pace_of
from webapp.games.clock.presence import quiet_of
from webapp.games.clock.vacation import days_off_at
from webapp.games.record.store import TableGame
from webapp.models import PlayerRow, WaitingCard

LEAST: Final = timedelta(hours=4)
SHARE: Final = 3  # at a quick table it is at most this part of the pace
VARIES: Final = 0.25  # it is longer by up to this part, by chance


def begin(
    session: Session, stored: TableGame, waiting: Pending, price: Price, since: datetime, chance: random.Random
) -> None:
    """Notes that the player asked since `since` has a short wait, after which the card of this price is played."""
    time = min(LEAST, pace_of(stored) / SHARE) * chance.uniform(1, 1 + VARIES)
    stored.clock.short_wait = WaitingCard(
        turn=stored.last_turn,
        seat=int(waiting.seat),
        card=waiting.card,
        seconds=time.total_seconds(),
        until=_until(session, stored, waiting.seat, since, time),
        grounds=grounds(price),
    )


def go_on(session: Session, stored: TableGame, now: datetime) -> None:
    """Restarts the hand's short wait after its clock stood still: its whole time begins at `now`."""
    if (short := short_wait_of(stored)) and (kept := stored.clock.short_wait):
        until = _until(session, stored, short.seat, now, timedelta(seconds=kept.seconds))
        stored.clock.short_wait = replace(kept, until=until)


def is_over(stored: TableGame, now: datetime) -> bool:
    """Whether the hand's short wait, if it has one, has ended: by its own time, or with the deadline."""
    short = short_wait_of(stored)
    return short is not None and min(short.until, stored.clock.due_at or short.until) <= now


def _until(session: Session, stored: TableGame, seat: Seat, since: datetime, time: timedelta) -> datetime:
    row = stored.seats[seat]
    player = session.get_one(PlayerRow, row.player_id)
    return after_waking(since, time, player.time_zone, quiet_of(player), days_off_at(row, player))
