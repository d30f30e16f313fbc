"""The Celery app of a worker process: `celery -A worker.app worker`."""

from webapp.bell import broker_client
from webapp.config import settings_or_exit
from webapp.parts import Parts

parts = Parts.made_for(settings_or_exit())
app = broker_client(parts.settings)
app.conf.include = ["worker.tasks"]
