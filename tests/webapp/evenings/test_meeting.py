"""An evening together: its hours and votes, when the service looks at it, and who must be there."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.evenings.hours import SOONEST
from webapp.evenings.meeting import (
    DOORS_OPEN,
    GONE_FOR,
    LONGEST_VOTE,
    common_hour,
    gone_for_long,
    hours_suiting,
    is_door_open,
    keep_vote,
    next_look,
    vote_ends_at,
)
from webapp.models import EveningRow, EveningState, SeatRow, SeatState

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
OFFERED = [NOW + 8 * HOUR, NOW + 9 * HOUR, NOW + 10 * HOUR]
ANN, BO, CY = 1, 2, 3


def evening(votes=None, **columns):
    """By player, the hours that suit them, as places among those on offer."""
    row = EveningRow(hours=[hour.isoformat() for hour in OFFERED], votes={}, closes_at=NOW + LONGEST_VOTE, **columns)
    for player, places in (votes or {}).items():
        keep_vote(row, player, [OFFERED[place] for place in places])
    return row


def seats(*away):
    people = [(ANN, "Ann"), (BO, "Bo"), (CY, "Cy"), (None, "Pip")]
    return [
        SeatRow(table_id=1, seat=n, player_id=player, name=name, state=SeatState.ACCEPTED, away=player in away)
        for n, (player, name) in enumerate(people)
    ]


@pytest.mark.parametrize(
    ("votes", "away", "now", "hour"),
    [
        pytest.param({ANN: [0, 1, 2], BO: [1, 2], CY: [1, 2]}, (), NOW, 1, id="the first that suits all"),
        pytest.param({ANN: [0], BO: [1], CY: [0, 1]}, (), NOW, None, id="none suits all"),
        pytest.param({ANN: [0], BO: [0]}, (), NOW, None, id="one has not answered"),
        pytest.param({ANN: [0], BO: [0], CY: []}, (), NOW, None, id="none suits one"),
        pytest.param({ANN: [0], BO: [0]}, (CY,), NOW, 0, id="who is away is not needed"),
        pytest.param({}, (ANN, BO, CY), NOW, None, id="nobody is needed"),
        pytest.param({ANN: [0, 2], BO: [0, 2], CY: [0, 2]}, (), OFFERED[0] - SOONEST, 0, id="just soon enough"),
        pytest.param({ANN: [0, 2], BO: [0, 2], CY: [0, 2]}, (), OFFERED[0] - SOONEST + SECOND, 2, id="too soon"),
    ],
)
def test_an_hour_is_agreed_on_by_all_who_are_needed(votes, away, now, hour):
    found = common_hour(evening(votes), seats(*away), now)
    assert found == (None if hour is None else OFFERED[hour])


def test_a_second_vote_replaces_the_first_for_offered_hours_only():
    row = evening({ANN: [0, 1], BO: [2]})
    keep_vote(row, ANN, [OFFERED[2], NOW + 99 * HOUR])
    assert hours_suiting(row, ANN) == {OFFERED[2]} == hours_suiting(row, BO)
    assert hours_suiting(row, CY) is None
    keep_vote(row, CY, [])
    assert hours_suiting(row, CY) == frozenset()


def test_a_vote_ends_after_two_days_or_its_last_hour():
    assert vote_ends_at(OFFERED, NOW) == OFFERED[-1] - SOONEST
    assert vote_ends_at([*OFFERED, NOW + 5 * LONGEST_VOTE], NOW) == NOW + LONGEST_VOTE


@pytest.mark.parametrize(
    ("now", "look"),
    [
        (NOW, OFFERED[0] - SOONEST),
        (OFFERED[0] - SOONEST, OFFERED[1] - SOONEST),
        (OFFERED[1] - SOONEST + SECOND, OFFERED[2] - SOONEST),
        (OFFERED[2] - SOONEST, NOW + LONGEST_VOTE),
    ],
)
def test_the_service_wakes_at_each_hours_cutoff_and_the_end(now, look):
    assert next_look(evening(), now) == look
    early = evening()
    early.closes_at = NOW + SECOND
    assert next_look(early, now) == NOW + SECOND


def test_only_players_who_are_needed_are_gone_for_long():
    rows = seats(CY)
    rows[0].here_at, rows[1].here_at = NOW - GONE_FOR, NOW - GONE_FOR - SECOND
    assert gone_for_long(rows, NOW) == [1]
    rows[0].here_at = None
    assert gone_for_long(rows, NOW) == [0, 1]


@pytest.mark.parametrize(
    ("state", "begins_in", "is_open"),
    [
        (EveningState.AGREED, DOORS_OPEN, True),
        (EveningState.AGREED, DOORS_OPEN + SECOND, False),
        (EveningState.LIVE, -HOUR, True),
        (EveningState.OVER, -HOUR, False),
        (EveningState.OPEN, None, False),
    ],
)
def test_the_door_is_open_from_shortly_before_the_hour(state, begins_in, is_open):
    begins_at = None if begins_in is None else NOW + begins_in
    assert is_door_open(evening(state=state, begins_at=begins_at), NOW) is is_open


def test_where_there_is_no_evening_the_door_is_shut():
    assert is_door_open(None, NOW) is False
