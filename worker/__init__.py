"""Works in the background: runs the Celery tasks, sends and receives mails, and sweeps for what is due."""
