"""The Celery app of a worker process: `celery -A worker.app worker`."""

from threading import Thread
from typing import Any

from celery.signals import worker_ready

from hearts import robot
from webapp.core.bell import broker_client
from webapp.core.start import runtime_with_database

runtime = runtime_with_database()
app = broker_client(runtime.settings)
app.conf.include = ["worker.tasks"]
app.conf.worker_concurrency = runtime.settings.worker_threads


@worker_ready.connect
def load_the_robot(**_: Any) -> None:
    """Has the robot compiled beside the work, where nothing compiled is found: it takes seconds, once a machine."""
    Thread(target=robot.warm_up, daemon=True).start()
