"""Counting in the database for limits: exact under concurrency, and deleted when the period is over."""

from datetime import timedelta

from sqlmodel import select

from tests.races import none_fails
from webapp import counts
from webapp.models import CountRow
from worker import scheduler

HOUR = timedelta(hours=1)


def add(runtime, amount=1, key="k"):
    with runtime.database.writing() as session:
        return counts.add(session, key, amount, HOUR, runtime.now())


def kept(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(CountRow)).all()


def test_each_key_counts_from_first_use_through_its_period(either_runtime):
    runtime = either_runtime
    begun = runtime.now()
    assert [add(runtime), add(runtime, 3), add(runtime, key="other")] == [1, 4, 1]
    runtime.now.pass_by(HOUR - timedelta(seconds=1))
    assert add(runtime) == 5
    with runtime.database.reading() as session:
        assert counts.ends_at(session, "k", runtime.now()) == begun + HOUR
        assert counts.ends_at(session, "never", runtime.now()) == runtime.now()
    runtime.now.pass_by(timedelta(seconds=1))
    assert add(runtime, 2) == 2
    (row,) = [row for row in kept(runtime) if row.key == "k"]
    assert row.ends_at == runtime.now() + HOUR


def test_a_count_that_is_given_back_leaves_no_row(either_runtime):
    runtime = either_runtime
    add(runtime, 2)
    assert add(runtime, -1) == 1
    add(runtime, -1)
    assert kept(runtime) == []
    add(runtime)
    runtime.now.pass_by(HOUR)
    add(runtime, -1)  # of a period that is over
    assert kept(runtime) == []


def test_simultaneous_counts_each_get_their_own_number(either_runtime):
    assert sorted(none_fails(*[lambda: add(either_runtime)] * 8)) == list(range(1, 9))


def test_expired_counts_are_deleted_each_day(runtime):
    add(runtime, key="old")
    runtime.now.pass_by(HOUR)
    add(runtime, key="new")
    scheduler.delete_old(runtime)
    assert [row.key for row in kept(runtime)] == ["new"]
