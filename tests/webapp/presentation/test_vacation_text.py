"""Vacation days in words: what the reader has left, and what others see of it."""

from datetime import date

import pytest

from hearts.seats import Seat
from tests.cast import load, start_game
from webapp.models import SeatRow, SeatState, TableRow, Vacation
from webapp.presentation.vacation_text import (
    had_bank_sentence,
    left_note,
    left_sentence,
    taken_sentence,
    vacation_notes,
    vacation_sentence,
)

DAY = 86400


def table(**columns):
    return TableRow(**{"pass_seconds": DAY, "play_seconds": DAY, "vacation_days": 3, **columns})


def seat(*dates, **columns):
    given = {
        "player_id": 1,
        "name": "Ann",
        "vacation": Vacation(frozenset(map(date.fromisoformat, dates))) if dates else None,
        **columns,
    }
    return SeatRow(table_id=1, seat=0, state=SeatState.HOST, **given)


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        (0, "You have no spare days left in this game."),
        (1, "You have one spare day left in this game."),
        (3, "You have three spare days left in this game."),
    ],
)
def test_the_reader_is_told_how_many_days_are_left(left, sentence):
    assert left_sentence(left) == sentence


@pytest.mark.parametrize(("left", "last"), [(0, left_sentence(0)), (1, "after you have played."), (2, "have played.")])
def test_whoever_has_days_left_reads_when_the_next_counts(left, last):
    assert taken_sentence(left).endswith(last)


@pytest.mark.parametrize(
    ("of_table", "row", "note"),
    [
        pytest.param({}, seat(), "", id="none taken"),
        pytest.param({}, seat(vacation=Vacation()), "", id="all given back"),
        pytest.param({}, seat("2026-02-01"), "two spare days left", id="one taken"),
        pytest.param({}, seat("2026-02-01", "2026-02-02"), "one spare day left", id="two taken"),
        pytest.param({}, seat("2026-02-01", "2026-02-02", "2026-02-03"), "no spare days left", id="all taken"),
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
        (1, "Each player has one spare day a game, for a deadline that they miss."),
        (14, "Each player has 14 spare days a game, one for each deadline that they miss."),
    ],
)
def test_a_table_says_how_many_days_its_players_have(days, sentence):
    assert vacation_sentence(table(vacation_days=days)) == sentence


def test_who_had_a_bank_reads_what_came_in_its_place(runtime):
    stored = load(runtime, start_game(runtime))
    with runtime.database.reading() as session:
        assert vacation_notes(session, stored, Seat(1), runtime.now()) == []
        stored.table.vacation_days = 2
        stored.seats[1].vacation = Vacation(had_bank=True)
        assert vacation_notes(session, stored, Seat(1), runtime.now()) == [had_bank_sentence(2)]
        assert vacation_notes(session, stored, Seat(0), runtime.now()) == []
