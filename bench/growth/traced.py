"""What the service does for games that are really played, and at what time of day."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
from sqlalchemy import event
from sqlmodel import SQLModel, col, func, select

from bench import pace
from bench.load.filled import disk, migrated
from hearts.plans import Asking, Plan
from hearts.rules import Rules
from tests.cast import make_runtime, start_game
from tests.servers import Postgres
from webapp import due_games
from webapp.core.runtime import Runtime
from webapp.kinds import KINDS
from webapp.models import GameRow, LetterRow, LetterState, PlayerRow, SeatRow, TurnRow, TurnSource

HOUR: Final = 3600
DAY: Final = 24 * HOUR
DEFAULT: Final = pace.Row("as a table begins", Plan(asking=Asking.MATTERS), at_once=4, asks_ahead=True)
LOOKS: Final = 2  # of each player into their mail, in a day
# Hours from UTC, and how many of a hundred players live there: an assumption.
WORLD: Final = {-8: 12, -6: 13, -5: 20, 0: 12, 1: 28, 2: 6, 5: 3, 8: 4, 10: 2}
Seconds = np.ndarray  # a number for each second of the day in UTC


class Work(StrEnum):
    """What the service does for a game."""

    PAGE = "page"  # is shown
    TURN = "turn"  # is posted, with all that follows from it at once
    LOOK = "look"  # by a worker, with all that follows: cards of plans, or at those who follow in a trick
    EMAIL = "email"


@dataclass
class Traced:
    """What the service did for some games: each time as the second of the day (UTC)."""

    days: float = 0.0
    """The days that the games took, all together."""
    games: int = 0
    times: dict[Work, list[int]] = field(default_factory=lambda: {work: [] for work in Work})
    mornings: list[int] = field(default_factory=list)
    """The times of emails that waited for the end of a night, as well."""
    looking: float = 0.0
    """Seconds of processor that all looks took."""
    serving: float = 0.0
    """Seconds of processor of the database's server meanwhile."""
    guarded: int = 0
    """How many cards of plans a guard let through, several with a look."""
    disk: int = 0
    """Bytes that the games took by their ends, without the texts of emails."""
    rows: int = 0
    """Rows of the games, their tables, players and letters by then."""

    def a_day(self, work: Work) -> float:
        """How many of these a running game asks for in a day."""
        return (len(self.times[work]) + (len(self.mornings) if work is Work.EMAIL else 0)) / self.days

    def a_second(self, work: Work) -> Seconds:
        """How many of these a running game asks for in each second of a day, if its players may live anywhere.

        What somebody did at some minute, others do within half an hour of it, but all nights end with the hour.
        """
        times = _spread(_counted(self.times[work]))
        if work is Work.EMAIL:
            times += _counted(self.mornings)
        everywhere: Seconds = sum(players * np.roll(times, -zone * HOUR) for zone, players in WORLD.items())
        return everywhere / sum(WORLD.values()) / self.days


def _counted(times: list[int]) -> Seconds:
    return np.bincount(np.array(times, dtype=int), minlength=DAY).astype(float)


def _spread(counts: Seconds) -> Seconds:
    """The counts spread over the hour around each."""
    half = HOUR // 2
    sums = np.cumsum(np.concatenate(([0.0], counts[-half:], counts, counts[:half])))
    spread: Seconds = (sums[HOUR:] - sums[:-HOUR])[:DAY] / HOUR
    return spread


def trace_on(server: Postgres, hands: int) -> Traced:
    """The same in a database of its own on the server."""
    with migrated(server) as url:
        return trace(hands, url, lambda: server.worked)


def trace(hands: int, url: str = "", worked: Callable[[], float] = float, seed: int = 1) -> Traced:
    """Plays games of so many hands together, with a simulated clock, through the path of a turn.

    In the database at that address, or else in SQLite. `worked` says how many seconds of processor its server has used.
    """
    found, tally, rng = Traced(), pace.Tally(), random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a ring may still be on its way
        runtime = make_runtime(Path(folder), url)
        runtime.chance.seed(f"growth {seed}")
        empty = disk(runtime)
        while len(tally.waits) < hands:
            game_id = start_game(runtime, pace=pace.SLOW, rules=Rules(), at_once=DEFAULT.at_once)
            pace.give_plan(runtime, game_id, DEFAULT)
            _give_nights(runtime, game_id)
            began = runtime.now()
            with _noting_looks(runtime, worked, found):
                pace.play_game(runtime, game_id, pace.Looks(LOOKS, rng), tally, hands, rng)
            found.days += (runtime.now() - began).total_seconds() / DAY
            found.games += 1
            _note_turns(runtime, game_id, found)
            _note_emails(runtime, game_id, found)
        found.disk, found.rows = disk(runtime) - empty, _rows(runtime)
        runtime.database.engine.dispose()
    return found


def _rows(runtime: Runtime) -> int:
    with runtime.database.reading() as session:
        counts = (session.scalar(select(func.count()).select_from(table)) for table in SQLModel.metadata.sorted_tables)
        return sum(count or 0 for count in counts)


def _give_nights(runtime: Runtime, game_id: int) -> None:
    """The players get their time zones, in which they have quiet hours."""
    with runtime.database.writing() as session:
        table_id = session.get_one(GameRow, game_id).table_id
        for seat in session.exec(select(SeatRow).where(SeatRow.table_id == table_id)):
            hours = pace.ZONES[seat.seat]
            session.get_one(PlayerRow, seat.player_id).time_zone = f"Etc/GMT{-hours:+}" if hours else "UTC"


@contextmanager
def _noting_looks(runtime: Runtime, worked: Callable[[], float], found: Traced) -> Iterator[None]:
    """Notes each transaction in which a worker goes on with a game."""
    play, commits = due_games.play_for_absent, 0

    def note_commit(_: object) -> None:
        nonlocal commits
        commits += 1

    def noting(there: Runtime, game_id: int) -> int:
        of_server, begun, before = worked(), time.process_time(), commits
        played = play(there, game_id)
        if looks := commits - before:
            found.times[Work.LOOK] += [_second(runtime.now())] * looks
            found.looking += time.process_time() - begun
            found.serving += worked() - of_server
        return played

    event.listen(runtime.database.engine, "commit", note_commit)
    due_games.play_for_absent = noting
    try:
        yield
    finally:
        due_games.play_for_absent = play
        event.remove(runtime.database.engine, "commit", note_commit)


def _note_turns(runtime: Runtime, game_id: int, found: Traced) -> None:
    """A visit begins with a page, and each turn ends with another one."""
    with runtime.database.reading() as session:
        rows = session.exec(select(TurnRow).where(TurnRow.game_id == game_id)).all()
    posted = [row.at for row in rows if row.source is TurnSource.PAGE]
    found.guarded += sum("cost" in (row.choice or {}) for row in rows)
    found.times[Work.TURN] += map(_second, posted)
    found.times[Work.PAGE] += map(_second, [*posted, *set(posted)])


def _note_emails(runtime: Runtime, game_id: int, found: Traced) -> None:
    """Questions to a player that are due together are one."""
    with runtime.database.reading() as session:
        of_game = select(LetterRow, PlayerRow).join(PlayerRow, col(PlayerRow.id) == LetterRow.player_id)
        sent = of_game.where(LetterRow.game_id == game_id, LetterRow.state == LetterState.SENT)
        emails = {
            (one.player_id, one.sent_at if KINDS[one.kind].is_question else one.id): (one.sent_at, player)
            for one, player in session.exec(sent)
        }
    for at, player in emails.values():
        assert at is not None
        waited = _second(at) == _morning(player)
        (found.mornings if waited else found.times[Work.EMAIL]).append(_second(at))


def _morning(player: PlayerRow) -> int:
    """When the player's quiet hours end, as the second of the day in UTC."""
    hours = -int(player.time_zone.removeprefix("Etc/GMT")) if player.time_zone != "UTC" else 0
    return ((player.quiet_to or 0) - hours) * HOUR % DAY


def _second(at: datetime) -> int:
    return at.hour * HOUR + at.minute * 60 + at.second
