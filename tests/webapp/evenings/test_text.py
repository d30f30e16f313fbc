"""An evening together in words: the hours of a vote, and the page of each player."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.evenings.meeting import keep_vote
from webapp.evenings.text import evening_sheet, hour_lines
from webapp.models import EveningRow, EveningState, SeatRow, SeatState

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
HOURS = [NOW + timedelta(hours=8), NOW + timedelta(days=1, hours=8)]
ANN, BO, CY, DI = range(4)


def seats(away=()):
    return [
        SeatRow(table_id=1, seat=n, player_id=n + 1, name=name, state=SeatState.ACCEPTED, away=n in away)
        for n, name in enumerate(("Ann", "Bo", "Cy", "Di"))
    ]


def evening(votes=None, **columns):
    """Ann proposes two hours; `votes` are those that suit, by seat."""
    given = {"state": EveningState.OPEN, "closes_at": HOURS[1], **columns}
    row = EveningRow(
        id=1, table_id=1, game_id=1, proposed_by=1, name="Ann", pace_seconds=60, created_at=NOW, changed_at=NOW, **given
    )
    row.hours, row.votes = [hour.isoformat() for hour in HOURS], {}
    for seat, places in (votes or {}).items():
        keep_vote(row, seat + 1, [HOURS[place] for place in places])
    return row


def page(row, reader=BO, away=()):
    people = seats(away)
    return evening_sheet(row, people, people[reader], "Europe/Berlin", NOW)


def test_each_hour_is_local_and_names_whom_it_suits():
    people = seats()
    found = hour_lines(evening({ANN: [0, 1], BO: [0], CY: [1]}), people, people[BO], "Europe/Berlin", NOW)
    assert [(line.value, line.text, line.suits, line.note) for line in found] == [
        ("2026-03-03T20:00Z", "Tonight, 21:00", True, "Ann can."),
        ("2026-03-04T20:00Z", "Tomorrow, 21:00", False, "Ann and Cy can."),
    ]


@pytest.mark.parametrize(
    ("votes", "away", "sentence"),
    [
        pytest.param({ANN: [0], CY: [], DI: [1]}, (), "All the others have answered.", id="all"),
        pytest.param({ANN: [0], CY: []}, (), "Di has not answered yet.", id="one is missing"),
        pytest.param({ANN: [0]}, (), "Cy and Di have not answered yet.", id="two are missing"),
        pytest.param({ANN: [0]}, (CY,), "Di has not answered yet.", id="who is away is not waited for"),
    ],
)
def test_a_vote_says_who_of_the_others_has_not_answered(votes, away, sentence):
    assert page(evening(votes), away=away).sentences == (sentence,)


@pytest.mark.parametrize(
    ("reader", "heading"), [(ANN, "You propose an evening together"), (BO, "Ann proposes an evening together")]
)
def test_a_vote_is_headed_by_who_proposes_it(reader, heading):
    assert page(evening(), reader).heading == heading


@pytest.mark.parametrize(
    ("here", "sentences"),
    [
        pytest.param((), ("It is time.", "Ann, Cy and Di are not there yet."), id="nobody is there"),
        pytest.param((ANN, CY), ("It is time.", "Di is not there yet."), id="one is missing"),
        pytest.param((ANN, CY, DI), ("It is time.",), id="only the reader is missing"),
    ],
)
def test_at_the_hour_the_text_says_who_is_missing(here, sentences):
    row, people = evening(state=EveningState.AGREED, begins_at=NOW, waits_until=NOW + timedelta(minutes=10)), seats()
    for seat in here:
        people[seat].here_at = NOW
    assert evening_sheet(row, people, people[BO], "UTC", NOW).sentences == sentences


def test_before_the_hour_everybody_can_come():
    sheet = page(evening(state=EveningState.AGREED, begins_at=HOURS[0]))
    assert (sheet.heading, sheet.sentences) == ("Tonight, 21:00: together at the table", ("Everybody can come.",))
    assert sheet.hours == (), "nobody votes any more"


@pytest.mark.parametrize("state", [EveningState.OVER, EveningState.MISSED, EveningState.NONE, EveningState.CANCELLED])
def test_an_evening_that_is_over_has_no_page(state):
    assert page(evening(state=state)) is None
