"""Metrics of a process: the time of a block, what counts once it is committed, and the providers that are named."""

from contextlib import suppress

import pytest
from prometheus_client import CollectorRegistry, Histogram

from tests.webapp.figures import value
from webapp.core import metrics
from webapp.core.metrics import provider, timed
from webapp.core.tokens import LinkInvalid
from webapp.models import PlayerRow


@pytest.fixture
def registry():
    return CollectorRegistry()


def test_a_block_is_timed_once_also_if_it_raises(registry):
    histogram = Histogram("block", "A block.", registry=registry)
    with timed(histogram):
        assert registry.get_sample_value("block_count") == 0
    with pytest.raises(LookupError), timed(histogram):
        raise LookupError
    assert registry.get_sample_value("block_count") == 2
    assert 0 < registry.get_sample_value("block_sum") < 60


def test_a_rollback_does_not_count_and_a_savepoint_forgets_nothing(runtime):
    counter = metrics.TURNS.labels("claim")
    before = value("hearts_turns_total", source="claim")
    with suppress(LinkInvalid), runtime.database.writing() as session:
        metrics.count_after_commit(session, counter)
        raise LinkInvalid
    assert value("hearts_turns_total", source="claim") == before
    with runtime.database.writing() as session:
        metrics.count_after_commit(session, counter)
        with suppress(LinkInvalid), session.begin_nested():
            session.add(PlayerRow(address="ann@example.org", name="Ann", created_at=runtime.now()))
            session.flush()
            raise LinkInvalid
        with session.begin_nested():
            session.add(PlayerRow(address="bo@example.org", name="Bo", created_at=runtime.now()))
        assert value("hearts_turns_total", source="claim") == before
    assert value("hearts_turns_total", source="claim") == before + 1


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("ann@Gmail.com", "google"),
        ("bo@gmx.de", "gmx"),
        ("cy@cys-own-name.example", "other"),
        ("di@notgmail.com", "other"),
    ],
)
def test_no_domain_but_those_of_big_providers_is_named(address, name):
    assert provider(address) == name
