"""Provides the counters of the library `limits`: in Redis if that is the broker and answers, else in our database."""

import logging
from datetime import datetime, timedelta

from flask import Flask, current_app
from limits.storage import Storage, storage_from_string
from limits.strategies import FixedWindowRateLimiter, RateLimiter
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, delete

from webapp import counts
from webapp.core.config import Settings
from webapp.models import CountRow
from webapp.pages.common import runtime

log = logging.getLogger(__name__)
TIMEOUT = 2  # seconds for Redis to answer


class DatabaseStorage(Storage):
    """A storage for the library `limits` that uses `counts`, in the database of the current application."""

    STORAGE_SCHEME = ["hearts"]  # noqa: RUF012  the library declares it like this

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
    """Adds the counters to `app`."""
    is_redis = settings.is_broker_redis
    options = {"socket_connect_timeout": TIMEOUT, "socket_timeout": TIMEOUT} if is_redis else {}
    app.extensions["counters"] = storage_from_string(settings.broker if is_redis else "hearts://", **options)


def counters() -> RateLimiter:
    """The counters to use now: Redis if it is the broker and answers, else the database."""
    storage: Storage = current_app.extensions["counters"]
    if storage.check():
        return FixedWindowRateLimiter(storage)
    log.warning("the broker does not answer, so mail is counted in the database")
    return FixedWindowRateLimiter(DatabaseStorage())
