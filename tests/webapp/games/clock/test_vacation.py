"""Vacation days of a seat: which dates they are, how many are left, and when one is taken by itself."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.games.asked.due import Due
from webapp.games.clock.vacation import (
    VACATION_FROM,
    days_left,
    days_off_at,
    end_vacation,
    extend_to,
    may_take_one,
    take_one,
    vacation_of,
    vacation_until,
    was_taken_for,
)
from webapp.models import PlayerRow, SeatRow, SeatState, TableRow, Vacation

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
TODAY = NOW.date()
DAY = 86400
TRICK = Due(1, "trick 3")


def table(**columns):
    return TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, "vacation_days": 3, **columns})


def seat(**columns):
    return SeatRow(**{"table_id": 1, "seat": 0, "player_id": 1, "name": "Ann", "state": SeatState.HOST, **columns})


def ann(**columns):
    return PlayerRow(**{"id": 1, "address": "ann@example.org", "name": "Ann", "created_at": NOW, **columns})


def after(*days):
    return [TODAY + timedelta(days=day) for day in days]


def on_vacation(*days, **columns):
    return seat(vacation=Vacation(frozenset(after(*days))), **columns)


def test_days_that_are_taken_are_days_off_at_that_table():
    row, player = on_vacation(0, 1), ann(days_off=0b1000000)
    assert after(0)[0] not in days_off_at(seat(), player)
    assert [day for day in range(7) if after(day)[0] in days_off_at(row, player)] == [0, 1, 5]
    assert (vacation_until(row, player, NOW), days_left(table(), row)) == (after(1)[0], 1)


@pytest.mark.parametrize(
    ("of_table", "row", "left"),
    [
        pytest.param({}, seat(), 3, id="none taken"),
        pytest.param({}, on_vacation(0, 1), 1, id="two taken"),
        pytest.param({}, on_vacation(-9, -8, -7, -6), 0, id="more than there are by now"),
        pytest.param({}, seat(stands_in_for=2), 0, id="of a stand-in"),
        pytest.param({"vacation_days": 0}, seat(), 0, id="a table without"),
        pytest.param({"pass_seconds": VACATION_FROM.total_seconds()}, seat(), 3, id="the shortest pace"),
        pytest.param({"pass_seconds": VACATION_FROM.total_seconds() - 1}, seat(), 0, id="too short a pace"),
        pytest.param({"live_seconds": 60}, seat(), 0, id="while it is played live"),
    ],
)
def test_a_seat_has_its_tables_days_less_those_taken(of_table, row, left):
    assert days_left(table(**of_table), row) == left


def test_a_returning_player_keeps_the_days_from_today_on():
    row, player = on_vacation(-2, -1, 0, 1), ann()
    end_vacation(row, player, NOW)
    assert sorted(vacation_of(row).dates) == after(-2, -1)
    assert vacation_until(row, player, NOW) is None


@pytest.mark.parametrize(
    ("row", "taken"),
    [
        pytest.param(seat(), True, id="the first deadline missed"),
        pytest.param(seat(missed=1), False, id="another one"),
        pytest.param(on_vacation(-3, -2, -1), False, id="none left"),
        pytest.param(seat(vacation=Vacation(automatic=1, taken_for=("1 trick 3",))), False, id="taken already"),
        pytest.param(
            seat(vacation=Vacation(automatic=1, taken_for=("1 trick 2",))), True, id="taken for another trick"
        ),
    ],
)
def test_one_day_is_taken_for_a_player_who_was_there(row, taken):
    assert may_take_one(table(), row, TRICK) is taken


def test_a_day_counts_for_decisions_that_it_is_extended_to():
    row, other = seat(), Due(2, "pass")
    take_one(row, TRICK, NOW)
    assert (was_taken_for(row, TRICK), was_taken_for(row, other)) == (True, False)
    extend_to(row, other)
    assert (was_taken_for(row, TRICK), was_taken_for(row, other), vacation_of(row).days) == (True, True, 1)
    take_one(row, Due(3, "pass"), NOW)
    assert (was_taken_for(row, TRICK), vacation_of(row).days) == (False, 2)
