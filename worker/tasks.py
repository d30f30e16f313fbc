"""The Celery tasks, by the names that `webapp.core.bell` rings. Any may run twice, or several times at once.

A task ends if the database is down; the sweep rings again when it is back.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from webapp.accounts import changing_address
from webapp.away import absence
from webapp.core import bell, metrics
from webapp.core.database import DatabaseDown
from webapp.core.log import about
from webapp.evenings import agreeing
from webapp.health import heartbeats
from webapp.inbox import acting
from webapp.play import due_games
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


@app.task(name=bell.MEET)
def run_due_evenings() -> None:
    """Does what is due for evenings together."""
    with _run("run_due_evenings"):
        agreeing.run_due(runtime, runtime.now())


@app.task(name=bell.RETURN)
def return_players() -> None:
    """Sets players as back whose time away is over."""
    with _run("return_players"):
        absence.end_due(runtime, runtime.now())


@app.task(name=bell.PROCESS_INBOUND)
def process_inbound() -> None:
    """Reads the inbound mails, and does what they ask for."""
    with _run("process_inbound"):
        acting.process_inbound(runtime)


@app.task(name=bell.MOVE)
def apply_address_changes() -> None:
    """Applies the address changes whose wait is over."""
    with _run("apply_address_changes"):
        changing_address.apply_ready_changes(runtime, runtime.now())


@app.task(name=bell.REPORT)
def report() -> None:
    """Records that a worker is alive."""
    with _run("report"), runtime.database.writing() as session:
        heartbeats.note_alive(session, heartbeats.WORKER, runtime.now())
