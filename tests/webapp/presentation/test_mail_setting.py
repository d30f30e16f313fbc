"""The setting for mail about turns, in words."""

import pytest

from tests.samples.cast import NOW
from webapp.models import Frequency, PlayerRow
from webapp.presentation.summary import mail_setting


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({}, "We email you when it's your turn."),
        ({"frequency": Frequency.DAILY, "daily_at": 8}, "We email you once a day, at 08:00."),
        ({"frequency": Frequency.LAST}, "We email you only before a deadline."),
        ({"push_only": True}, "While a device tells you, no email asks for your turns."),
    ],
)
def test_the_setting_is_said_in_a_sentence(chosen, said):
    assert mail_setting(PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, **chosen)) == said
