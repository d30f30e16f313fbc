"""Days off of a player: their weekdays and holidays."""

from datetime import UTC, date, datetime, timedelta

import pytest

from webapp.games.clock.days_off import (
    days_off_of,
    today_of,
    weekdays_off,
)
from webapp.models import PlayerRow

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
TODAY = NOW.date()


def ann(**columns):
    return PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, **columns)


@pytest.mark.parametrize(
    ("time_zone", "today"),
    [("UTC", date(2026, 3, 3)), ("Pacific/Auckland", date(2026, 3, 4)), ("Pacific/Honolulu", date(2026, 3, 3))],
)
def test_today_is_the_players_own(time_zone, today):
    assert today_of(ann(time_zone=time_zone), NOW) == today


@pytest.mark.parametrize(("bits", "days"), [(0, set()), (0b1, {0}), (0b1100000, {5, 6}), (0b1111111, set(range(7)))])
def test_each_weekday_has_its_bit(bits, days):
    assert weekdays_off(ann(days_off=bits)) == days


def test_days_off_are_weekdays_and_all_days_of_each_holiday():
    pair = [(TODAY + timedelta(days=ahead)).isoformat() for ahead in (1, 3)]
    found = days_off_of(ann(holidays=[pair], days_off=0b1000000))
    assert [day for day in range(10) if TODAY + timedelta(days=day) in found] == [1, 2, 3, 5], "the 5th is a Sunday"
