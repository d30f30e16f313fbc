"""The hours that are suggested for an evening together: awake and free for all, in any time zone."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webapp.evenings.hours import (
    EVENING,
    MOST_HOURS,
    SITTING,
    SUGGESTED_FROM,
    Waking,
    suggested_hours,
    typed_hour,
)
from webapp.games.clock.hours import NO_DAYS_OFF, DaysOff, Quiet, quiet_until

NIGHT = Quiet(22, 7)
MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Tokyo", "Pacific/Auckland")


def lives(zone, quiet=NIGHT, days_off=NO_DAYS_OFF):
    return Waking(zone, quiet, days_off)


def local(hours, zone):
    return [f"{hour.astimezone(ZoneInfo(zone)):%a %d %H}" for hour in hours]


@pytest.mark.parametrize(
    ("now", "proposer", "others", "first"),
    [
        pytest.param(MONDAY, lives("UTC"), [lives("UTC")], ["Mon 02 20", "Tue 03 20"], id="in one zone, at eight"),
        pytest.param(
            MONDAY + timedelta(hours=5), lives("UTC"), [lives("UTC")], ["Tue 03 20"], id="not within six hours"
        ),
        pytest.param(
            MONDAY, lives("UTC"), [lives("America/New_York")], ["Mon 02 20", "Tue 03 20"], id="evening here, day there"
        ),
        pytest.param(MONDAY, lives("Europe/Berlin"), [lives("UTC")], ["Mon 02 20"], id="an hour that is late for none"),
        pytest.param(
            MONDAY,
            lives("UTC", quiet=Quiet(4, 10)),
            [lives("America/New_York", quiet=Quiet(3, 8))] * 2,
            ["Mon 02 21"],
            id="the proposer's evening before that of most",
        ),
        pytest.param(
            MONDAY, lives("UTC"), [lives("Asia/Kolkata")], ["Tue 03 14"], id="two hours awake at half past, too"
        ),
        pytest.param(
            MONDAY, lives("UTC"), [lives("Asia/Tokyo")], ["Tue 03 11", "Wed 04 11"], id="no evening suits both"
        ),
        pytest.param(
            MONDAY,
            lives("UTC", days_off=DaysOff(frozenset({0, 1}))),
            [lives("UTC", days_off=DaysOff(dates=frozenset({date(2026, 3, 4)})))],
            ["Thu 05 20"],
            id="clear of days off of both",
        ),
        pytest.param(
            MONDAY, lives("UTC", quiet=None), [lives("UTC", quiet=Quiet(20, 7))], ["Mon 02 18"], id="two hours awake"
        ),
    ],
)
def test_the_best_hour_of_each_day_is_suggested(now, proposer, others, first):
    found = suggested_hours(now, proposer, others)
    assert local(found, proposer.zone)[: len(first)] == first
    assert len(found) == MOST_HOURS


def test_an_hour_keeps_its_place_when_summer_time_begins():
    found = suggested_hours(datetime(2026, 3, 27, 9, tzinfo=UTC), lives("Europe/Berlin"), [lives("Europe/London")])
    assert {hour.astimezone(ZoneInfo("Europe/Berlin")).hour for hour in found} == {20}
    assert {hour.hour for hour in found} == {19, 18}, "in UTC it is another"


def test_between_opposite_nights_there_is_no_hour():
    assert suggested_hours(MONDAY, lives("UTC", Quiet(12, 0)), [lives("UTC", Quiet(0, 12))]) == []


quiet_hours = st.none() | st.builds(Quiet, st.integers(0, 23), st.integers(0, 23)).filter(
    lambda quiet: 0 < quiet.hours <= 12
)
wakings = st.builds(
    Waking, st.sampled_from(ZONES), quiet_hours, st.builds(DaysOff, st.frozensets(st.integers(0, 6), max_size=3))
)
moments = st.integers(0, 365 * 24).map(lambda hours: MONDAY + timedelta(hours=hours))


@settings(max_examples=25)
@given(moments, wakings, st.lists(wakings, max_size=3))
def test_every_suggested_hour_is_good_for_everybody(now, proposer, others):
    found = suggested_hours(now, proposer, others)
    assert found == sorted(set(found))
    assert len(found) <= MOST_HOURS
    for hour in found:
        assert hour >= now + SUGGESTED_FROM
        for one in (proposer, *others):
            assert hour.astimezone(ZoneInfo(one.zone)).weekday() not in one.days_off.weekdays
            for minutes in range(0, int(SITTING.total_seconds() // 60), 15):
                assert quiet_until(hour + timedelta(minutes=minutes), one.zone, one.quiet) is None


@settings(max_examples=15)
@given(moments, st.sampled_from(ZONES))
def test_players_of_one_zone_are_offered_the_evening(now, zone):
    found = suggested_hours(now, lives(zone), [lives(zone)] * 3)
    first, *later = [hour.astimezone(ZoneInfo(zone)).hour for hour in found]
    assert set(later) == {20}
    assert first in EVENING


@pytest.mark.parametrize(
    ("day", "hour", "found"),
    [
        pytest.param("2026-03-03", "20:30", "2026-03-03T19:30Z", id="in the player's zone"),
        pytest.param("2026-03-29", "20:00", None, id="too far ahead"),
        pytest.param("2026-03-02", "13:30", None, id="within the next hour"),
        pytest.param("2026-03-01", "20:00", None, id="yesterday"),
    ],
)
def test_a_typed_hour_is_of_the_players_zone(day, hour, found):
    at = typed_hour(date.fromisoformat(day), time.fromisoformat(hour), "Europe/Berlin", MONDAY)
    assert (at and f"{at:%Y-%m-%dT%H:%MZ}") == found
