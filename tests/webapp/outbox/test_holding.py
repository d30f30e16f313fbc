"""Holding all sending: since when, how often it is noted, and that nothing but its end ends it."""

from datetime import timedelta

import pytest
from sqlmodel import select

from tests.cast import start_game
from tests.webapp.noted import noted
from webapp.models import LetterRow, LetterState, OperatorAct, PauseRow
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


def nothing_goes(runtime):
    with runtime.database.reading() as session:
        return holding.nothing_goes(session, runtime.now())


def test_nothing_goes_while_all_is_held(runtime, begun):
    runtime.now.pass_by(timedelta(days=999))
    assert nothing_goes(runtime)
    with runtime.database.writing() as session:
        holding.resume(session, "ann", runtime.now())
    assert not nothing_goes(runtime)


def test_nothing_goes_until_the_relay_has_been_tried_again(runtime):
    until = runtime.now() + timedelta(minutes=1)
    with runtime.database.writing() as session:
        session.add(PauseRow(domain="example.org", until=until, reason="421"))
    assert not nothing_goes(runtime), "to others it does"
    with runtime.database.writing() as session:
        session.add(PauseRow(domain=holding.EVERY_DOMAIN, until=until, reason="broken off"))
    assert nothing_goes(runtime)
    runtime.now.at = until + holding.A_MOMENT - timedelta(seconds=1)
    assert nothing_goes(runtime)
    runtime.now.pass_by(timedelta(seconds=1))
    assert not nothing_goes(runtime)


def test_all_goes_once_the_relay_has_taken_a_letter_again(runtime):
    start_game(runtime)
    with runtime.database.writing() as session:
        holding.pause(session, holding.EVERY_DOMAIN, runtime.now(), "530 log in first", runtime.now())
    assert nothing_goes(runtime)
    with runtime.database.writing() as session:
        letter = session.exec(select(LetterRow).limit(1)).one()
        letter.state, letter.sent_at = LetterState.SENT, runtime.now()
    assert not nothing_goes(runtime)
