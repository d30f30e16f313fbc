"""Waking a worker through the broker, by the name of a task.

A ring carries no more than "look": what is owed stands in the database. So a ring that gets lost, or a broker that is
down, costs time (until the next sweep) and nothing else.
"""

import logging
from typing import Any

from celery import Celery
from kombu.entity import Queue
from kombu.exceptions import OperationalError

from webapp.core.config import Settings
from webapp.core.data_folder import make_folder
from webapp.core.log import Outage

log = logging.getLogger(__name__)

DELIVER = "worker.tasks.deliver"  # letters are owed
PLAY_FOR_ABSENT = "worker.tasks.mind"  # a game has somebody to play for: its id
PROCESS_INBOUND = "worker.tasks.sort"  # mails have come in
MOVE = "worker.tasks.move"  # a player's move to another address has waited long enough
# A queue each, which workers empty in turn: mails do not wait behind a thousand games, nor games behind mails.
QUEUES = {DELIVER: "mails", PROCESS_INBOUND: "mails", MOVE: "mails", PLAY_FOR_ABSENT: "games"}
RING_LIFE = 60.0  # seconds after which an unheard ring is worth nothing: the sweep has rung again


class Bell:
    """Rings for the workers; safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self._celery = broker_client(settings)
        self._outage = Outage(log, "the broker", "the next sweep finds what is owed")

    def deliver(self) -> None:
        self._ring(DELIVER)

    def sort(self) -> None:
        self._ring(PROCESS_INBOUND)

    def move(self) -> None:
        self._ring(MOVE)

    def play_for_absent(self, game_id: int) -> None:
        self._ring(PLAY_FOR_ABSENT, game_id)

    def _ring(self, task: str, *args: int) -> None:
        try:
            self._celery.send_task(task, args, expires=RING_LIFE, ignore_result=True)
        except (OperationalError, OSError) as error:
            self._outage.note_failure(type(error).__name__)
        else:
            self._outage.note_success()


def broker_client(settings: Settings) -> Celery:
    """A Celery app on the broker of the settings, for those who ring and for the workers who listen."""
    app = Celery("hearts", broker=settings.broker, set_as_current=False)
    app.conf.update(
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_ignore_result=True,
        task_publish_retry=False,
        task_queues=[Queue(name) for name in sorted(set(QUEUES.values()))],  # type: ignore[no-untyped-call]
        task_routes={task: {"queue": name} for task, name in QUEUES.items()},
        worker_prefetch_multiplier=4,  # with 1, a broker that is polled hands out one task per poll
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_timeout=2,
        broker_transport="webapp.core.filesystem_broker:Transport"
        if settings.broker.startswith("filesystem")
        else None,
        broker_transport_options=_transport_options(settings),
    )
    return app


def _transport_options(settings: Settings) -> dict[str, Any]:
    if settings.broker.startswith("filesystem"):
        folder = settings.data_dir.absolute() / "broker"
        for needed in (folder, folder / "queue", folder / "control"):
            make_folder(needed)
        return {
            # One folder for both directions: what one process puts in, another takes out.
            "data_folder_in": str(folder / "queue"),
            "data_folder_out": str(folder / "queue"),
            "control_folder": str(folder / "control"),
            "polling_interval": 0.1,
        }
    if settings.broker.startswith("redis"):
        # Redis hands a lost worker's task to another only after the timeout, and looks every interval x throttle.
        return {
            "visibility_timeout": 300,
            "unacked_restore_interval": 5,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 2,
            "socket_timeout": 10,
        }
    return {}
