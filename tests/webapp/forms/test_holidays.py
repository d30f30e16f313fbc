"""The form of a holiday, and the list of those that are not over."""

from datetime import UTC, date, datetime

import pytest

from webapp.forms.holidays import holiday_sheet, read_holiday_form
from webapp.games.days_off import Holiday
from webapp.models import PlayerRow

NOW = datetime(2026, 3, 3, 23, 30, tzinfo=UTC)


def sent(first, last=""):
    return read_holiday_form({"holiday_first": first, "holiday_last": last})


def test_without_a_last_day_a_holiday_is_a_single_day():
    assert sent("2026-03-05").holiday == Holiday(date(2026, 3, 5), date(2026, 3, 5))
    assert sent(" 2026-03-05 ", "2026-03-07").holiday == Holiday(date(2026, 3, 5), date(2026, 3, 7))


@pytest.mark.parametrize(
    ("first", "last", "at"),
    [
        ("", "", {"holiday_first", "holiday_last"}),
        ("today", "2026-03-07", {"holiday_first"}),
        ("2026-03-05", "soon", {"holiday_last"}),
        ("5.3.2026", "7.3.2026", {"holiday_first", "holiday_last"}),
    ],
)
def test_each_day_that_is_none_has_a_message_of_its_own(first, last, at):
    form = sent(first, last)
    assert form.holiday is None
    assert set(form.errors) == at


def test_the_list_is_in_words_and_goes_back_as_the_form_sends_it():
    player = PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, time_zone="Europe/Berlin")
    player.holidays = [["2026-03-01", "2026-03-03"], ["2026-03-04", "2026-03-04"], ["2026-12-30", "2027-01-02"]]
    sheet = holiday_sheet(player, NOW)
    assert [line.text for line in sheet.lines] == ["Wed 4 March", "Wed 30 December to Sat 2 January 2027"]
    assert [sent(line.first, line.last).holiday.first for line in sheet.lines] == [date(2026, 3, 4), date(2026, 12, 30)]
    assert (sheet.soonest, sheet.latest) == ("2026-03-04", "2027-03-04"), "it is past midnight in Berlin"
