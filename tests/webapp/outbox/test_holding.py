"""Holding all sending: since when, how often it is noted, and that nothing but its end ends it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from tests.webapp.noted import noted
from webapp.models import OperatorAct, PauseRow
from webapp.outbox import holding


@pytest.fixture
def begun(runtime):
    """The moment since when Ann holds all sending."""
    with runtime.database.writing() as session:
        holding.hold(session, "ann", runtime.now())
    return runtime.now()


def held_since(runtime):
    with runtime.database.reading() as session:
        return holding.held_since(session)


def test_holding_once_more_changes_nothing_and_is_not_noted(runtime, begun):
    runtime.now.pass_by(timedelta(hours=1))
    with runtime.database.writing() as session:
        holding.hold(session, "bo", runtime.now())
    assert held_since(runtime) == begun
    assert noted(runtime) == [(OperatorAct.HOLD, "")]


def test_a_hold_outlives_every_pause_of_a_domain(runtime, begun):
    with runtime.database.writing() as session:
        session.add(PauseRow(domain="example.org", until=begun + timedelta(hours=1), reason="421"))
    runtime.now.pass_by(timedelta(days=999))
    with runtime.database.writing() as session:
        holding.forget_old(session, runtime.now())
        assert [row.domain for row in session.exec(select(PauseRow))] == [holding.HELD]
    assert held_since(runtime) == begun


def test_a_pause_that_is_not_over_stays(runtime):
    with runtime.database.writing() as session:
        session.add(PauseRow(domain="example.org", until=runtime.now(), reason="421"))
        session.flush()
        holding.forget_old(session, runtime.now())
        assert session.get(PauseRow, "example.org") is not None
    assert held_since(runtime) is None


def test_a_hold_ends_once_and_may_begin_anew(runtime, begun):
    for _ in range(2):
        with runtime.database.writing() as session:
            holding.resume(session, "ann", runtime.now())
        assert held_since(runtime) is None
    with runtime.database.writing() as session:
        holding.hold(session, "bo", runtime.now())
    assert [act for act, _ in noted(runtime)] == [OperatorAct.HOLD, OperatorAct.RESUME, OperatorAct.HOLD]
