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
    """Compiles the robot in the background if it is not compiled yet: that takes seconds, once for each machine."""
    Thread(target=robot.warm_up, daemon=True).start()
