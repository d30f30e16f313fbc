"""Rings reach the workers, even those whose clock is wrong. Brokers that are down: `test_outage`."""

import json
from datetime import UTC, datetime

from webapp.core.clocks import TOLERANCE


def test_a_worker_whose_clock_is_as_far_ahead_as_we_tolerate_hears_a_ring(runtime):
    runtime.bell.deliver()
    (ring,) = (runtime.settings.data_dir / "broker" / "queue").glob("*.msg")
    dropped_at = datetime.fromisoformat(json.loads(ring.read_text())["headers"]["expires"])
    assert dropped_at > datetime.now(UTC) + TOLERANCE
