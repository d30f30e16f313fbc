"""How gunicorn serves the pages; it reads this file by itself wherever it is started in this directory."""

import os
from tempfile import TemporaryDirectory
from typing import Any

from gunicorn.systemd import listen_fds

from webapp.core.log import LogFormat, formatter, hide_paths
from webapp.core.serving import BufferingWorker
from webapp.core.start import runtime_with_database

# Here, so that a wrong one stops the whole server, and not one worker after another.
runtime = runtime_with_database()
settings = runtime.settings
bind = f"{settings.host}:{settings.port}"
workers = settings.web_concurrency
threads = 4
worker_class = "webapp.core.serving.BufferingWorker"
# What reads a file only computes. What asks a server also waits, while another page can be made, and turns wait longer:
# for locks, and for the disk.
BufferingWorker.limits_turns = runtime.database.engine.dialect.name == "sqlite"
BufferingWorker.at_once = 1 if BufferingWorker.limits_turns else 2

# With a listener each, several workers share the kept-open connections evenly. A lone worker goes without, because
# then a second service on the same port is refused, and does not take half of the first one's visitors. A listener that
# systemd hands over stays open while this server is replaced, so all share it.
reuse_port = workers > 1 and not listen_fds(unset_environment=False)

loglevel = "warning"
# The processes count into common files, so that one of them can answer for all. The library reads this when imported.
counted = TemporaryDirectory(prefix="hearts-metrics-") if settings.metrics_address else None
if counted:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counted.name

control_socket_disable = True  # nobody asks it anything, and it would lie where others may look
accesslog = None  # the paths are the keys to the players' seats: no log may hold them


def on_starting(server: Any) -> None:
    """Also what gunicorn says of requests that it could not read quotes their paths."""
    server.log.error_log.addFilter(hide_paths)
    if settings.log_format is not LogFormat.PLAIN:
        for handler in server.log.error_log.handlers:
            handler.setFormatter(formatter(settings.log_format))


def post_worker_init(worker: Any) -> None:
    """Each process offers the metrics of all; one of them has the port."""
    if counted:
        from webapp.health import exporting  # not before the library can know where to count

        exporting.serve(worker.wsgi.extensions["runtime"], exporting.WEB)


def on_exit(_: Any) -> None:
    if counted:
        counted.cleanup()
