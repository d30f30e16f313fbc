"""The forms of an evening together: the hours that are proposed, and those that suit."""

from datetime import UTC, datetime, timedelta

import pytest
from werkzeug.datastructures import MultiDict

from webapp.evenings.form import PACES, USUAL_PACE, blank_proposal, read_hours, read_proposal
from webapp.evenings.hours import DAYS_AHEAD, MOST_HOURS, SOONEST
from webapp.evenings.text import hour_value

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def read(*hours, zone="UTC", **fields):
    """The proposal of the hours that begin in these numbers of hours, and of what is typed."""
    sent = [("hour", hour_value(NOW + HOUR * hour)) for hour in hours]
    return read_proposal(MultiDict([*sent, *{"pace": "60", **fields}.items()]), zone, NOW)


def test_hours_are_read_only_as_pages_send_them():
    sent = ["2026-03-03T19:00Z", "2026-03-03T20:30Z", "2026-03-03T19:00Z"]
    junk = [
        "",
        "now",
        "2026-03-03",
        "2026-03-03T19:00",
        "2026-03-03T25:00Z",
        "2026-03-03T19:00:00Z",
        "0000-01-01T00:00Z",
    ]
    found = {datetime(2026, 3, 3, 19, tzinfo=UTC), datetime(2026, 3, 3, 20, 30, tzinfo=UTC)}
    assert read_hours([*junk, *sent]) == found == read_hours(map(hour_value, found))


def test_of_a_flood_of_hours_the_first_are_read():
    flood = [hour_value(NOW + HOUR * hour) for hour in range(1000)]
    assert len(read_hours(flood)) == 2 * MOST_HOURS


def test_ticked_hours_and_a_typed_one_are_proposed_in_order():
    form = read(30, 8, day="2026-03-04", time="09:00", zone="Europe/Berlin")
    assert form.errors == {}
    assert form.hours == [NOW + HOUR * hour for hour in (8, 20, 30)], "nine o'clock in Berlin is eight in UTC"
    assert form.ticked == {NOW + HOUR * 8, NOW + HOUR * 30}
    assert read(8, day="2026-03-03", time="20:00").hours == [NOW + HOUR * 8], "typed and ticked, it counts once"


@pytest.mark.parametrize(
    ("hours", "fields", "at"),
    [
        pytest.param((), {}, "hour", id="no hour"),
        pytest.param(range(2, MOST_HOURS + 3), {}, "hour", id="one too many"),
        pytest.param(range(2, MOST_HOURS + 2), {"day": "2026-03-05", "time": "20:00"}, "hour", id="one too many typed"),
        pytest.param((0.5, 8), {}, "hour", id="an hour that has come too close"),
        pytest.param((24 * DAYS_AHEAD + 1,), {}, "hour", id="an hour that no page offers"),
        pytest.param((8,), {"day": "2026-03-04"}, "day", id="a day without an hour"),
        pytest.param((8,), {"time": "20:00"}, "day", id="an hour without a day"),
        pytest.param((), {"day": "2026-03-04"}, "day", id="a day without an hour, and no other hour"),
        pytest.param((8,), {"day": "tomorrow", "time": "20:00"}, "day", id="no date"),
        pytest.param(
            (8,), {"day": "9999-12-31", "time": "23:59", "zone": "America/New_York"}, "day", id="the end of time"
        ),
        pytest.param(
            (8,), {"day": "0001-01-01", "time": "00:00", "zone": "Asia/Tokyo"}, "day", id="the beginning of time"
        ),
        pytest.param((8,), {"day": "2026-03-03", "time": "12:59"}, "day", id="typed, too soon"),
        pytest.param((8,), {"day": "2026-03-18", "time": "20:00"}, "day", id="typed, too far ahead"),
        pytest.param((8,), {"pace": "61"}, "pace", id="no such pace"),
    ],
)
def test_what_cannot_be_proposed_is_rejected_at_its_field(hours, fields, at):
    form = read(*hours, **fields)
    assert list(form.errors) == [at]
    assert form.errors[at].startswith(("Choose", "One of these hours"))


@pytest.mark.parametrize("hours", [range(2, MOST_HOURS + 2), (SOONEST / HOUR,), (24 * DAYS_AHEAD,)])
def test_hours_up_to_each_limit_are_proposed(hours):
    form = read(*hours)
    assert (form.errors, len(form.hours)) == ({}, len(hours))


@pytest.mark.parametrize("value", [value for value, _ in PACES])
def test_each_pace_on_offer_may_be_proposed(value):
    assert read(8, pace=value).pace == timedelta(seconds=int(value))


def test_the_form_begins_with_the_usual_pace_and_no_hour():
    form = blank_proposal()
    assert (form.values["pace"], form.pace, form.hours) == ("60", USUAL_PACE, [])
