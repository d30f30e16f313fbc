"""Proposals as text for a reader: what, until when, who agrees, and whether they may."""

from datetime import UTC, datetime

import pytest

from hearts.rules import preset_rules
from webapp.models import PaceTimes, Proposal, Proposed, SeatRow, SeatState, TableRow
from webapp.presentation.sheets import proposal_lines

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ENDS = datetime(2026, 3, 3, 12, tzinfo=UTC)
ANN, BO, CY, DI = range(1, 5)
UNTIL = "Tue 3 March, 12:00 (UTC)"
END = Proposal(Proposed.END, NOW, ENDS)
ROBOT = Proposal(Proposed.ROBOT, NOW, ENDS, seat=1)
SLOW = Proposal(Proposed.PACE, NOW, pace=PaceTimes(172800, 172800, 1))
LIVE = Proposal(Proposed.PACE, NOW, pace=PaceTimes(30, 30, 0))
A_DAY = (UNTIL, "half of the")


def line(proposal, reader=CY, agreed=()):
    kept = Proposal(proposal.what, NOW, proposal.ends_at, proposal.seat, proposal.pace, frozenset(agreed))
    table = TableRow(code="ABCDE", host_id=ANN, rules=preset_rules("classic"), pass_seconds=86400, play_seconds=3600)
    table.proposals = [kept]
    names = ("Ann", "Bo", "Cy", "Di")
    state = {ANN: SeatState.HOST}
    people = [
        SeatRow(seat=n, player_id=n + 1, name=name, state=state.get(n + 1, SeatState.ACCEPTED), table_number=1)
        for n, name in enumerate(names)
    ]
    (found,) = proposal_lines(table, people, reader, "UTC", NOW)
    return found


@pytest.mark.parametrize(
    ("proposal", "reader", "heading", "says"),
    [
        pytest.param(END, CY, "The end of the game?", A_DAY, id="the end"),
        pytest.param(ROBOT, BO, "A robot for your seat?", ("takes your seat", UNTIL), id="the reader's seat"),
        pytest.param(ROBOT, CY, "A robot for the seat of Bo?", ("the seat of Bo", *A_DAY), id="another's seat"),
        pytest.param(SLOW, CY, "Another pace", ("with the next hand",), id="a pace"),
        pytest.param(LIVE, CY, "A live game?", ("once all the others agree, and not before",), id="a live pace"),
    ],
)
def test_it_says_what_comes_and_when(proposal, reader, heading, says):
    found = line(proposal, reader)
    assert found.heading == heading
    assert all(words in found.sentence for words in ("Ann ", *says))


def test_a_pace_is_named_with_the_one_that_holds():
    found = line(SLOW)
    assert found.pace == "You have 1 day to pass and 1 hour per card."
    assert found.new_pace.startswith("You have 2 days per turn. Each player has one spare day a game")
    assert (line(END).pace, line(END).new_pace) == ("", "")


@pytest.mark.parametrize(
    ("reader", "agreed", "note", "may_agree"),
    [
        pytest.param(CY, [], "", True, id="nobody yet"),
        pytest.param(CY, [BO], "Bo agrees.", True, id="another"),
        pytest.param(CY, [BO, CY, DI], "Bo and Di agree. You agree.", False, id="all"),
        pytest.param(ANN, [BO], "Bo agrees.", False, id="to the host"),
        pytest.param(None, [9], "", False, id="to nobody, by one who has left"),
    ],
)
def test_it_says_who_agrees_and_asks_the_others(reader, agreed, note, may_agree):
    found = line(END, reader, agreed)
    assert (found.note, found.may_agree) == (note, may_agree)
