"""Times and durations in words: in the reader's own zone, beside how long that is from now."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.samples.cast import NOW
from webapp.core.say import speaking
from webapp.presentation.phrasing import day_text, span, timestamp


@pytest.mark.parametrize(
    ("ahead", "zone", "words", "relative"),
    [
        pytest.param({"hours": 23}, "Europe/Berlin", "Tue 3 March, 18:00 (Berlin time)", "in 23 hours", id="hours"),
        pytest.param({"hours": 47}, "UTC", "Wed 4 March, 17:00 (UTC)", "in 47 hours", id="under two days in hours"),
        pytest.param({"days": 2}, "UTC", "Wed 4 March, 18:00 (UTC)", "in 2 days", id="two days in days"),
        pytest.param({"minutes": 1}, "Asia/Kolkata", "Mon 2 March, 23:31 (Kolkata time)", "in 1 minute", id="one"),
        pytest.param({"seconds": 59}, "UTC", "Mon 2 March, 18:00:59 (UTC)", "in 59 seconds", id="seconds"),
        pytest.param({"seconds": 601}, "UTC", "Mon 2 March, 18:10 (UTC)", "in 10 minutes", id="no seconds any more"),
        pytest.param({"seconds": -5}, "UTC", "Mon 2 March, 17:59 (UTC)", "just now", id="over"),
        pytest.param({"hours": -3}, "UTC", "Mon 2 March, 15:00 (UTC)", "3 hours ago", id="ago"),
        pytest.param({"days": 365}, "UTC", "Tue 2 March 2027, 18:00 (UTC)", "in 365 days", id="another year"),
        pytest.param(
            {"days": 27}, "Europe/Berlin", "Sun 29 March, 20:00 (Berlin time)", "in 27 days", id="summer time"
        ),
    ],
)
def test_a_time_is_shown_in_the_readers_own_zone(ahead: dict[str, int], zone: str, words: str, relative: str) -> None:
    shown = timestamp(NOW + timedelta(**ahead), NOW, zone)
    assert (shown.text, shown.relative) == (words, relative)


def test_a_time_is_soon_only_while_it_is_ahead() -> None:
    assert timestamp(NOW + timedelta(hours=2), NOW, "UTC").is_soon
    assert not timestamp(NOW + timedelta(hours=3), NOW, "UTC").is_soon
    assert not timestamp(NOW - timedelta(hours=1), NOW, "UTC").is_soon


def test_a_time_has_a_machine_readable_form() -> None:
    assert timestamp(datetime(2026, 3, 3, 17, 0, tzinfo=UTC), NOW, "Europe/Berlin").iso == "2026-03-03T17:00:00Z"


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=1), "1 day"),
        (timedelta(days=7), "7 days"),
        (timedelta(hours=36), "36 hours"),
        (timedelta(minutes=10), "10 minutes"),
        (timedelta(seconds=2), "2 seconds"),
        (timedelta(minutes=61, seconds=1), "1 hour, 1 minute, 1 second"),
        (timedelta(0), "no time"),
    ],
)
def test_a_duration_is_given_in_its_largest_whole_unit(length: timedelta, words: str) -> None:
    assert span(length) == words


@pytest.mark.parametrize(
    ("language", "day", "relative", "length"),
    [
        ("de", "Di., 3. März", "in 23 Stunden", "36 Stunden"),
        ("pl", "wt., 3 marca", "za 23 godziny", "36 godzin"),
        ("pt_PT", "terça, 3 de março", "dentro de 23 horas", "36 horas"),
        ("ja", "3月3日(火)", "23 時間後", "36 時間"),
        ("ar", "الثلاثاء، 3 مارس", "خلال 23 ساعة", "36 ساعة"),
    ],
)
def test_days_and_durations_are_in_the_language_spoken(language: str, day: str, relative: str, length: str) -> None:
    at = NOW + timedelta(hours=23)
    with speaking(language):
        assert (day_text(at.date(), NOW.date()), timestamp(at, NOW, "UTC").relative) == (day, relative)
        assert span(timedelta(hours=36)) == length
