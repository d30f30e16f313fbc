"""The form of a player who goes away: what it yields, and which fields are rejected with which message."""

from datetime import date

import pytest

from webapp.forms.opening import NewSeat
from webapp.forms.preferences import Absence, AwayChoice, away_form, last_day_typed, read_away_form

TODAY = date(2026, 3, 3)
EVE = {"name": "Eve", "address": "eve@example.org"}


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        pytest.param({"answer": "robot"}, Absence(AwayChoice.ROBOT, None, None), id="until they are back"),
        pytest.param({"answer": "robot", "until": "2026-03-03"}, Absence(AwayChoice.ROBOT, TODAY, None), id="today"),
        pytest.param(
            {"answer": "robot", "until": " 2027-03-03 "}, Absence(AwayChoice.ROBOT, date(2027, 3, 3), None), id="a year"
        ),
        pytest.param({"answer": "robot", **EVE}, Absence(AwayChoice.ROBOT, None, None), id="no friend"),
        pytest.param(
            {"answer": "friend", **EVE},
            Absence(AwayChoice.FRIEND, None, NewSeat("Eve", "eve@example.org")),
            id="a friend",
        ),
    ],
)
def test_a_valid_form_yields_an_absence(sent, found):
    form = read_away_form(sent, TODAY)
    assert (form.errors, form.absence) == ({}, found)


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("answer", "", "Choose a robot or a friend."),
        ("answer", "money", "Choose a robot or a friend."),
        ("answer", "wait", "Choose a robot or a friend."),
        ("until", "tomorrow", "Choose a day from the calendar."),
        ("until", "2026-02-30", "Choose a day from the calendar."),
        ("until", "2026-03-02", "That day is over. Choose today or a later day."),
        ("until", "2027-03-04", "Choose a day within the next year."),
        ("until", "9999-12-31", "Choose a day within the next year."),
        ("address", "eve at home", "This is not an email address that we can write to."),
    ],
)
def test_an_invalid_field_is_rejected_at_its_place(field, text, sentence):
    form = read_away_form({"answer": "friend", "until": "", **EVE, field: text}, TODAY)
    assert form.absence is None
    assert form.errors == {field: sentence}
    assert form.values[field] == text


@pytest.mark.parametrize(
    ("word", "last"),
    [
        pytest.param("away", None, id="no end"),
        pytest.param("away 5", date(2026, 3, 8), id="days from today"),
        pytest.param("away until 3 5", date(2026, 5, 3), id="this year"),
        pytest.param("away until 3 3", TODAY, id="today"),
        pytest.param("away until 2 3", date(2027, 3, 2), id="next year"),
        pytest.param("away until 29 2", date(2027, 2, 28), id="no leap year"),
    ],
)
def test_the_word_of_a_reply_names_the_last_day(word, last):
    assert last_day_typed(word, TODAY) == last


def test_at_first_a_robot_plays_until_the_player_is_back():
    assert read_away_form(away_form().values, TODAY).absence == Absence(AwayChoice.ROBOT, None, None)
