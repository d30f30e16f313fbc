"""Changing many rows in small transactions, and doing many things of which some fail."""

import pytest

from webapp.core.batches import in_batches, one_by_one
from webapp.core.database import DatabaseDown


def test_each_batch_changes_its_rows_once_in_its_own_transaction(runtime):
    """Also rows that `find` would find again."""
    changed, sessions = [], set()

    def find(_session, last):
        return [number for number in range(1, 6) if number > last][:2]

    def change(session, ids):
        changed.append(list(ids))
        sessions.add(session)
        return len(ids)

    assert in_batches(runtime.database, find, change, "row") == 5
    assert changed == [[1, 2], [3, 4], [5]]
    assert len(sessions) == 3


def test_a_row_that_fails_holds_up_none_of_its_batch(runtime, caplog):
    changed = []

    def change(_session, ids):
        if 2 in ids:
            raise ZeroDivisionError
        changed.extend(ids)
        return len(ids)

    assert in_batches(runtime.database, lambda _, last: [1, 2, 3, 4][last:][:3], change, "row") == 3
    assert changed == [1, 3, 4]
    assert "row 2 failed" in caplog.text


def test_an_item_that_fails_is_put_off():
    done, put_off = [], []
    one_by_one("item", [0, 1, 2], lambda item: done.append(1 // item), put_off.append)
    assert (done, put_off) == ([1, 0], [0])


def test_no_item_is_tried_while_the_database_is_down():
    tried = []

    def fail(item):
        tried.append(item)
        raise DatabaseDown("it does not answer")

    with pytest.raises(DatabaseDown):
        one_by_one("item", [1, 2], fail, tried.append)
    assert tried == [1]
