"""The live paces: at which tables all players are expected to be present together."""

import pytest

from webapp.games.record.live import plays_live
from webapp.models import TableRow

DAY = 24 * 60 * 60


@pytest.mark.parametrize(
    ("seconds", "live"),
    [({}, False), ({"pass_seconds": 60}, True), ({"play_seconds": 60}, True), ({"live_seconds": 60}, True)],
)
def test_a_table_is_live_if_its_passes_or_cards_are(seconds, live):
    assert plays_live(TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, **seconds})) is live
