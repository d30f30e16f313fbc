"""The rules of a host's proposal: who is asked, how many have to agree, and what becomes of the pace."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.games.clock import proposals
from webapp.models import PaceTimes, PlayerRow, Proposal, Proposed, SeatRow, SeatState, TableRow

NOW = datetime(2026, 3, 2, 22, 30, tzinfo=UTC)
ANN, BO, CY, DI = range(1, 5)
SLOW, LIVE = PaceTimes(7200, 7200, 2), PaceTimes(7200, 30, 0)


def table_of(*kept):
    return TableRow(host_id=ANN, pass_seconds=86400, play_seconds=86400, proposals=list(kept) or None)


def seats(*people, away=(), robots=0, invited=()):
    state = {ANN: SeatState.HOST, **dict.fromkeys(invited, SeatState.INVITED)}
    rows = [SeatRow(seat=n, player_id=one, state=state.get(one, SeatState.ACCEPTED)) for n, one in enumerate(people)]
    for row in rows:
        row.away = row.player_id in away
    return [*rows, *(SeatRow(seat=len(people) + n, state=SeatState.ROBOT) for n in range(robots))]


def proposed(what=Proposed.END, **more):
    return Proposal(what, NOW, **more)


def test_neither_robots_nor_guests_who_have_not_answered_are_others():
    here = seats(ANN, BO, CY, robots=1, invited=[CY])
    assert [seat.player_id for seat in proposals.others(table_of(), here)] == [BO]


@pytest.mark.parametrize(
    ("what", "here", "agreed", "is_agreed"),
    [
        pytest.param(Proposed.END, seats(ANN, BO, CY, DI), [BO], False, id="one of three"),
        pytest.param(Proposed.END, seats(ANN, BO, CY, DI), [BO, DI], True, id="two of three"),
        pytest.param(Proposed.ROBOT, seats(ANN, BO, CY), [CY], True, id="half"),
        pytest.param(Proposed.END, seats(ANN, BO, CY, DI, away=[CY, DI]), [CY], False, id="only who is away"),
        pytest.param(Proposed.END, seats(ANN, BO, CY, DI, away=[CY, DI]), [BO], True, id="all who are there"),
        pytest.param(Proposed.END, seats(ANN, BO, away=[BO]), [], False, id="nobody is there"),
        pytest.param(Proposed.END, seats(ANN, BO, CY, DI), [ANN, 9], False, id="the host, and one who has left"),
        pytest.param(Proposed.PACE, seats(ANN, BO, CY, DI), [BO, CY], False, id="a pace, two of three"),
        pytest.param(Proposed.PACE, seats(ANN, BO, CY, DI), [BO, CY, DI], True, id="a pace, all"),
        pytest.param(Proposed.PACE, seats(ANN, BO, robots=2), [BO], True, id="a pace, all among robots"),
    ],
)
def test_half_agree_to_an_end_and_all_to_a_pace(what, here, agreed, is_agreed):
    assert proposals.is_agreed(table_of(), here, proposed(what, agreed=frozenset(agreed))) == is_agreed


@pytest.mark.parametrize(("pace", "needs_all"), [(None, False), (SLOW, False), (LIVE, True)])
def test_only_a_live_pace_waits_for_all(pace, needs_all):
    assert proposals.needs_all(proposed(Proposed.PACE, pace=pace)) == needs_all


def test_a_days_end_comes_after_everybodys_night():
    awake, asleep = PlayerRow(time_zone="UTC", quiet_from=None), PlayerRow(time_zone="UTC", quiet_from=22, quiet_to=7)
    assert proposals.ends_at([awake], NOW) == NOW + timedelta(days=1)
    assert proposals.ends_at([awake, asleep], NOW) == datetime(2026, 3, 4, 10, tzinfo=UTC)


def test_the_last_of_similar_proposals_counts():
    table = table_of(proposed(Proposed.PACE, pace=SLOW, agreed=frozenset({BO})), proposed(Proposed.ROBOT, seat=1))
    for new in (proposed(Proposed.ROBOT, seat=2), proposed(Proposed.PACE, pace=LIVE)):
        proposals.put(table, new)
    assert [(one.what, one.seat, one.agreed) for one in table.proposals] == [
        (Proposed.ROBOT, 1, frozenset()),
        (Proposed.ROBOT, 2, frozenset()),
        (Proposed.PACE, None, frozenset()),
    ]
    proposals.forget_seat(table, SeatRow(seat=1))
    assert [one.seat for one in table.proposals] == [2, None]
    proposals.end_with_game(table)
    assert (table.proposals, table.play_seconds) == (None, 86400)


@pytest.mark.parametrize(("pace", "play_seconds"), [(SLOW, 7200), (LIVE, 86400)])
def test_no_deal_or_next_game_begins_a_live_pace(pace, play_seconds):
    table = table_of(proposed(), proposed(Proposed.PACE, pace=pace))
    assert (proposals.for_next_deal(table) is None) == (pace is LIVE)
    proposals.end_with_game(table)
    assert (table.play_seconds, table.proposals) == (play_seconds, None)
