"""Metrics of a process: the time of a block."""

import pytest
from prometheus_client import CollectorRegistry, Histogram

from webapp.core.metrics import timed


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
