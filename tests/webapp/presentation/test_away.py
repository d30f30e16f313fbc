"""A player who is away, in text: who plays for them until when, and what going away would mean."""

from datetime import UTC, date, datetime

import pytest

from webapp.models import Lent, OfferState, PlayerRow, SeatRow, SeatState, TableRow, TableState, Vacation
from webapp.presentation.away import NOT_BEGUN, absence_sentence, note_sentence

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)  # a Tuesday
DAY = 86400
SUNDAY = datetime(2026, 3, 8, 23, tzinfo=UTC)  # midnight in Berlin
LENT = {"player_id": 5, "name": "Eve (Ann)", "stands_in_for": 1, "lent": Lent("Ann", "Eve", mails=True)}
ASKED = {"offered_to": 5, "offered_name": "Eve", "offer_state": OfferState.STAND_IN}


def table(**columns):
    of_table = {"pass_seconds": DAY, "play_seconds": DAY, "vacation_days": 3, "state": TableState.PLAYING}
    return TableRow(**{**of_table, **columns})


def seat(**columns):
    return SeatRow(**{"table_id": 1, "seat": 0, "player_id": 1, "name": "Ann", "state": SeatState.HOST, **columns})


def ann(**columns):
    return PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=NOW, time_zone="Europe/Berlin", **columns)


def waiting(*dates):
    return {"vacation": Vacation(frozenset(map(date.fromisoformat, dates)))}


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        pytest.param({}, "", id="there"),
        pytest.param({"away": True}, "A robot plays for you until you are back.", id="a robot"),
        pytest.param(
            {"away": True, "away_until": SUNDAY}, "A robot plays for you until the end of Sun 8 March.", id="to a day"
        ),
        pytest.param(
            {"away": True, **ASKED},
            "A robot plays for you until Eve says yes: you have asked them to play for you.",
            id="a friend is asked",
        ),
        pytest.param(LENT, "Eve plays for you until you are back.", id="a friend"),
        pytest.param(
            {**LENT, "away_until": SUNDAY}, "Eve plays for you until the end of Sun 8 March.", id="a friend to a day"
        ),
        pytest.param(
            waiting("2026-03-03", "2026-03-04"),
            "The table waits for you until the end of Wed 4 March.",
            id="the table waits",
        ),
        pytest.param(waiting("2026-03-02"), "", id="it has waited"),
    ],
)
def test_a_player_reads_who_plays_for_them(row, sentence):
    assert absence_sentence(seat(**row), ann(), NOW) == sentence


@pytest.mark.parametrize(
    ("of_table", "row", "sentence"),
    [
        pytest.param({}, {}, "", id="a game"),
        pytest.param({"state": TableState.INVITING}, {}, NOT_BEGUN, id="not begun"),
        pytest.param(
            {},
            {"stands_in_for": 2, "lent": Lent("Di", "Ann", mails=True)},
            "You play for Di here: the seat goes back to them.",
            id="a stand-in",
        ),
        pytest.param(
            {},
            {"offered_to": 5, "offered_name": "Eve"},
            "The host has offered your seat to Eve, so no friend can play here.",
            id="an offered seat",
        ),
    ],
)
def test_a_table_says_what_is_special_there(of_table, row, sentence):
    assert note_sentence(table(**of_table), seat(**row)) == sentence
