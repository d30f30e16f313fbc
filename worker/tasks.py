"""The Celery tasks, by the names that `webapp.core.bell` rings. Any may run twice, or several times at once.

A task ends if the database is down; the sweep rings again when it is back.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from webapp.accounts import changing_address
from webapp.core import bell, metrics
from webapp.core.database import DatabaseDown, one_by_one
from webapp.core.log import about
from webapp.inbox import acting
from webapp.operators import health
from webapp.play import due_games
from webapp.players import away
from worker import postman
from worker.app import app, runtime


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
