"""Celery, mail and time: what happens without anybody looking."""
