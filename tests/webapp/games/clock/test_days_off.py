"""Days off of a player: their weekdays and holidays, and which stay when one is removed."""

from datetime import UTC, date, datetime, timedelta

import pytest

from webapp.games.clock.days_off import (
    Holiday,
    days_off_of,
    holidays_of,
    remove_holiday,
    today_of,
    weekdays_off,
)
from webapp.models import PlayerRow

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
TODAY = NOW.date()


def holiday(first, last=None):
    """The holiday between two days, both counted from today."""
    return Holiday(TODAY + timedelta(days=first), TODAY + timedelta(days=first if last is None else last))


def ann(*holidays, **columns):
    player = PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, **columns)
    player.holidays = [[one.first.isoformat(), one.last.isoformat()] for one in holidays] or None
    return player


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
    found = days_off_of(ann(holiday(1, 3), days_off=0b1000000))
    assert [day for day in range(10) if TODAY + timedelta(days=day) in found] == [1, 2, 3, 5], "the 5th is a Sunday"


def test_a_holiday_is_listed_to_its_end():
    assert holidays_of(ann(holiday(-3, 0), holiday(-3, -1)), NOW) == [holiday(-3, 0)]


@pytest.mark.parametrize(
    ("removed", "left"),
    [
        pytest.param(holiday(2, 4), [], id="to come"),
        pytest.param(holiday(0, 4), [], id="from today on"),
        pytest.param(holiday(-2, 4), [holiday(-2, -1)], id="begun"),
        pytest.param(holiday(-4, -2), [holiday(-4, -2)], id="over"),
    ],
)
def test_of_a_removed_holiday_the_days_before_today_stay(removed, left):
    player = ann(removed)
    remove_holiday(player, removed, NOW)
    assert player.holidays == ([[one.first.isoformat(), one.last.isoformat()] for one in left] or None)


def test_removing_what_is_no_holiday_of_theirs_does_nothing():
    player = ann(holiday(-2, 4))
    before = player.holidays
    remove_holiday(player, holiday(-2, 5), NOW)
    assert player.holidays == before
