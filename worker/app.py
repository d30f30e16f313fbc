"""The Celery app of a worker process: `celery -A worker.app worker`."""

from typing import Any

from celery.signals import setup_logging, worker_init, worker_ready

from webapp.core.bell import broker_client
from webapp.core.runtime import runtime_with_database
from webapp.operators import figures
from webapp.robots.engine import engine

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
