"""The score sheets in mails: no longer than a mail program shows."""

from dataclasses import replace

import pytest

from tests.samples.finished import scores
from worker.mails.sheets import latest


@pytest.fixture
def sheet():
    """A function that makes a sheet of that many sides and hands, which are numbered from 1."""
    some = scores()["classic"][0]
    side, hand = some.sides[0], some.hands[0]

    def make(sides, hands):
        numbered = tuple(replace(hand, number=number) for number in range(1, hands + 1))
        return replace(some, sides=(side,) * sides, hands=numbered)

    return make


@pytest.mark.parametrize(
    ("sides", "hands", "shown"),
    [
        pytest.param(4, 1, 1, id="one hand"),
        pytest.param(4, 60, 60, id="as many hands as are shown at most"),
        pytest.param(4, 61, 60, id="one more"),
        pytest.param(2, 99, 60, id="two sides"),
        pytest.param(11, 36, 36, id="eleven sides, as many cells as fit"),
        pytest.param(11, 37, 36, id="one more hand of theirs"),
        pytest.param(7, 60, 57, id="what is left over of a row is not shown"),
    ],
)
def test_a_mail_shows_the_latest_hands_that_fit(sheet, sides, hands, shown):
    whole = sheet(sides, hands)
    found = latest(whole)
    assert [one.number for one in found.hands] == list(range(hands - shown + 1, hands + 1))
    assert replace(found, hands=whole.hands) == whole, "everything else is of the whole game"
