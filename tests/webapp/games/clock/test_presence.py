"""Presence: what a heartbeat of a page writes, how long it is valid, and who may send it."""

from datetime import UTC, datetime, timedelta

import pytest

from hearts.seats import Seat
from tests import mailing
from tests.cast import address, dump, start_game
from tests.playing import BO
from webapp.games.clock.presence import (
    HEARTBEAT_INTERVAL,
    LEAVE_GRACE,
    PRESENT_FOR,
    is_present,
    last_here,
    note_seen,
    was_present_recently,
)
from webapp.games.record import store
from webapp.models import PlayerRow, SeatRow, SeatState, TurnSource

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def seat_seen(at):
    return SeatRow(table_id=1, seat=BO, player_id=2, name="Bo", state=SeatState.ACCEPTED, here_at=at)


def row_of(table, seat=BO):
    return table.seats[seat]


@pytest.mark.parametrize(
    ("ago", "here", "about"),
    [
        pytest.param(None, False, False, id="never"),
        pytest.param(timedelta(), True, True, id="at this moment"),
        pytest.param(PRESENT_FOR - SECOND, True, True, id="within the time"),
        pytest.param(PRESENT_FOR, False, True, id="a late heartbeat: the player may be on the way to another page"),
        pytest.param(PRESENT_FOR + LEAVE_GRACE - SECOND, False, True, id="a moment later, the same"),
        pytest.param(PRESENT_FOR + LEAVE_GRACE, False, False, id="gone"),
    ],
)
def test_a_heartbeat_is_valid_for_its_time(ago, here, about):
    row = seat_seen(None if ago is None else NOON - ago)
    assert (is_present(row, NOON), was_present_recently(row, NOON)) == (here, about)


def test_a_heartbeat_makes_a_player_present_and_leaving_ends_it(runtime):
    table = start_game(runtime)
    table.beat()
    assert [is_present(row, runtime.now()) for row in table.seats] == [False, True, False, False]
    runtime.now.pass_by(SECOND)
    table.beat(here=False)
    assert not is_present(row_of(table), runtime.now()), "at once"
    assert was_present_recently(row_of(table), runtime.now()), "but one page gives way to the next"
    table.beat()
    assert is_present(row_of(table), runtime.now())


@pytest.mark.parametrize("here", [True, False])
def test_a_heartbeat_that_changes_nothing_is_not_written(runtime, here):
    table = start_game(runtime)
    table.beat()
    table.beat(here=here)
    before = dump(runtime)
    runtime.now.pass_by(HEARTBEAT_INTERVAL - SECOND)
    table.beat(here=here)
    assert dump(runtime) == before
    runtime.now.pass_by(SECOND)
    table.beat(here=here)
    assert (dump(runtime) == before) is (not here), "leaving once is enough"


def test_a_heartbeat_counts_as_activity_and_leaving_does_not(runtime):
    table = start_game(runtime)
    seen = {}
    for here in (True, False):
        runtime.now.pass_by(timedelta(hours=1))
        table.beat(here=here)
        with runtime.database.reading() as session:
            found = session.exec(PlayerRow.__table__.select()).all()
        seen[here] = {row.address: row.seen_at for row in found}[address("Bo")]
    assert seen[True] == seen[False] == runtime.now() - timedelta(hours=1)


def test_an_older_act_that_is_noted_later_changes_nothing(runtime):
    start_game(runtime)
    with runtime.database.writing() as session:
        seen_at = note_seen(session, mailing.player_id(runtime, "Bo"), runtime.now()).seen_at
        assert note_seen(session, mailing.player_id(runtime, "Bo"), runtime.now() - SECOND).seen_at == seen_at


def here(table):
    """When Bo was last at the table, as the number of records and as the minutes since."""
    with table.runtime.database.reading() as session:
        turns, at = last_here(session, store.load(session, table.game_id), Seat(BO))
    return turns, at and round((table.runtime.now() - at) / timedelta(minutes=1))


def test_a_player_was_last_here_when_they_chose_or_read(runtime):
    table = start_game(runtime)
    assert here(table) == (0, None)
    table.pass_lowest(BO)
    runtime.now.pass_by(timedelta(minutes=5))
    assert here(table) == (2, 5), "the deal and their pass"
    table.pass_all((0, 2, 3))
    table.beat()
    runtime.now.pass_by(timedelta(minutes=5))
    read = table.stored.turns
    table.play_first()
    assert here(table) == (read, 5), "and what others had done when their page was touched"


def test_who_replies_has_seen_what_the_mail_showed(runtime):
    table = start_game(runtime)
    mailing.mailed(runtime, mailing.player_id(runtime, "Bo"))
    runtime.now.pass_by(timedelta(minutes=30))
    table.pass_all((0,))
    table.pass_lowest(BO, TurnSource.REPLY)
    assert here(table) == (1, 30), "the deal, but not what was passed since"


def test_an_open_page_that_nobody_touches_is_no_sign(runtime):
    table = start_game(runtime)
    table.pass_all()
    runtime.now.pass_by(timedelta(hours=1))
    table.beat(idle=timedelta(minutes=30))
    assert here(table)[1] == 30, "but the touch before"
