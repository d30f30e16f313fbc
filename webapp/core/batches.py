"""Changes many rows in small transactions, so that no other process waits long for a lock."""

from collections.abc import Callable, Sequence

from sqlmodel import Session

from webapp.core.database import Database

Find = Callable[[Session, int], Sequence[int]]
BatchChange = Callable[[Session, Sequence[int]], int]


def in_batches(database: Database, find: Find, change: BatchChange) -> int:
    """Changes all rows that `find` finds, a batch in each transaction. Returns the sum of what `change` returns.

    `find` takes an id and returns the next few ids after it, in order. Other transactions may commit between `find` and
    `change`, which takes the same ids: it locks the rows, and looks again which of them it should change.
    """
    last = changed = 0
    while True:
        with database.reading() as session:
            ids = find(session, last)
        if not ids:
            return changed
        with database.writing() as session:
            changed += change(session, ids)
        last = ids[-1]
