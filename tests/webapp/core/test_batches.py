"""Changing many rows in small transactions."""

from webapp.core.batches import in_batches


def test_each_batch_changes_its_rows_once_in_its_own_transaction(runtime):
    """Also rows that `find` would find again."""
    changed, sessions = [], set()

    def find(_session, last):
        return [number for number in range(1, 6) if number > last][:2]

    def change(session, ids):
        changed.append(list(ids))
        sessions.add(session)
        return len(ids)

    assert in_batches(runtime.database, find, change) == 5
    assert changed == [[1, 2], [3, 4], [5]]
    assert len(sessions) == 3
