"""Measures the service with many running games, each figure beside the least that the same machine needs for it.

Fills SQLite, and PostgreSQL as safe as in production, first with a few games and then with many. Of both it measures
pages and posted turns a second with several web processes, claims of games that are due, mails a second by one worker,
memory and disk. Client, server and database share the processors of this machine.
"""

import argparse
import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import cycle, product, repeat
from pathlib import Path

import psutil
import psycopg
from sqlalchemy import make_url, text
from sqlmodel import col, update

from bench.load import requests
from bench.load.copies import Steps, copy_games, count_steps
from bench.mail import sink
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.cast import ask_all, load, make_runtime, play_first, start_game, turn_link
from tests.servers import ROOT, free_port, fresh_database, own_postgres, wait_until
from webapp import migrations, service
from webapp.core.database import PRAGMAS
from webapp.core.runtime import Runtime
from webapp.core.smtp_connection import connect
from webapp.core.tokens import TurnLink
from webapp.models import GameRow, LetterKind, LetterRow, LetterState
from worker import postman

APP, EMPTY = "webapp:create_app()", "bench.load.empty:site"
CONNECTIONS = 4  # for each web process
DUE = 1000
MAILS = 300
CLAIMS = 5
SHORT = 0  # the copy that gets no turn: the pattern


@dataclass(frozen=True)
class Filled:
    """A database with copies of a game in which somebody has to play; `link` is to the turn in the pattern."""

    runtime: Runtime
    steps: Steps
    link: TurnLink
    card: str
    folder: Path

    def path(self, copy: int) -> str:
        """The path to the turn in a copy."""
        game, player = (self.steps[name] * copy for name in ("game", "player"))
        link = replace(self.link, game_id=self.link.game_id + game, player_id=self.link.player_id + player)
        return self.runtime.signer.local_url(link)


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    asked.add_argument("--games", type=int, nargs="+", default=[10_000, 100_000], help="how many")
    asked.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4], help="web processes")
    asked.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    asked.add_argument("--seconds", type=float, default=5, help="of each measurement of pages and of turns")
    asked.add_argument("--records", type=int, default=500, help="of a long game")
    options = asked.parse_args()
    report_machine()
    for database, games in product(options.databases, options.games):
        with tempfile.TemporaryDirectory() as folder, sink() as relay, ExitStack() as stack:
            url = stack.enter_context(postgres()) if database == "postgresql" else ""
            runtime = make_runtime(Path(folder), url, smtp_url=relay, mails_a_day=100_000)
            measure_all(database, fill(runtime, Path(folder)), games, options)
            runtime.database.engine.dispose()
    report_machine()
    return 0


@contextmanager
def postgres() -> Iterator[str]:
    with own_postgres(settings=()) as server, fresh_database(server.url) as url:
        migrations.upgrade(url)
        yield url


def fill(runtime: Runtime, folder: Path) -> Filled:
    """The pattern: a game of four people that has got its first records, all asked."""
    runtime.now.at = datetime.now(UTC)  # type: ignore[attr-defined]  # the cast's own clock
    game_id = start_game(runtime)
    while load(runtime, game_id).game.stage is not Stage.PLAY or len(load(runtime, game_id).game.plays) < 2:
        play_first(runtime, game_id)
    ask_all(runtime)
    game = load(runtime, game_id).game
    seat = game.to_act[0]
    card = card_text(min(legal(game, seat)))
    return Filled(runtime, count_steps(runtime.database.engine), turn_link(runtime, game_id, seat), card, folder)


def measure_all(database: str, filled: Filled, games: int, options: argparse.Namespace) -> None:
    begun = time.perf_counter()
    copy_games(filled.runtime.database.engine, filled.steps, games)
    size = disk(filled) / games
    say(f"\n{database}, {games:,} games, made in {time.perf_counter() - begun:.0f} s; ", end="")
    say(f"{size / 1000:.1f} kB of disk for each, without the texts of mails")
    copies = random.Random(1).sample(range(1, games + 1), games)
    for processes in options.processes:
        report_site(filled, copies, processes, options.seconds)
    report_claims(filled, games)
    report_mails(filled, copies)
    report_long_game(filled, copies[0], options.records, options.seconds)


def report_site(filled: Filled, copies: list[int], processes: int, seconds: float) -> None:
    """Prints the speed of pages and of posted turns; each of the copies gets at most one turn."""
    connections = CONNECTIONS * processes
    with served(filled, EMPTY, processes) as (port, _):
        empty = requests.a_second(port, repeat(requests.get("/")), connections, seconds, 200)
    with served(filled, APP, processes) as (port, server):
        pages = cycle([requests.get(filled.path(copy)) for copy in copies[-2000:]])
        requests.a_second(port, pages, connections, seconds, 200)  # what each process keeps is prepared
        shown = requests.a_second(port, pages, connections, seconds, 200)
        turns = (requests.post(filled.path(copy), card=filled.card, way="page") for copy in drained(copies))
        posted = requests.a_second(port, turns, connections, seconds, 303)
        memory = sum(one.memory_full_info().pss for one in [server, *server.children(recursive=True)]) / 2**20
    line(f"pages of a turn, {processes} web", f"{shown:,.0f}/s", f"an empty page {empty:,.0f}/s")
    line(f"turns posted, {processes} web", f"{posted:,.0f}/s", f"a bare transaction {bare_transactions(filled):,.0f}/s")
    line(f"memory, {processes} web", f"{memory:,.0f} MB", "")


def report_claims(filled: Filled, games: int) -> None:
    """Prints how long the claim of all that are due takes, by us and by the same statement without us."""
    ours = [made_due(filled, games, lambda now: len(service.claim_due(filled.runtime, now))) for _ in range(CLAIMS)]
    bare = [made_due(filled, games, lambda now: bare_claim(filled, now)) for _ in range(CLAIMS)]
    ours_ms, bare_ms = (1000 * statistics.median(times) for times in (ours, bare))
    line(f"claiming {min(DUE, games):,} due games", f"{ours_ms:.0f} ms", f"bare SQL {bare_ms:.0f} ms")


def report_mails(filled: Filled, copies: list[int]) -> None:
    """Prints the mails a second by one worker, and by a bare connection that sends the same bytes."""
    chosen = copies[:MAILS]
    ids = [copy * filled.steps["letter"] + newest_question(filled) for copy in chosen]
    owed = {"state": LetterState.QUEUED, "next_at": filled.runtime.now(), "tries": 0, "sent_at": None}
    with filled.runtime.database.writing() as session:
        session.exec(update(LetterRow).where(col(LetterRow.id).in_(ids)).values(**owed))
    begun = time.perf_counter()
    sent = postman.deliver(filled.runtime)
    ours = sent / (time.perf_counter() - begun)
    with filled.runtime.database.reading() as session:
        content = "\r\n".join((session.get_one(LetterRow, ids[0]).message or "").splitlines()).encode()
    line("mails, one worker", f"{ours:,.0f}/s", f"bare SMTP {bare_mails(filled, content):,.0f}/s")


def report_long_game(filled: Filled, copy: int, records: int, seconds: float) -> None:
    """Prints the speed of the page in a game of that many records beside that in one of a few."""
    game_id = filled.link.game_id + copy * filled.steps["game"]
    while load(filled.runtime, game_id).row.turns < records:
        play_first(filled.runtime, game_id)
    game = load(filled.runtime, game_id).game
    long = filled.runtime.signer.local_url(turn_link(filled.runtime, game_id, game.to_act[0]))
    with served(filled, APP, 1) as (port, _):
        paths = (long, filled.path(SHORT), long)  # the first is to warm up
        speeds = [requests.a_second(port, repeat(requests.get(path)), CONNECTIONS, seconds, 200) for path in paths]
    line(f"pages in a game of {records} records", f"{speeds[2]:,.0f}/s", f"in a short one {speeds[1]:,.0f}/s")


def newest_question(filled: Filled) -> int:
    """The number of the pattern's letter that asks for the turn."""
    with filled.runtime.database.reading() as session:
        asking = text("SELECT max(id) FROM letter WHERE kind = :kind AND game_id = :game")
        values = {"kind": LetterKind.TURN.value, "game": filled.link.game_id}
        return int(session.connection().execute(asking, values).scalar_one())


@contextmanager
def served(filled: Filled, app: str, processes: int) -> Iterator[tuple[int, psutil.Process]]:
    """The port and the process of a gunicorn, as in the Procfile, once it answers."""
    settings = filled.runtime.settings
    port = free_port()
    own = {"DATA_DIR": str(filled.folder), "PORT": str(port), "WEB_CONCURRENCY": str(processes)}
    environment = {
        **os.environ,
        **own,
        "DATABASE_URL": settings.database_url.get_secret_value(),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-m", "gunicorn", app]
    output = subprocess.DEVNULL
    server = psutil.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
    try:
        wait_until("the server", lambda: answers(port))
        yield port, server
    finally:
        server.terminate()
        server.wait()


def answers(port: int) -> bool:
    try:
        return requests.a_second(port, iter([requests.get("/")]), 1, 1, 200) > 0
    except OSError:
        return False


def made_due(filled: Filled, games: int, claim: Callable[[datetime], int]) -> float:
    """The seconds that a claim took, after other games than before were made due."""
    now = filled.runtime.now()
    chosen = [1 + number for number in random.Random().sample(range(games), min(DUE, games))]
    numbers = [filled.link.game_id + copy * filled.steps["game"] for copy in chosen]
    with filled.runtime.database.writing() as session:
        session.exec(update(GameRow).where(col(GameRow.wake_at) <= now).values(wake_at=now + timedelta(days=1)))
        session.exec(update(GameRow).where(col(GameRow.id).in_(numbers)).values(wake_at=now - timedelta(seconds=1)))
    begun = time.perf_counter()
    assert claim(now) == len(numbers)
    return time.perf_counter() - begun


def bare_claim(filled: Filled, now: datetime) -> int:
    """The claim as one statement, by the driver."""
    until, rings = now + timedelta(seconds=5), "rings = rings + 1"
    due = "SELECT id FROM game WHERE state = 'playing' AND wake_at <= {0} ORDER BY wake_at LIMIT 1000"
    claim = f"UPDATE game SET wake_at = {{0}}, {rings} WHERE id IN ({due}) RETURNING id"
    if filled.runtime.settings.database.startswith("sqlite"):
        plain = [moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ") for moment in (until, now)]
        with bare_sqlite(filled) as connection:
            return len(connection.execute(claim.format("?"), plain).fetchall())
    with psycopg.connect(bare_url(filled)) as connection:
        locking = claim.replace("LIMIT 1000", "LIMIT 1000 FOR UPDATE SKIP LOCKED").format("%s")
        return len(connection.execute(locking, (until, now)).fetchall())


def bare_transactions(filled: Filled, count: int = 300) -> float:
    """Transactions a second that insert one small row, by the driver over one connection."""
    if filled.runtime.settings.database.startswith("sqlite"):
        with bare_sqlite(filled) as connection:
            return committed(count, connection, "?")
    with psycopg.connect(bare_url(filled)) as connection:
        return committed(count, connection, "%s")


def committed(count: int, connection: sqlite3.Connection | psycopg.Connection, place: str) -> float:
    connection.execute("CREATE TABLE bare (number int)")
    connection.commit()
    begun = time.perf_counter()
    for number in range(count):
        connection.execute(f"INSERT INTO bare VALUES ({place})", (number,))
        connection.commit()
    took = time.perf_counter() - begun
    connection.execute("DROP TABLE bare")
    connection.commit()
    return count / took


@contextmanager
def bare_sqlite(filled: Filled) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(make_url(filled.runtime.settings.database).database or "")
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    yield connection
    connection.commit()
    connection.close()


def bare_url(filled: Filled) -> str:
    return make_url(filled.runtime.settings.database).set(drivername="postgresql").render_as_string(hide_password=False)


def bare_mails(filled: Filled, content: bytes) -> float:
    """Mails a second over one connection, without us."""
    smtp = connect(filled.runtime.settings.relay or "", 10)
    begun = time.perf_counter()
    for _ in range(MAILS):
        smtp.sendmail("hearts@example.org", ["ann@example.org"], content)
    took = time.perf_counter() - begun
    smtp.quit()
    return MAILS / took


def disk(filled: Filled) -> int:
    """The bytes of the database."""
    with filled.runtime.database.reading() as session:
        size = "SELECT pg_database_size(current_database())"
        if filled.runtime.settings.database.startswith("sqlite"):
            size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        return int(session.connection().execute(text(size)).scalar_one())


def drained(copies: list[int]) -> Iterator[int]:
    """Takes the copies off the list, one after another."""
    while copies:
        yield copies.pop()


def line(what: str, ours: str, beside: str) -> None:
    say(f"  {what:36}{ours:>12}   {beside}")


def report_machine() -> None:
    free = shutil.disk_usage(tempfile.gettempdir()).free / 2**30
    say(f"{os.cpu_count()} processors, load over the last minute {os.getloadavg()[0]:.1f}; {free:.0f} GB of disk free")


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
