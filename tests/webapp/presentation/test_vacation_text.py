"""Vacation days in words: what the reader may take, and what others see of it."""

from datetime import UTC, datetime

import pytest

from webapp.models import PlayerRow, SeatRow, SeatState, TableRow
from webapp.presentation.vacation_text import left_note, vacation_sentence, vacation_sheet

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
DAY = 86400


def table(**columns):
    return TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, "vacation_days": 3, **columns})


def seat(*dates, **columns):
    given = {"player_id": 1, "name": "Ann", "vacation": {"dates": dates} if dates else None, **columns}
    return SeatRow(table_id=1, seat=0, state=SeatState.HOST, **given)


def ann(**columns):
    return PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, **columns)


def test_each_number_of_days_says_until_when_it_lasts():
    sheet = vacation_sheet(table(), seat(), ann(days_off=0b10000), NOW)
    assert sheet.left == "You have three vacation days left in this game."
    assert sheet.until is None
    assert sheet.choices == [
        ("1", "1 day, to Tue 3 March"),
        ("2", "2 days, to Wed 4 March"),
        ("3", "3 days, to Thu 5 March"),
    ]


def test_a_player_on_vacation_reads_its_end_and_may_stay_longer():
    sheet = vacation_sheet(table(), seat("2026-03-03", "2026-03-04"), ann(days_off=0b1000), NOW)
    assert sheet.left == "You have one vacation day left in this game."
    assert sheet.until == "Wed 4 March"
    assert sheet.choices == [("1", "1 day, to Fri 6 March")], "the 5th is a day off anyway"


def test_who_has_none_left_reads_so():
    sheet = vacation_sheet(table(), seat("2026-02-01", "2026-02-02", "2026-02-03"), ann(), NOW)
    assert (sheet.left, sheet.choices) == ("You have no vacation days left in this game.", [])


@pytest.mark.parametrize(
    ("of_table", "of_seat"),
    [
        pytest.param({"vacation_days": 0}, {}, id="a table without"),
        pytest.param({"play_seconds": 60}, {}, id="a quick table"),
        pytest.param({}, {"away": True}, id="away"),
        pytest.param({}, {"stands_in_for": 2}, id="a stand-in"),
    ],
)
def test_where_nothing_can_be_taken_nothing_is_offered(of_table, of_seat):
    assert vacation_sheet(table(**of_table), seat(**of_seat), ann(), NOW) is None


@pytest.mark.parametrize(
    ("of_table", "row", "note"),
    [
        pytest.param({}, seat(), "", id="none taken"),
        pytest.param({}, seat(vacation={"dates": []}), "", id="all given back"),
        pytest.param({}, seat("2026-02-01"), "two vacation days left", id="one taken"),
        pytest.param({}, seat("2026-02-01", "2026-02-02"), "one vacation day left", id="two taken"),
        pytest.param({}, seat("2026-02-01", "2026-02-02", "2026-02-03"), "no vacation days left", id="all taken"),
        pytest.param({}, seat("2026-02-01", stands_in_for=2), "", id="a lent seat"),
        pytest.param({"play_seconds": 60}, seat("2026-02-01"), "", id="a table that has become quick"),
    ],
)
def test_others_see_what_is_left_once_a_day_was_taken(of_table, row, note):
    assert left_note(table(**of_table), row) == note


@pytest.mark.parametrize(
    ("days", "sentence"),
    [
        (0, ""),
        (1, "Each player has one vacation day a game."),
        (14, "Each player has 14 vacation days a game."),
    ],
)
def test_a_table_says_how_many_days_its_players_have(days, sentence):
    assert vacation_sentence(table(vacation_days=days)) == sentence
