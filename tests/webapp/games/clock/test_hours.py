"""Quiet hours, deadlines and reminders: when a player is asked, and until when, in any time zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.games.clock.hours import (
    AFTER_QUIET_HOURS,
    FIRST_ARRIVAL,
    LATER_ARRIVAL,
    LONGEST_QUIET,
    DaysOff,
    Hours,
    Quiet,
    arrival_time,
    days_off_of,
    deadline,
    fair_time,
    may_nudge,
    next_hour,
    quiet_from,
    quiet_until,
    time_passed,
    today_of,
    weekdays_off,
)
from webapp.models import PlayerRow

NIGHT, LATE = Quiet(22, 7), Quiet(1, 8)
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"2026-{text}:00+00:00")


@pytest.mark.parametrize(
    ("at", "zone", "quiet", "until"),
    [
        pytest.param("03-02 12:00", "UTC", NIGHT, None, id="by day"),
        pytest.param("03-02 21:59", "UTC", NIGHT, None, id="a minute before"),
        pytest.param("03-02 22:00", "UTC", NIGHT, "03-03 07:00", id="as it begins"),
        pytest.param("03-03 00:30", "UTC", NIGHT, "03-03 07:00", id="after midnight"),
        pytest.param("03-03 06:59", "UTC", NIGHT, "03-03 07:00", id="its last minute"),
        pytest.param("03-03 07:00", "UTC", NIGHT, None, id="as it ends"),
        pytest.param("03-03 00:30", "UTC", None, None, id="no quiet hours"),
        pytest.param("03-02 21:30", "Europe/Berlin", NIGHT, "03-03 06:00", id="it is night there already"),
        pytest.param("03-02 06:30", "Europe/Berlin", NIGHT, None, id="it is day there already"),
        pytest.param("03-02 14:00", "Asia/Tokyo", NIGHT, "03-02 22:00", id="on the other side of the world"),
        pytest.param("03-02 13:30", "UTC", Quiet(13, 15), "03-02 15:00", id="a nap"),
        pytest.param("03-02 00:30", "UTC", Quiet(0, 6), "03-02 06:00", id="from midnight on"),
        pytest.param("03-02 23:30", "UTC", Quiet(20, 0), "03-03 00:00", id="until midnight"),
        pytest.param("03-28 22:00", "Europe/Berlin", NIGHT, "03-29 05:00", id="the night that is an hour shorter"),
        pytest.param("10-24 21:00", "Europe/Berlin", NIGHT, "10-25 06:00", id="the night that is an hour longer"),
        pytest.param("10-25 01:30", "Europe/Berlin", Quiet(22, 2), None, id="the hour that comes twice, again"),
        pytest.param("10-25 01:30", "Europe/Berlin", Quiet(2, 3), "10-25 02:00", id="both of the hours that are one"),
        pytest.param("03-29 01:00", "Europe/Berlin", Quiet(2, 3), None, id="the hour that is left out"),
    ],
)
def test_quiet_hours_follow_the_players_own_clock(at, zone, quiet, until):
    assert quiet_until(utc(at), zone, quiet) == (utc(until) if until else None)
    begins = quiet_from(utc(at), zone, quiet)
    assert begins.astimezone(ZoneInfo(zone)).hour == quiet.begins if until else begins is None


@pytest.mark.parametrize(
    ("asked", "pace", "zone", "quiet", "due"),
    [
        pytest.param("03-02 12:00", DAY, "UTC", NIGHT, "03-03 12:00", id="by day: the pace of the table"),
        pytest.param("03-02 23:00", DAY, "UTC", NIGHT, "03-04 10:00", id="in the night: three hours after it"),
        pytest.param("03-03 02:00", DAY, "UTC", NIGHT, "03-04 10:00", id="after midnight: the same"),
        pytest.param("03-03 07:30", DAY, "UTC", NIGHT, "03-04 10:00", id="too early in the morning: the same"),
        pytest.param("03-03 10:00", DAY, "UTC", NIGHT, "03-04 10:00", id="three hours after the night: as it is"),
        pytest.param("03-02 22:00", DAY, "UTC", NIGHT, "03-04 10:00", id="as the night begins"),
        pytest.param("03-02 21:59", DAY, "UTC", NIGHT, "03-03 21:59", id="a minute before the night"),
        pytest.param("03-02 23:00", DAY, "UTC", None, "03-03 23:00", id="no quiet hours"),
        pytest.param("03-02 23:00", HOUR, "UTC", NIGHT, "03-03 10:00", id="an hour is moved, too"),
        pytest.param("03-02 23:00", HOUR / 6, "UTC", NIGHT, "03-02 23:10", id="ten minutes are not"),
        pytest.param("03-02 15:30", HOUR, "UTC", Quiet(13, 15), "03-02 18:00", id="soon after a nap"),
        pytest.param("03-28 12:00", 13 * HOUR, "Europe/Berlin", NIGHT, "03-29 08:00", id="summer time begins"),
        pytest.param("10-24 12:00", 13 * HOUR, "Europe/Berlin", NIGHT, "10-25 09:00", id="summer time ends"),
    ],
)
def test_a_deadline_avoids_the_night(asked, pace, zone, quiet, due):
    assert deadline(utc(asked), pace, Hours(zone, quiet)) == utc(due)


def weekdays(*days: int) -> DaysOff:
    return DaysOff(frozenset(days))


def dates(*texts: str, weekly: tuple[int, ...] = ()) -> DaysOff:
    return DaysOff(frozenset(weekly), frozenset(date.fromisoformat(f"2026-{text}") for text in texts))


WEEKEND = weekdays(5, 6)


@pytest.mark.parametrize(
    ("asked", "pace", "zone", "quiet", "days_off", "due"),
    [
        pytest.param("03-06 12:00", DAY, "UTC", NIGHT, WEEKEND, "03-09 12:00", id="Friday noon: Monday noon"),
        pytest.param("03-07 12:00", DAY, "UTC", None, WEEKEND, "03-10 00:00", id="on Saturday no time passes"),
        pytest.param("03-07 12:00", DAY, "UTC", NIGHT, WEEKEND, "03-10 10:00", id="and then the night"),
        pytest.param("03-05 12:00", 2 * DAY, "UTC", NIGHT, WEEKEND, "03-09 12:00", id="two days from Thursday"),
        pytest.param("03-06 23:00", HOUR, "UTC", NIGHT, WEEKEND, "03-09 10:00", id="the morning after is Saturday"),
        pytest.param("03-06 12:00", HOUR / 6, "UTC", NIGHT, weekdays(4), "03-06 12:10", id="ten minutes go on"),
        pytest.param("03-06 22:30", 6 * HOUR, "Asia/Tokyo", None, WEEKEND, "03-08 21:00", id="Saturday in Tokyo"),
        pytest.param("03-02 12:00", DAY, "UTC", None, weekdays(1, 2, 3, 4, 5, 6), "03-09 12:00", id="Mondays only"),
        pytest.param(
            "03-28 12:00", DAY, "Europe/Berlin", None, weekdays(6), "03-30 11:00", id="summer time on a day off"
        ),
        pytest.param("03-03 12:00", DAY, "UTC", NIGHT, dates("03-04"), "03-05 12:00", id="a holiday"),
        pytest.param("03-03 12:00", DAY, "UTC", NIGHT, dates("03-02", "03-06"), "03-04 12:00", id="holidays elsewhere"),
        pytest.param("03-05 12:00", DAY, "UTC", None, dates("03-06", weekly=(5, 6)), "03-09 12:00", id="and a weekend"),
        pytest.param("03-03 12:00", DAY, "UTC", NIGHT, dates("03-03", "03-04"), "03-06 10:00", id="begun on a holiday"),
        pytest.param("03-03 22:30", HOUR, "Asia/Tokyo", None, dates("03-04"), "03-04 16:00", id="a holiday in Tokyo"),
        pytest.param("03-03 12:00", HOUR / 6, "UTC", None, dates("03-03"), "03-03 12:10", id="ten minutes ignore it"),
        pytest.param("03-07 12:00", DAY, "UTC", LATE, WEEKEND, "03-10 00:00", id="the night begins after midnight"),
        pytest.param("03-06 23:30", 2 * HOUR, "UTC", LATE, WEEKEND, "03-09 11:00", id="and that night is Monday's"),
        pytest.param("03-07 12:00", DAY, "UTC", Quiet(0, 8), WEEKEND, "03-10 11:00", id="the night begins at midnight"),
        pytest.param("04-23 12:00", DAY, "Africa/Cairo", None, dates("04-24"), "04-25 11:00", id="it has 23 hours"),
        pytest.param("09-05 12:00", DAY, "America/Santiago", None, dates("09-06"), "09-07 11:00", id="begins at one"),
    ],
)
def test_no_time_passes_on_a_day_off(asked, pace, zone, quiet, days_off, due):
    assert deadline(utc(asked), pace, Hours(zone, quiet, days_off)) == utc(due)


@pytest.mark.parametrize(
    ("pace", "is_first", "time"),
    [
        pytest.param(timedelta(seconds=15), True, FIRST_ARRIVAL, id="the first question"),
        pytest.param(timedelta(seconds=15), False, LATER_ARRIVAL, id="a later one"),
        pytest.param(timedelta(minutes=10), False, timedelta(minutes=20), id="twice the pace"),
    ],
)
def test_who_is_absent_has_time_to_come(pace, is_first, time):
    assert arrival_time(pace, is_first=is_first) == time


@pytest.mark.parametrize(("pace", "time"), [(HOUR, HOUR), (8 * HOUR, 3 * HOUR), (DAY, 6 * HOUR)], ids=str)
def test_whose_clock_stood_has_a_quarter_or_three_hours(pace, time):
    assert fair_time(pace) == time


@pytest.mark.parametrize(
    ("after", "left", "may"),
    [
        pytest.param(6 * HOUR, 18 * HOUR, True, id="as a quarter of the pace is over"),
        pytest.param(5.9 * HOUR, 18 * HOUR, False, id="sooner"),
        pytest.param(12 * HOUR, 6 * HOUR, False, id="as the last call goes"),
    ],
)
def test_others_may_ask_for_a_reminder_in_the_middle(after, left, may):
    now = utc("03-02 12:00") + after
    assert may_nudge(utc("03-02 12:00"), now + left, DAY, now, now) is may


moments = st.integers(0, 2 * 365 * 24 * 60).map(lambda late: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=late))
zones = st.sampled_from(
    ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago"]
)
quiets = st.none() | st.builds(Quiet, st.integers(0, 23), st.integers(0, 23)).filter(
    lambda quiet: 0 < quiet.hours <= LONGEST_QUIET
)
paces = st.sampled_from([HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY])


@given(moments, paces, zones, quiets)
def test_no_deadline_is_early_at_night_or_soon_after(now, pace, zone, quiet):
    due = deadline(now, pace, Hours(zone, quiet))
    assert now + pace <= due <= now + pace + (LONGEST_QUIET + 1) * HOUR + AFTER_QUIET_HOURS
    for minutes in range(0, 180, 15):
        assert quiet_until(due - timedelta(minutes=minutes, seconds=1 if minutes else 0), zone, quiet) is None


weeks_off = st.sets(st.integers(0, 6), max_size=6)
holidays = st.sets(st.integers(-2, 40), max_size=20)  # days from today


@given(moments, paces, zones, quiets, weeks_off, holidays)
def test_no_deadline_is_early_at_night_or_on_days_off(now, pace, zone, quiet, weekly, ahead):
    here = ZoneInfo(zone)
    listed = {now.astimezone(here).date() + days * DAY for days in ahead}
    days_off = DaysOff(frozenset(weekly), frozenset(listed))
    due = deadline(now, pace, Hours(zone, quiet, days_off))
    day = due.astimezone(here).date()
    assert day.weekday() not in weekly
    assert day not in listed
    assert quiet_until(due, zone, quiet) is None
    assert deadline(now, pace, Hours(zone, quiet)) <= due <= now + pace * 7 + 10 * DAY + 7 * DAY * len(listed)
    assert due >= deadline(now, pace, Hours(zone, quiet, DaysOff(frozenset(weekly))))


@given(moments, paces, zones, weeks_off, holidays)
def test_a_question_costs_all_its_time_whatever_days_are_off(now, pace, zone, weekly, ahead):
    listed = {now.astimezone(ZoneInfo(zone)).date() + days * DAY for days in ahead}
    days_off = DaysOff(frozenset(weekly), frozenset(listed))
    due = deadline(now, pace, Hours(zone, None, days_off))
    assert time_passed(now, due, zone, days_off) == pace
    assert time_passed(due, now, zone, days_off) == timedelta()


@pytest.mark.parametrize(
    ("now", "zone", "hour", "at"),
    [
        pytest.param("03-02 07:59", "UTC", 8, "03-02 08:00", id="today"),
        pytest.param("03-02 08:00", "UTC", 8, "03-03 08:00", id="it has struck: tomorrow"),
        pytest.param("03-02 23:30", "Asia/Tokyo", 8, "03-03 23:00", id="it is tomorrow there"),
        pytest.param("03-28 12:00", "Europe/Berlin", 2, "03-29 01:00", id="an hour that is left out"),
        pytest.param("10-24 12:00", "Europe/Berlin", 2, "10-25 00:00", id="an hour that comes twice: the first"),
        pytest.param("10-25 00:30", "Europe/Berlin", 2, "10-26 01:00", id="between the two: tomorrow"),
    ],
)
def test_the_daily_hour_is_the_next_on_the_players_clock(now, zone, hour, at):
    assert next_hour(utc(now), zone, hour) == utc(at)


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
