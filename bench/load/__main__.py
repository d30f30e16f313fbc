"""Measures the service with many running games, each figure beside the least that the same machine needs for it.

Fills SQLite, and PostgreSQL as safe as in production, first with a few games and then with a million. Of both it
measures pages and posted turns a second with several web processes, claims of games that are due, mails a second by one
worker, memory and disk; beside a page, a turn and a mail, the processor time that it takes from us and from a database
server. Client, server and database share the processors of this machine. A million games take an hour and 20 GB.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import product, repeat
from typing import NamedTuple

from sqlmodel import col, update

from bench.load import bare, requests
from bench.load.copies import copy_games
from bench.load.filled import Filled, disk, filled, newest_question
from bench.printing import say, say_load
from bench.serving import Running
from tests.cast import load, play_first, turn_link
from webapp import due_games
from webapp.core.runtime import Runtime
from webapp.models import GameRow, LetterRow, LetterState
from worker import postman

EMPTY = "bench.load.empty:site"
CONNECTIONS = 4  # for each web process
DUE = 1000
MAILS = 1800
CLAIMS = 5
ROUNDS = 5
PAIRS = 11  # of a long game and a short one, since the machine's speed changes from second to second


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    asked.add_argument("--games", type=int, nargs="+", default=[10_000, 1_000_000], help="how many")
    asked.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4], help="web processes")
    asked.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"], choices=["sqlite", "postgresql"])
    asked.add_argument("--seconds", type=float, default=5, help="of each measurement of pages and of turns")
    asked.add_argument("--records", type=int, default=500, help="of a long game")
    options = asked.parse_args()
    say_load()
    for database, games in product(options.databases, options.games):
        with filled(database) as pattern:
            measure_all(database, pattern, games, options)
    say_load()
    return 0


def measure_all(database: str, filled: Filled, games: int, options: argparse.Namespace) -> None:
    begun = time.perf_counter()
    copy_games(filled.runtime.database.engine, filled.steps, games)
    size = disk(filled.runtime) / games
    say(f"\n{database}, {games:,} games, made in {time.perf_counter() - begun:.0f} s; ", end="")
    say(f"{size / 1000:.1f} kB of disk for each, without the texts of emails")
    copies = random.Random(1).sample(range(1, games + 1), games)
    kept = [copies.pop() for _ in range(min(MAILS, games // 2))]  # however many turns are posted in the others
    for processes in options.processes:
        report_site(filled, kept, copies, processes, options.seconds)
    report_claims(filled, games)
    report_mails(filled, kept)
    report_long_game(filled, kept, options.records, options.seconds)


def report_site(filled: Filled, shown: list[int], copies: list[int], processes: int, seconds: float) -> None:
    """Prints the speed of pages of the copies `shown`, and of posted turns; each of `copies` gets at most one turn.

    Alternates short measurements of each, since the machine's speed changes from second to second.
    """
    connections, briefly = CONNECTIONS * processes, seconds / ROUNDS
    pages, turns = filled.pages(shown), filled.turns(copies)

    def asked(there: Running, what: Iterator[requests.Request], status: int, so_long: float = briefly) -> float:
        return requests.a_second(there.port, what, connections, so_long, status)

    with filled.served(processes=processes) as site:
        with filled.served(EMPTY, processes) as plain:
            nothing = repeat(requests.get("/"))
            asked(plain, nothing, 200)
            asked(site, pages, 200, seconds)  # what each process keeps is prepared
            asked(site, turns, 303, seconds / 5)
            rounds = [
                (
                    asked(plain, nothing, 200),
                    of_each(filled, lambda: asked(site, pages, 200), site),
                    bare.transactions(filled),
                    of_each(filled, lambda: asked(site, turns, 303), site),
                )
                for _ in range(ROUNDS)
            ]
        memory = site.memory  # now that it runs alone: two servers would split what they share
    with filled.served(EMPTY, processes) as plain:
        asked(plain, nothing, 200)
        of_empty = plain.memory
    empty, page, transaction, turn = zip(*rounds, strict=True)
    line(f"pages of a turn, {processes} web", Rounds(page), f"an empty page {statistics.median(empty):,.0f}/s")
    line(f"turns posted, {processes} web", Rounds(turn), f"a bare transaction {statistics.median(transaction):,.0f}/s")
    beside = f"of an empty page {of_empty:,.0f} MB"
    line(f"memory, {processes} web", f"{memory:,.0f} MB", beside, f"{memory / processes:,.0f} MB for each process")


class Each(NamedTuple):
    """How many were done in a second, and what each took in milliseconds of processor: of us and of a database server.

    SQLite is a part of our own processes.
    """

    a_second: float
    ours: float
    database: float | None

    def __str__(self) -> str:
        return f"{self.a_second:,.0f}/s"

    @property
    def costs(self) -> str:
        of_database = "" if self.database is None else f" + {self.database:.1f} of the database"
        return f"{self.ours:.1f} ms of processor{of_database}"


class Rounds(NamedTuple):
    """The same, measured several times: the median, and the slowest and the fastest."""

    each: Sequence[Each]

    def __str__(self) -> str:
        return str(self._median)

    @property
    def costs(self) -> str:
        return f"{min(self.each).a_second:,.0f} to {max(self.each)}, {self._median.costs}"

    @property
    def _median(self) -> Each:
        return sorted(self.each)[len(self.each) // 2]


def of_each(filled: Filled, measure: Callable[[], float], site: Running | None = None) -> Each:
    """What `measure` did, which returns how many of it a second, and what each took; without a site by this process."""

    def worked() -> tuple[float, float]:
        return site.worked if site else time.process_time(), filled.server_worked

    begun, (ours, database) = time.perf_counter(), worked()
    a_second = measure()
    count = a_second * (time.perf_counter() - begun)
    if not count:
        sys.exit("No game is left in which a turn can be posted. Name more --games, or fewer --seconds.")
    ours, database = (1000 * (after - before) / count for after, before in zip(worked(), (ours, database), strict=True))
    return Each(a_second, ours, database if filled.server else None)


def report_claims(filled: Filled, games: int) -> None:
    """Prints how long the claim of all that are due takes, by us and by the same statement without us."""
    ours = [
        made_due(filled, games, lambda now: len(due_games.claim_due(filled.runtime, now, DUE))) for _ in range(CLAIMS)
    ]
    bare_times = [made_due(filled, games, lambda now: bare.claim(filled, now)) for _ in range(CLAIMS)]
    ours_ms, bare_ms = (1000 * statistics.median(times) for times in (ours, bare_times))
    line(f"claiming {min(DUE, games):,} due games", f"{ours_ms:.0f} ms", f"bare SQL {bare_ms:.0f} ms")


def report_mails(filled: Filled, copies: list[int]) -> None:
    """Prints the mails a second by one worker, and by a bare connection that sends the same bytes."""
    ids = [copy * filled.steps["letter"] + newest_question(filled) for copy in copies]
    first, others = ids[: len(ids) // 10], ids[len(ids) // 10 :]
    owe(filled, first)
    deliver_as_a_worker(filled.runtime)  # its templates and statements are compiled
    with filled.runtime.database.reading() as session:
        content = "\r\n".join((session.get_one(LetterRow, ids[0]).message or "").splitlines()).encode()
    emails, bare_mails = [], []
    for number in range(ROUNDS):
        owe(filled, others[number::ROUNDS])
        emails.append(of_each(filled, lambda: a_second(deliver_as_a_worker, filled.runtime)))
        bare_mails.append(bare.mails(filled, content, len(others) // ROUNDS))
    line("emails, one worker", Rounds(emails), f"bare SMTP {statistics.median(bare_mails):,.0f}/s")


def owe(filled: Filled, letter_ids: Sequence[int]) -> None:
    """Queues the letters as new ones, none of which is late."""
    now = filled.runtime.now()
    owed = {"state": LetterState.QUEUED, "created_at": now, "next_at": now, "tries": 0, "sent_at": None}
    with filled.runtime.database.writing() as session:
        session.exec(update(LetterRow).where(col(LetterRow.id).in_(letter_ids)).values(**owed))


def deliver_as_a_worker(runtime: Runtime) -> int:
    """Sends what is due with all threads of a worker, as if a ring had come for each. Returns how many emails."""
    threads = runtime.settings.worker_threads
    with ThreadPoolExecutor(threads) as worker:
        return sum(worker.map(lambda _: postman.deliver(runtime), range(threads)))


def report_long_game(filled: Filled, copies: Sequence[int], records: int, seconds: float) -> None:
    """Prints the speed of the page in a game of that many records beside that in one of a few, asked for in turn."""
    long, short = (requests.get(played_on(filled, *each)) for each in zip(copies, (records, 0), strict=False))
    with filled.served() as site:
        asked = (long, *(short, long) * PAIRS)  # the first is to warm up
        speeds = [requests.a_second(site.port, repeat(one), CONNECTIONS, 3 * seconds / PAIRS, 200) for one in asked]
    of_short, of_long = statistics.median(speeds[1::2]), statistics.median(speeds[2::2])
    line(f"pages in a game of {records} records", f"{of_long:,.0f}/s", f"in a short one {of_short:,.0f}/s")


def played_on(filled: Filled, copy: int, records: int) -> str:
    """The path to a turn in a copy that got at least so many records: in a second trick, when nobody is shown any more
    how the last hand ended.
    """
    game_id = filled.link.game_id + copy * filled.steps["game"]
    while not ((stored := load(filled.runtime, game_id)).row.turns >= records and len(stored.game.tricks) == 1):
        play_first(filled.runtime, game_id)
    return filled.runtime.signer.local_url(turn_link(filled.runtime, game_id, stored.game.to_act[0]))


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


def a_second(work: Callable[[Runtime], int], runtime: Runtime) -> float:
    """How many a second `work` does, which returns how many it has done."""
    begun = time.perf_counter()
    return work(runtime) / (time.perf_counter() - begun)


def line(what: str, ours: Rounds | str, beside: str, costs: str = "") -> None:
    costs = ours.costs if isinstance(ours, Rounds) else costs
    say(f"  {what:36}{ours!s:>12}   {beside:28}   {costs}".rstrip())


if __name__ == "__main__":
    sys.exit(main())
