"""The tasks, by the names that `webapp.core.bell` rings. Any may be run twice, or by several at once, without harm.

Where the database is down a task ends: the sweep rings again once it is back.
"""

from contextlib import suppress

from webapp import service
from webapp.accounts import changing_address
from webapp.core import bell
from webapp.core.database import DatabaseDown
from webapp.inbox import acting
from worker import postman
from worker.app import app, runtime


@app.task(name=bell.DELIVER)
def deliver() -> None:
    """Sends the letters that are owed now."""
    with suppress(DatabaseDown):
        postman.deliver(runtime)


@app.task(name=bell.PLAY_FOR_ABSENT)
def play_for_absent(game_id: int) -> None:
    """Plays for whoever is absent in the game."""
    with suppress(DatabaseDown):
        service.play_for_absent(runtime, game_id)


@app.task(name=bell.PROCESS_INBOUND)
def sort() -> None:
    """Reads the mails that have come in, and does what they ask for."""
    with suppress(DatabaseDown):
        acting.process_inbound(runtime)


@app.task(name=bell.MOVE)
def move() -> None:
    """Does the moves to another address that have waited long enough."""
    with suppress(DatabaseDown):
        changing_address.apply_ready_changes(runtime, runtime.now())
