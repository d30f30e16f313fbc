"""The clock of a slow game in words: pauses, spare days, and playing on live."""

from datetime import UTC, date, datetime, timedelta

import pytest

from hearts.rules import Rules
from hearts.seats import Seat
from tests.cast import start_game
from webapp.models import Pause, SeatRow, SeatState, Stands, TableRow, TableState, Vacation
from webapp.presentation.clock_text import (
    GO_ON,
    PauseLine,
    clock_notes,
    had_bank_sentence,
    left_note,
    left_sentence,
    live_line,
    pause_line,
    pause_note,
    spare_days_sentence,
    taken_sentence,
)

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


# pauses


@pytest.mark.parametrize(
    ("others", "is_asking", "is_paused", "note", "button"),
    [
        pytest.param([], False, False, "", "Ask for a pause", id="nobody asks"),
        pytest.param(["Bo"], False, False, "Bo asks for a pause.", "Ask for a pause", id="another asks"),
        pytest.param(["Bo", "Cy"], False, False, "Bo and Cy ask for a pause.", "Ask for a pause", id="two others ask"),
        pytest.param(
            [],
            True,
            False,
            "You ask for a pause. It begins once more than half of the players want one.",
            "No pause after all",
            id="the reader asks",
        ),
        pytest.param([], False, True, "", "Let the game go on", id="paused"),
        pytest.param(["Bo"], False, True, "Bo wants the game to go on.", "Let the game go on", id="another goes on"),
        pytest.param(
            ["Bo", "Cy"],
            True,
            True,
            "Bo and Cy want the game to go on. You want the game to go on. It does once more than half of the"
            " players want it.",
            "Leave it paused",
            id="all but one go on",
        ),
    ],
)
def test_the_line_says_who_asks_and_what_the_button_changes(others, is_asking, is_paused, note, button):
    line = pause_line(others, is_asking=is_asking, is_paused=is_paused)
    assert (line.note, line.button, line.wanted) == (note, button, not is_asking)
    assert line.is_idle is (not note and not is_paused)


UNTIL = NOW + timedelta(days=60)


@pytest.mark.parametrize(
    ("pause", "begins", "ends"),
    [
        pytest.param(None, "", "", id="none"),
        pytest.param(Pause(Stands.HOST, NOW), "", "", id="the host's"),
        pytest.param(
            Pause(Stands.PLAYERS, NOW, UNTIL), "Players asked", "else it does so on Sat 2 May, 12:00 (UTC).", id="voted"
        ),
        pytest.param(
            Pause(Stands.REST, NOW, UNTIL), "Nobody is playing", "it is over on Sat 2 May, 12:00 (UTC).", id="a rest"
        ),
    ],
)
def test_a_pause_says_until_when_anybody_may_end_it(pause, begins, ends):
    note = pause_note(pause, NOW, "UTC")
    assert (note.startswith(begins), note.endswith(ends), bool(note)) == (True, True, bool(begins))
    if note:
        line = pause_line(["Bo"], is_asking=False, is_paused=True, anybodys=note)
        assert line == PauseLine(note, GO_ON, wanted=True)


# spare days

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
    assert spare_days_sentence(table(vacation_days=days)) == sentence


def test_who_had_a_bank_reads_what_came_in_its_place(runtime):
    stored = start_game(runtime).stored
    with runtime.database.reading() as session:
        assert clock_notes(session, stored, Seat(1), runtime.now()) == []
        stored.table.vacation_days = 2
        stored.seats[1].vacation = Vacation(had_bank=True)
        assert clock_notes(session, stored, Seat(1), runtime.now()) == [had_bank_sentence(2)]
        assert clock_notes(session, stored, Seat(0), runtime.now()) == []


# playing on live

THEN = "Then each card has 1 minute."
ANN, BO, CY = range(3)


def live(*wants, pace=None, reader=ANN, away=(), is_alone=False):
    """The line for one player of three; the players in `wants` have tapped."""
    table = TableRow(code="7F3KM", host_id=1, rules=Rules(), pass_seconds=86400, play_seconds=86400, created_at=NOW)
    table.state, table.live_seconds = TableState.PLAYING, pace
    people = [
        SeatRow(table_id=1, seat=n, player_id=n + 1, name=name, state=SeatState.ACCEPTED, here_at=NOW)
        for n, name in enumerate(("Ann", "Bo", "Cy"))
    ]
    for seat in people:
        seat.wants_live, seat.away = seat.seat in wants, seat.seat in away
        seat.here_at = None if is_alone and seat.seat != reader else NOW
    found = live_line(table, people, people[reader], NOW)
    return found and (found.note, found.wants)


@pytest.mark.parametrize(
    ("found", "note", "wants"),
    [
        (live(), "Everybody is here. Live, each card has 1 minute.", "yes"),
        (live(BO), f"Bo wants to play on live. {THEN}", "yes"),
        (live(BO, CY), f"Bo and Cy want to play on live. {THEN}", "yes"),
        (live(BO, CY, away=[CY]), f"Bo wants to play on live. {THEN}", "yes"),
        (live(ANN, BO), "You want to play on live. We wait for Cy.", "no"),
        (live(pace=60), "You play live: 1 minute for each card, until somebody leaves.", "end"),
    ],
)
def test_each_player_reads_who_wants_to_play_on_live(found, note, wants):
    assert found == (note, wants)


def test_nobody_is_asked_who_is_away_or_alone():
    assert live(is_alone=True) is None
    assert live(reader=CY, away=[CY]) is None
