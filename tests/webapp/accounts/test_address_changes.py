"""The state of an address change: until when it may go on or be undone, which are due, and what is kept of one."""

from datetime import timedelta

import pytest

from tests.cast import start_game
from webapp.accounts import address_changes
from webapp.core.tokens import LinkInvalid, NewAddressLink, OldAddressLink, TakeBackLink
from webapp.models import ChangeState, PlayerRow

BO = 2
NEW, OLD = "bo@new.example", "bo@example.org"
MOMENT, DAY = timedelta(microseconds=1), timedelta(days=1)
OPEN, DONE, DROPPED = ChangeState.OPEN, ChangeState.DONE, ChangeState.DROPPED


@pytest.fixture
def session(runtime):
    """A session in which Bo plays."""
    start_game(runtime)
    with runtime.database.writing() as opened:
        yield opened


def change(session, now, **columns):
    """An address change of Bo's that was asked for at `now`, with these columns."""
    row = address_changes.new_change(session.get_one(PlayerRow, BO), NEW, now)
    for name, value in columns.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()
    return row


@pytest.mark.parametrize(("bounces", "days"), [(False, 7), (True, 3)])
def test_a_change_waits_a_week_but_only_days_after_bounces(runtime, session, bounces, days):
    session.get_one(PlayerRow, BO).unreachable_at = runtime.now() if bounces else None
    row = change(session, runtime.now())
    assert (row.old_address, row.new_address, row.state) == (OLD, NEW, OPEN)
    assert row.ready_at == runtime.now() + days * DAY


@pytest.mark.parametrize(
    ("state", "is_proved", "age", "goes_on"),
    [
        pytest.param(OPEN, False, 2 * DAY - MOMENT, True, id="can still be proved"),
        pytest.param(OPEN, False, 2 * DAY, False, id="was not proved in time"),
        pytest.param(OPEN, True, 99 * DAY, True, id="was proved"),
        pytest.param(DONE, True, MOMENT, False, id="done"),
        pytest.param(DROPPED, True, MOMENT, False, id="dropped"),
    ],
)
def test_a_change_is_under_way_while_its_address_is_provable(runtime, session, state, is_proved, age, goes_on):
    asked_at = runtime.now()
    row = change(session, asked_at, state=state, proved_at=asked_at if is_proved else None)
    assert address_changes.is_under_way(row, asked_at + age) is goes_on
    assert address_changes.under_way(session, BO, asked_at + age) is (row if goes_on else None)
    assert address_changes.under_way(session, BO + 1, asked_at) is None


@pytest.mark.parametrize(
    ("state", "age", "may"),
    [
        pytest.param(DONE, 14 * DAY - MOMENT, True, id="within two weeks"),
        pytest.param(DONE, 14 * DAY, False, id="after two weeks"),
        pytest.param(DROPPED, MOMENT, False, id="nothing was changed"),
    ],
)
def test_an_abandoned_address_may_be_taken_back_for_two_weeks(runtime, session, state, age, may):
    row = change(session, runtime.now(), state=state, ended_at=runtime.now())
    now = runtime.now() + age
    assert address_changes.may_be_taken_back(row, now) is may
    left = address_changes.player_who_left(session, OLD, now)
    assert (left and left.id) == (BO if may else None)
    assert address_changes.player_who_left(session, NEW, now) is None


def test_changes_that_have_waited_long_enough_are_ready_oldest_first(runtime, session):
    now = runtime.now()
    late, later = (change(session, now, ready_at=now - wait).id for wait in (DAY, 2 * DAY))
    change(session, now, ready_at=now + MOMENT)
    change(session, now, ready_at=now - DAY, state=DROPPED)
    just = change(session, now, ready_at=now).id
    assert address_changes.ready(session, now) == [later, late, just]
    assert address_changes.ready(session, now, 1) == [later]


@pytest.mark.parametrize(("age", "kept"), [(30 * DAY, (OLD, NEW)), (30 * DAY + MOMENT, ("", ""))])
def test_a_change_loses_its_addresses_after_a_month_but_stays(runtime, session, age, kept):
    row = change(session, runtime.now(), state=DONE, ended_at=runtime.now())
    pending = change(session, runtime.now())
    address_changes.forget_old(session, runtime.now() + age)
    session.expire_all()
    assert (row.old_address, row.new_address) == kept
    assert pending.new_address == NEW


@pytest.mark.parametrize("kind", [NewAddressLink, OldAddressLink, TakeBackLink])
def test_every_link_about_a_change_names_it_by_its_number(runtime, session, kind):
    row = change(session, runtime.now())
    assert address_changes.change_of(session, kind(row.id)) is row
    with pytest.raises(LinkInvalid):
        address_changes.change_of(session, kind(row.id + 1))


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("eve@example.org", "e***@example.org"),
        ("e@example.org", "e***@example.org"),
        ("é.v@exämple.org", "é***@exämple.org"),
        ('"a@b"@example.org', '"***@example.org'),
    ],
)
def test_a_masked_address_shows_its_first_letter_and_its_domain(address, shown):
    assert address_changes.masked(address) == shown


def test_a_player_has_their_address_and_those_that_they_left(runtime, session):
    bo = session.get_one(PlayerRow, BO)
    change(session, runtime.now(), old_address="bo@first.example", state=DONE, agreed_at=runtime.now())
    change(session, runtime.now(), old_address="bo@silent.example", state=DONE)
    change(session, runtime.now(), old_address="ann@example.org", state=DONE, agreed_at=runtime.now())
    change(session, runtime.now(), old_address="bo@dropped.example", state=DROPPED)
    change(session, runtime.now(), old_address="", state=DONE)
    assert address_changes.addresses_of(session, bo) == {OLD, "bo@first.example", "bo@silent.example"}
    assert address_changes.addresses_of(session, bo, only_agreed=True) == {OLD, "bo@first.example"}
