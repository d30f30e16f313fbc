"""The Celery app of a worker process, `celery -A worker.tasks worker`, and its tasks, by the names that the bell rings.

The bell is `webapp.core.bell`. Any task may run twice, or several times at once. It ends if the database is down; the
sweep rings again when it is back.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from celery.signals import setup_logging, worker_init, worker_ready

from webapp.accounts import changing_address
from webapp.core import bell, metrics
from webapp.core.bell import broker_client
from webapp.core.database import DatabaseDown, one_by_one
from webapp.core.log import about
from webapp.core.runtime import runtime_with_database
from webapp.inbox import acting
from webapp.operators import figures, health
from webapp.play import due_games
from webapp.players import away
from webapp.robots.engine import engine
from worker import postman

runtime = runtime_with_database()
app = broker_client(runtime.settings)
app.conf.include = ["worker.tasks"]
app.conf.worker_concurrency = runtime.settings.worker_threads


@setup_logging.connect
def keep_our_log(**_: Any) -> None:
    """Keeps the log that `webapp.core.runtime` has set up: Celery replaces it if nobody takes this signal."""


@worker_ready.connect
def serve_metrics(**_: Any) -> None:
    figures.serve(runtime, figures.WORKER)


@worker_init.connect
def start_the_robot(**_: Any) -> None:
    """On a new machine, the robot begins to compile its search before somebody waits for it."""
    engine.start()


@contextmanager
def _run(task: str) -> Iterator[None]:
    """Times the task, and ends it if the database is down, which `Database` has logged."""
    with suppress(DatabaseDown), metrics.timed(metrics.TASKS.labels(task)):
        yield


@app.task(name=bell.DELIVER)
def deliver() -> None:
    """Sends the letters that are due."""
    with _run("deliver"):
        postman.deliver(runtime)


@app.task(name=bell.PLAY_FOR_ABSENT)
def play_for_absent(game_id: int) -> None:
    """Plays for the robots and absent players of the game."""
    with _run("play_for_absent"), about(game=game_id):
        due_games.play_for_absent(runtime, game_id)


@app.task(name=bell.PLAY_DUE)
def play_due() -> None:
    """Plays in a few games that are due."""
    with _run("play_due"):
        due_games.play_due(runtime)


# What one worker does until nothing is left, by the name under which it is timed; `worker.scheduler` asks what is due.
DONE_BY_ONE: Mapping[str, Callable[[], object]] = {
    "inbound mails": lambda: acting.process_inbound(runtime),
    "address changes": lambda: changing_address.apply_ready_changes(runtime, runtime.now()),
    "returns": lambda: away.end_due(runtime, runtime.now()),
}


@app.task(name=bell.DO_DUE)
def do_due() -> None:
    """Does all that one worker does."""

    def do(what: str) -> None:
        with _run(what):
            DONE_BY_ONE[what]()

    one_by_one("work", DONE_BY_ONE, do)


@app.task(name=bell.REPORT)
def report() -> None:
    """Records that a worker is alive."""
    with _run("report"), runtime.database.writing() as session:
        health.note_alive(session, health.WORKER, runtime.now())
