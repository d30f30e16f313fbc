"""Mails to a person rather than a seat: to which address they go, when, and which of them are different mails."""

from datetime import timedelta

import pytest

from tests.cast import address, letters, open_table
from webapp.models import AddressChangeRow, LetterKind, LetterState, PlayerRow
from webapp.outbox.about_accounts import queue_address_change, queue_forget, queue_join, queue_sign_in, queue_trial

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


@pytest.fixture
def bo(runtime):
    """A player who sits at no table."""
    with runtime.database.writing() as session:
        player = PlayerRow(address=address("Bo"), name="Bo", created_at=runtime.now())
        session.add(player)
    return player


def test_mails_of_other_kinds_or_times_go_besides(runtime, bo):
    now = runtime.now()
    with runtime.database.writing() as session:
        for queue, at in ((queue_sign_in, now), (queue_sign_in, now + SECOND), (queue_forget, now)):
            queue(session, runtime, bo, at)
    queued = letters(runtime)
    assert [letter.kind for letter in queued] == [LetterKind.SIGN_IN, LetterKind.SIGN_IN, LetterKind.FORGET]
    assert len({letter.message_id for letter in queued}) == 3
    assert {(letter.player_id, letter.address, letter.state) for letter in queued} == {
        (bo.id, None, LetterState.QUEUED)
    }


def test_a_mail_about_an_open_seat_names_table_and_newcomer(runtime, bo):
    table_id = open_table(runtime, ("Ann",), robots=3)
    with runtime.database.writing() as session:
        queue_join(session, runtime, bo, table_id, "Bobby", runtime.now())
    (letter,) = letters(runtime, LetterKind.JOIN)
    assert (letter.player_id, letter.table_id, letter.seat, letter.about) == (bo.id, table_id, None, "Bobby")


def test_a_trial_goes_where_the_operator_wants_it(runtime, bo):
    with runtime.database.writing() as session:
        queue_trial(session, runtime, bo, address("Cy"), runtime.now())
    (letter,) = letters(runtime, LetterKind.TRIAL)
    assert (letter.player_id, letter.address) == (bo.id, address("Cy"))


def test_a_change_of_address_is_asked_twice_at_most(runtime, bo):
    asked = {"old_address": bo.address, "new_address": address("Cy"), "asked_at": runtime.now()}
    with runtime.database.writing() as session:
        for _ in range(2):
            change = AddressChangeRow(player_id=bo.id, ready_at=runtime.now() + 7 * DAY, **asked)
            session.add(change)
            session.flush()
            for again, at in ((False, runtime.now()), (True, runtime.now() + DAY)):
                about = (LetterKind.ADDRESS_ASKED, change, bo.address, at)
                queue_address_change(session, runtime, *about, again=again)
    queued = letters(runtime)
    assert [letter.next_at - runtime.now() for letter in queued] == 2 * [timedelta(), DAY]
    assert [(letter.change_id, letter.again, letter.address) for letter in queued] == [
        (change_id, again, bo.address) for change_id in (1, 2) for again in (False, True)
    ]
    assert len({letter.message_id for letter in queued}) == 4
