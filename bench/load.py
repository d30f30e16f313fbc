"""Measures the processor time of a turn page, a posted card and a mail: python -m bench.load [--before CHECKOUT]

Each is made in this process, with the real database and without a network. `--before` runs the same measurements with
the code of another checkout, and the libraries of its `.venv` if it has one, in turn with this one, so that other load
on the machine affects both alike. Of several rounds the middle counts.
"""

import argparse
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import text

from bench.printing import say
from hearts.cards import card_text
from hearts.game import Stage, legal
from tests.cast import NAMES, start_game
from tests.servers import fresh_database, postgres_server
from webapp import migrations
from webapp.core.runtime import Runtime
from webapp.site import make_site
from worker import postman

try:  # this runs in the checkout `--before`, too: in older ones the same stands elsewhere, and a game is a number
    from tests.runtimes import make_runtime
except ModuleNotFoundError:
    from tests.cast import make_runtime
try:
    from tests.table import Table
except ModuleNotFoundError:
    from tests import cast

    try:
        from tests.playing import play_first
    except ModuleNotFoundError:
        play_first = cast.play_first

    class Table:  # type: ignore[no-redef]
        def __init__(self, runtime, game_id):  # type: ignore[no-untyped-def]
            self._game = runtime, game_id

        game = property(lambda self: cast.load(*self._game).game)

        def play_first(self) -> None:
            play_first(*self._game)

        def turn_link(self, seat):  # type: ignore[no-untyped-def]
            return cast.turn_link(*self._game, seat)


ROOT: Final = Path(__file__).parent.parent
OURS: Final = {"Sec-Fetch-Site": "same-origin"}
PAGES, CARDS, TABLES, ROUNDS = 200, 40, 12, 5
WHAT: Final = ("a turn page", "a posted card", "a mail")


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--before", type=Path, help="another checkout of this project, to compare with")
    asked.add_argument("--figures", metavar="URL", help="print the bare figures on that database, or on `sqlite`")
    options = asked.parse_args()
    logging.disable(logging.WARNING)
    if options.figures:
        say(" ".join(map(str, figures("" if options.figures == "sqlite" else options.figures))))
        return 0
    checkouts = [ROOT, *([options.before] if options.before else [])]
    say("processor time, ms   " + "".join(f"{what:>16}" for what in WHAT))
    with postgres_server() as server:
        for database in ("SQLite", "PostgreSQL"):
            rounds: dict[Path, list[list[float]]] = {checkout: [] for checkout in checkouts}
            for _ in range(ROUNDS):
                for checkout in checkouts:
                    rounds[checkout].append(measured(checkout, server if database == "PostgreSQL" else ""))
            middles = [
                [statistics.median(one) for one in zip(*rounds[checkout], strict=True)] for checkout in checkouts
            ]
            for checkout, middle in zip(("here", "before"), middles, strict=False):
                say(f"{database:10} {checkout:10}" + "".join(f"{one:16.2f}" for one in middle))
            if options.before:
                ratios = [ours / theirs for ours, theirs in zip(*middles, strict=True)]
                say(f"{database:10} {'ratio':10}" + "".join(f"{one:16.2f}" for one in ratios))
    return 0


def measured(checkout: Path, server: str) -> list[float]:
    """The figures of a checkout, on a new database of the PostgreSQL server, or on SQLite if there is none."""
    if not server:
        return run(checkout, "sqlite")
    with fresh_database(server) as url:
        return run(checkout, url)


def run(checkout: Path, database: str) -> list[float]:
    own = checkout / ".venv" / "bin" / "python"  # an older checkout may need other libraries
    command = [str(own) if own.exists() else sys.executable, str(Path(__file__).resolve()), "--figures", database]
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    done = subprocess.run(command, cwd=checkout, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [float(one) for one in done.stdout.split()]


def figures(url: str) -> list[float]:
    """The milliseconds of processor for each of WHAT."""
    with tempfile.TemporaryDirectory() as folder:
        if url:
            migrations.upgrade(url)
        runtime = make_runtime(Path(folder), url)
        found = [*of_pages(runtime), of_mails(runtime)]
        runtime.database.engine.dispose()
        return found


def of_pages(runtime: Runtime) -> Iterator[float]:
    """A turn page in the first trick, and then the cards of a hand, each posted by the form of its page."""
    client, table = make_site(runtime).test_client(), start_game(runtime)
    table = table if isinstance(table, Table) else Table(runtime, table)

    def turn() -> tuple[str, str]:
        """The path of the next turn at which a card is due, and a card for it."""
        while (game := table.game).stage is not Stage.PLAY:
            table.play_first()
        seat = game.to_act[0]
        return runtime.signer.local_url(table.turn_link(seat)), card_text(min(legal(game, seat)))

    path, card = turn()
    client.get(path)
    yield spent(lambda: client.get(f"{path}?card={card}"), PAGES)
    posts = []
    for _ in range(CARDS):
        path, card = turn()
        begun = time.process_time()
        answer = client.post(path, data={"card": card, "way": "page"}, headers=OURS)
        posts.append(1000 * (time.process_time() - begun))
        assert answer.status_code == 303, answer.status
    yield statistics.median(posts)


def of_mails(runtime: Runtime) -> float:
    """A mail that is queued, claimed, composed, and noted as kept; four of five ask for a pass, and none is late."""
    postman.deliver(runtime)
    before, milliseconds = kept(runtime), 0.0
    for number in range(TABLES):  # with other people at each: the turns of one player are one mail
        start_game(runtime, tuple(f"{name}{chr(ord('a') + number)}" for name in NAMES))
        with runtime.database.writing() as session:  # nobody is on our pages, for whom mails would wait
            session.connection().execute(text("UPDATE player SET seen_at = NULL"))
            session.connection().execute(text("UPDATE letter SET next_at = created_at WHERE state = 'queued'"))
        milliseconds += spent(lambda: postman.deliver(runtime), 1)
    return milliseconds / (kept(runtime) - before)


def kept(runtime: Runtime) -> int:
    with runtime.database.reading() as session:
        return int(session.connection().execute(text("SELECT count(*) FROM letter WHERE state = 'kept'")).scalar_one())


def spent(do: Callable[[], object], times: int) -> float:
    begun = time.process_time()
    for _ in range(times):
        do()
    return 1000 * (time.process_time() - begun) / times


if __name__ == "__main__":
    sys.exit(main())
