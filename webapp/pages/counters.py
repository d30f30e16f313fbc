"""The counters of Flask-Limiter in our own database, and in Redis where that is the broker and answers."""

import logging
from datetime import datetime, timedelta

from flask import Flask, current_app
from flask_limiter import Limiter
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter, RateLimiter
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, delete

from webapp import counts
from webapp.core.config import Settings
from webapp.models import CountRow
from webapp.pages.common import runtime

log = logging.getLogger(__name__)
PATIENCE = 2  # seconds for Redis to answer


class DatabaseStorage(Storage):
    """What the library `limits` asks of a storage, by `counts`, in the database of the current application."""

    STORAGE_SCHEME = ["hearts"]  # noqa: RUF012  as the library has it

    @property
    def base_exceptions(self) -> type[Exception]:
        return SQLAlchemyError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        with runtime().database.writing() as session:
            return counts.add(session, key, amount, timedelta(seconds=expiry), runtime().now())

    def get(self, key: str) -> int:
        return self._used(key)[0]

    def get_expiry(self, key: str) -> float:
        return self._used(key)[1].timestamp()

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        with runtime().database.writing() as session:
            session.exec(delete(CountRow))
        return None

    def clear(self, key: str) -> None:
        with runtime().database.writing() as session:
            session.exec(delete(CountRow).where(col(CountRow.key) == key))

    def _used(self, key: str) -> tuple[int, datetime]:
        with runtime().database.reading() as session:
            return counts.used(session, key, runtime().now())


def register(app: Flask, settings: Settings) -> None:
    """Gives `app` its counters."""
    app.extensions["counters"] = Limiter(
        lambda: "",  # nothing is limited by its address alone: see `limits`
        app=app,
        strategy="fixed-window",
        storage_uri=settings.broker if settings.is_broker_redis else "hearts://",
        storage_options={"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        if settings.is_broker_redis
        else {},
    )


def counters() -> RateLimiter:
    """Who counts now: Redis where it is the broker and answers, else the database."""
    limiter: Limiter = current_app.extensions["counters"]
    if limiter.storage.check():
        return limiter.limiter
    log.warning("the broker does not answer, so mails are counted in the database")
    return FixedWindowRateLimiter(DatabaseStorage())
