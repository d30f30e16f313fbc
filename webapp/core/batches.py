"""Works through many items, so that none holds up the others: neither by its locks nor by a failure."""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import TypeVar

from sqlmodel import Session

from webapp.core.database import Database, DatabaseDown
from webapp.core.log import about

Item = TypeVar("Item")
Find = Callable[[Session, int], Sequence[int]]
BatchChange = Callable[[Session, Sequence[int]], int]
TRIED_AGAIN_AFTER = timedelta(hours=1)  # where one that has failed is put off
log = logging.getLogger(__name__)


def one_by_one(
    what: str,
    items: Iterable[Item],
    do: Callable[[Item], object],
    put_off: Callable[[Item], object] | None = None,
) -> None:
    """Does each of the items. One that fails is logged as `what`, by its number, and put off, and the next is done.

    Raises DatabaseDown: then no other item can be done, either.
    """
    for item in items:
        if not _is_done(what, item, do) and put_off is not None:
            _is_done(what, item, put_off)


def in_batches(database: Database, find: Find, change: BatchChange, what: str) -> int:
    """Changes all rows that `find` finds, a batch in each transaction. Returns the sum of what `change` returns.

    `find` takes an id and returns the next few ids after it, in order. Other transactions may commit between `find` and
    `change`, which takes the same ids: it locks the rows, and looks again which of them it should change. If a batch
    fails, its rows are changed one by one; one that fails again is logged as `what`, and stays for the next call.
    """
    last = changed = 0

    def change_together(ids: Sequence[int]) -> None:
        nonlocal changed
        with database.writing() as session:
            number = change(session, ids)
        changed += number

    while True:
        with database.reading() as session:
            ids = find(session, last)
        if not ids:
            return changed
        try:
            change_together(ids)
        except DatabaseDown:
            raise
        except Exception:  # noqa: BLE001  alone, each that fails is logged
            log.warning("%d rows could not be changed together (%s); each is tried alone", len(ids), what)
            one_by_one(what, ids, lambda one: change_together([one]))
        last = ids[-1]


def _is_done(what: str, item: Item, do: Callable[[Item], object]) -> bool:
    with about(**{what: item if isinstance(item, int) else str(item)}):
        try:
            do(item)
        except DatabaseDown:
            raise
        except Exception:
            log.exception("%s %s failed; the next is done", what, item)
            return False
    return True
