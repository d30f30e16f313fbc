"""Connections to a domain: never more than the limit at a time, and each is free again once its claim is over."""

import random
from datetime import timedelta

import pytest
from sqlmodel import func, select

from tests.races import at_once
from webapp.models import ConnectionRow
from webapp.outbox import connections
from webapp.outbox.leases import LEASE, new_claim

ORG, COM = "example.org", "example.com"
MOMENT = timedelta(seconds=1)


@pytest.fixture
def runtime(either_runtime):
    return either_runtime


def take(runtime, *domains, most=2, by=None):
    """The domains to which no connection was free."""
    with runtime.database.writing() as session:
        return connections.take(session, domains, most, by or new_claim(), runtime.now())


def held(runtime):
    with runtime.database.reading() as session:
        return dict(session.exec(select(ConnectionRow.domain, func.count()).group_by(ConnectionRow.domain)).all())


def test_each_claim_gets_a_connection_to_each_domain_until_none_is_free(runtime):
    assert [take(runtime, ORG, COM), take(runtime, ORG), take(runtime, ORG, COM)] == [set(), set(), {ORG}]
    assert held(runtime) == {ORG: 2, COM: 2}


def test_a_connection_that_is_given_back_is_free_again(runtime):
    first = new_claim()
    take(runtime, ORG, COM, most=1, by=first)
    assert take(runtime, ORG, most=1) == {ORG}
    with runtime.database.writing() as session:
        connections.give_back(session, first)
    assert held(runtime) == {}
    assert take(runtime, ORG, most=1) == set()


def test_the_connection_of_a_worker_that_died_is_free_after_its_lease(runtime):
    take(runtime, ORG, most=1)
    runtime.now.pass_by(LEASE - MOMENT)
    assert take(runtime, ORG, most=1) == {ORG}
    runtime.now.pass_by(2 * MOMENT)
    assert take(runtime, ORG, most=1) == set()


def renew(runtime, by):
    with runtime.database.writing() as session:
        connections.renew(session, by, runtime.now())


def test_a_renewed_connection_stays_its_claims(runtime):
    first = new_claim()
    take(runtime, ORG, most=1, by=first)
    for _ in range(3):
        runtime.now.pass_by(LEASE - MOMENT)
        renew(runtime, first)
        assert take(runtime, ORG, most=1) == {ORG}


def test_what_another_claim_has_taken_is_neither_renewed_nor_given_back(runtime):
    first = new_claim()
    take(runtime, ORG, most=1, by=first)
    runtime.now.pass_by(LEASE + MOMENT)
    take(runtime, ORG, most=1)
    renew(runtime, first)
    with runtime.database.writing() as session:
        connections.give_back(session, first)
    assert held(runtime) == {ORG: 1}
    runtime.now.pass_by(LEASE - MOMENT)
    assert take(runtime, ORG, most=1) == {ORG}


def test_an_expired_connection_is_not_renewed(runtime):
    """Another transaction may be about to take it."""
    first = new_claim()
    take(runtime, ORG, most=1, by=first)
    runtime.now.pass_by(LEASE + MOMENT)
    renew(runtime, first)
    assert take(runtime, ORG, most=1) == set()


def test_claims_at_the_same_moment_take_no_connection_too_many(runtime):
    """Nor do they wait for each other, whatever the order in which they name the domains."""
    names = [ORG, COM, "example.net"]
    for _ in range(5):
        orders = [random.sample(names, len(names)) for _ in range(8)]
        full = at_once(*(lambda order=order: take(runtime, *order, most=3) for order in orders))
        got = {name: sum(name not in one for one in full) for name in names}
        assert got == held(runtime)
        assert all(1 <= number <= 3 for number in got.values())
        runtime.now.pass_by(LEASE + MOMENT)
        with runtime.database.writing() as session:
            connections.forget_old(session, runtime.now())


def test_only_connections_that_are_over_are_forgotten(runtime):
    take(runtime, ORG)
    runtime.now.pass_by(LEASE + MOMENT)
    take(runtime, COM)
    with runtime.database.writing() as session:
        connections.forget_old(session, runtime.now())
    assert held(runtime) == {COM: 1}
