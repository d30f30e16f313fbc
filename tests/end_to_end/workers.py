"""Workers that are killed or stopped while they hold letters or games, and what becomes of those."""

import fcntl
import os
import signal
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

from redis import Redis
from sqlalchemy import text
from sqlmodel import col, func, select

from hearts.robot import Level
from hearts.rules import preset_rules
from tests.cast import letters, start_game
from tests.end_to_end.players import Inboxes
from tests.end_to_end.service import Service
from tests.servers import MailServer, wait_until
from tests.table import Table
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, TableRow, TurnSource
from webapp.play import due_games
from webapp.tables import hosting

TWO_PACKS = preset_rules("cancellation", players=11)
A_DAY = timedelta(days=1)
LIVE = timedelta(seconds=7)
TABLE = tuple(f"{name}{number}" for name in ("Ann", "Bo", "Cy", "Di") for number in (1, 2, 3))[:11]
GAMES = 5  # of eleven players each, so that there are more questions than a batch holds
WITHIN = 120  # seconds, of which a lease is the most, and a worker that starts on a busy machine the rest
PAUSE = 0.05  # seconds
BROKER_SECONDS = 5  # for which a broker may take to answer
BUSY = """SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'"""
Games = list[int]


def ask_many(runtime: Runtime) -> Games:
    """Questions to as many players as a batch has letters, and a few more; nothing else is queued."""
    games = [
        start_game(runtime, tuple(f"{name}-{number}" for name in TABLE), rules=TWO_PACKS, pace=A_DAY).game_id
        for number in range(GAMES)
    ]
    with runtime.database.writing() as session:
        for letter in letters(runtime):
            if letter.kind is not LetterKind.TURNS and letter.state is LetterState.QUEUED:
                session.merge(letter).state = LetterState.SUPERSEDED
    return games


def questions(runtime: Runtime, games: Games) -> list[LetterRow]:
    return [letter for letter in letters(runtime, LetterKind.TURNS) if letter.game_id in games]


def claimed(runtime: Runtime, games: Games) -> int:
    """How many questions a worker holds; asked often, so the database counts."""
    return _count(runtime, games, LetterRow.state == LetterState.QUEUED, col(LetterRow.next_at) > runtime.now())


def all_are_sent(runtime: Runtime, games: Games) -> bool:
    return _count(runtime, games) > 0 == _count(runtime, games, LetterRow.state != LetterState.SENT)


def _count(runtime: Runtime, games: Games, *conditions: Any) -> int:
    asked = col(LetterRow.kind) == LetterKind.TURNS, col(LetterRow.game_id).in_(games), *conditions
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).select_from(LetterRow).where(*asked)).one()


def copies(inboxes: Inboxes) -> Counter[str]:
    """How often each email came since then."""
    return Counter(mail.message["Message-ID"] for mail in inboxes.arrived)


def freeze(service: Service, runtime: Runtime) -> None:
    """Stops the worker, but not in a transaction, in which it would keep everybody else from writing."""
    worker = service.running["worker"].pid
    os.killpg(worker, signal.SIGSTOP)
    while is_writing(runtime):
        os.killpg(worker, signal.SIGCONT)
        time.sleep(PAUSE)
        os.killpg(worker, signal.SIGSTOP)


def is_writing(runtime: Runtime) -> bool:
    """Whether any process is in a transaction that may keep others from writing."""
    if runtime.settings.database.startswith("postgresql"):
        with runtime.database.reading() as session:
            return session.connection().scalar(text(BUSY)) > 0
    with Path(f"{runtime.database.engine.url.database}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def hang_with_a_batch(service: Service, runtime: Runtime, mail_server: MailServer) -> Games:
    """Waits until a worker has claimed a whole batch and hangs at the first letter, as the mail server is silent."""
    freeze(service, runtime)  # else it would begin with fewer
    games = ask_many(runtime)
    mail_server.is_silent = True
    os.killpg(service.running["worker"].pid, signal.SIGCONT)
    wait_until("a worker holds a whole batch", lambda: claimed(runtime, games) >= 50)
    return games


def played_for(runtime: Runtime, games: Games) -> list[TurnSource]:
    ways = [record.source for game_id in games for record in Table(runtime, game_id).stored.records]
    return [way for way in ways if way is TurnSource.TIMEOUT]


def check_live_table_goes_on(service: Service, runtime: Runtime) -> None:
    """Kills a worker while a robot thinks, and checks that another one soon plays for the robot."""
    table = start_game(runtime, ("Ann",), robots=3, pace=LIVE)
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).robots = Level.STRONG
    wait_until("only Ann is to pass", lambda: table.game.to_act == (0,))
    service.rows_at_rest()
    freeze(service, runtime)
    while table.game.to_act == (0,):
        table.play_first()
    turns = table.row.turns
    assert due_games.claim_due(runtime, runtime.now()) == [table.game_id], "as the worker does before it thinks"
    service.kill("worker")
    drop_rings(runtime)
    service.start_again("worker")
    wait_until("a robot has played", lambda: table.row.turns > turns, 60)
    end(runtime, table.game_id)


def end(runtime: Runtime, game_id: int) -> None:
    """Ends a game, which would else go on during later tests."""
    table = Table(runtime, game_id).stored.table
    hosting.end_game_as_operator(runtime, table.id, runtime.now(), by="ann")


def drop_rings(runtime: Runtime) -> None:
    """Empties the broker, as if the dead worker had taken every ring."""
    if runtime.settings.broker_url:
        with Redis.from_url(runtime.settings.broker, socket_timeout=BROKER_SECONDS) as redis:
            redis.flushdb()
    for file in (runtime.settings.data_dir / "broker" / "queue").glob("*.msg"):
        file.unlink(missing_ok=True)
