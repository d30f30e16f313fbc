"""Counting in the database what is limited: exact however many count at once, and forgotten when its time is over."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

from sqlmodel import select

from webapp import counts
from webapp.models import CountRow
from worker import scheduler

HOUR = timedelta(hours=1)


def add(parts, amount=1, key="k"):
    with parts.database.writing() as session:
        return counts.add(session, key, amount, HOUR, parts.now())


def kept(parts):
    with parts.database.reading() as session:
        return session.exec(select(CountRow)).all()


def test_it_counts_each_key_from_its_first_use_until_its_time_is_over(either_parts):
    parts = either_parts
    begun = parts.now()
    assert [add(parts), add(parts, 3), add(parts, key="other")] == [1, 4, 1]
    parts.now.pass_by(HOUR - timedelta(seconds=1))
    assert add(parts) == 5
    with parts.database.reading() as session:
        assert counts.used(session, "k", parts.now()) == (5, begun + HOUR)
        assert counts.used(session, "k", begun + HOUR) == (0, begun + HOUR)
        assert counts.used(session, "never", parts.now()) == (0, parts.now())
    parts.now.pass_by(timedelta(seconds=1))
    assert add(parts, 2) == 2
    (row,) = [row for row in kept(parts) if row.key == "k"]
    assert row.ends_at == parts.now() + HOUR


def test_what_is_given_back_leaves_nothing(either_parts):
    parts = either_parts
    add(parts, 2)
    assert add(parts, -1) == 1
    add(parts, -1)
    assert kept(parts) == []
    add(parts)
    parts.now.pass_by(HOUR)
    add(parts, -1)  # of a time that is over
    assert kept(parts) == []


def test_of_many_that_count_at_once_each_gets_a_number_of_its_own(either_parts):
    parts = either_parts
    together = Barrier(8)

    def count(_):
        together.wait()
        return add(parts)

    with ThreadPoolExecutor(8) as pool:
        assert sorted(pool.map(count, range(8))) == list(range(1, 9))


def test_counts_of_times_that_are_over_are_forgotten_each_day(parts):
    add(parts, key="old")
    parts.now.pass_by(HOUR)
    add(parts, key="new")
    scheduler.forget_old_letters(parts)
    assert [row.key for row in kept(parts)] == ["new"]
