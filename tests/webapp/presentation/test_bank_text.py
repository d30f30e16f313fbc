"""Banks of time in words: in a list, and in a mail."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.games.clock.hours import Bank
from webapp.games.clock.pace import bank_times
from webapp.models import BankLeft, PlayerRow, SeatRow, SeatState, TableRow
from webapp.presentation.bank_text import bank_label, mailed_sentence

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
BANK = Bank(timedelta(days=3), timedelta(hours=12), timedelta(days=5))
ANN = PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW)


def table(**columns):
    return TableRow(**{"pass_seconds": 86400, "play_seconds": 86400, "bank": bank_times(BANK), **columns})


def sentence(of_table, left=None):
    row = SeatRow(table_id=1, seat=0, player_id=1, name="Ann", state=SeatState.HOST)
    row.bank = None if left is None else BankLeft(left)
    return mailed_sentence(of_table, row, ANN, NOW)


def test_a_label_has_its_three_times():
    assert bank_label(BANK) == "3 days + 12 hours, up to 5 days"


@pytest.mark.parametrize(
    ("left", "text"),
    [
        pytest.param(None, "you have 3 days in your time bank.", id="what everybody begins with"),
        pytest.param(timedelta(hours=29), "you have 1 day 5 hours in your time bank.", id="days and hours"),
        pytest.param(timedelta(minutes=1), "you have 1 minute in your time bank.", id="a minute"),
        pytest.param(timedelta(seconds=59), "your time bank is empty.", id="less than a minute"),
        pytest.param(timedelta(), "your time bank is empty.", id="nothing"),
    ],
)
def test_a_mail_says_what_is_left_as_it_is_written(left, text):
    assert sentence(table(), left) == f"As we write, {text}"


@pytest.mark.parametrize("columns", [{"bank": None}, {"live_seconds": 60}], ids=["no banks", "played on live"])
def test_where_no_bank_counts_a_mail_says_nothing(columns):
    assert sentence(table(**columns), timedelta(days=1)) == ""
