"""How gunicorn serves the pages; it reads this file by itself wherever it is started in this directory.

This process only starts and replaces the ones that serve. It imports next to nothing of the program, which each of
those imports itself: so it stays small.
"""

import logging
import os
import subprocess
import sys
from contextlib import suppress
from tempfile import TemporaryDirectory
from typing import Any

from webapp.core.log import LogFormat, formatter, hide_paths

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or 8000}"
workers = os.environ.get("WEB_CONCURRENCY") or 1
worker_class = "gthread"
threads = 4
loglevel = "warning"
forwarded_allow_ips = ""  # of what a proxy says, the site reads X-Forwarded-For alone, as TRUSTED_PROXIES allows
control_socket_disable = True  # nobody asks it anything, and it would lie where others may look
accesslog = None  # the paths are the keys to the players' seats: no log may hold them

# The processes count into common files, so that one of them can answer for all. The library reads this when imported.
counted = TemporaryDirectory(prefix="hearts-metrics-") if os.environ.get("METRICS_ADDRESS") else None
if counted:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = counted.name


def on_starting(_: Any) -> None:
    """Ends the whole server if a setting is invalid, and keeps the paths of bad requests out of its log."""
    check = "from webapp.core.runtime import runtime_with_database; runtime_with_database()"
    if status := subprocess.run([sys.executable, "-c", check], check=False).returncode:
        sys.exit(status)
    log = logging.getLogger("gunicorn.error")
    log.addFilter(hide_paths)
    for handler in log.handlers:
        handler.setFormatter(formatter(LogFormat(os.environ.get("LOG_FORMAT") or LogFormat.PLAIN)))


def post_worker_init(worker: Any) -> None:
    """Reads once what tells sign-ins that a restore has lost, so that they are known while the database is down.

    Each process offers the metrics of all; one of them has the port.
    """
    from webapp.core.database import DatabaseDown  # each process imports the program itself

    runtime = getattr(worker.wsgi, "extensions", {}).get("runtime")
    if runtime:
        with suppress(DatabaseDown):
            runtime.eras()
    if counted:
        from webapp.operators import figures

        figures.serve(worker.wsgi.extensions["runtime"], figures.WEB)


def on_exit(_: Any) -> None:
    if counted:
        counted.cleanup()
