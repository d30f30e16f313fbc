"""The mails about a table: who gets them, and how often."""

import pytest
from sqlmodel import select, update

from tests.cast import open_table
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import about_tables
from webapp.outbox.about_tables import BY_OPERATOR, SECOND_INVITATION_AFTER, SeatGiven

BO = 1


@pytest.fixture
def session(runtime):
    """A session in which all letters so far are sent."""
    open_table(runtime)
    with runtime.database.writing() as opened:
        opened.exec(update(LetterRow).values(state=LetterState.SENT, message="sent", next_at=None))
        yield opened


@pytest.fixture
def seat(session):
    """Bo's seat."""
    return session.get_one(SeatRow, (1, BO))


def queued(session):
    session.flush()
    return session.exec(select(LetterRow).where(LetterRow.state == LetterState.QUEUED).order_by(LetterRow.id)).all()


def mail(session, runtime, kind, seat, **more):
    about_tables.queue_about_table(session, runtime, kind, seat, runtime.now(), **more)


@pytest.mark.parametrize(
    ("kind", "mails", "invitations", "goes"),
    [
        pytest.param(LetterKind.DECLINED, True, False, True, id="who has not muted the table"),
        pytest.param(LetterKind.DECLINED, False, True, False, id="who has"),
        pytest.param(LetterKind.INVITATION, False, True, True, id="an invitation asks for invitations alone"),
        pytest.param(LetterKind.INVITATION, True, False, False, id="who wants none"),
        pytest.param(LetterKind.CONFIRM, False, False, True, id="the host must confirm in any case"),
    ],
)
def test_a_player_gets_only_mail_they_have_not_declined(runtime, session, seat, kind, mails, invitations, goes):
    seat.mails = mails
    session.get_one(PlayerRow, seat.player_id).invitations = invitations
    mail(session, runtime, kind, seat, number=2)
    assert bool(queued(session)) is goes


def test_a_second_invitation_is_queued_in_the_firsts_thread(runtime, session, seat):
    mail(session, runtime, LetterKind.INVITATION, seat, about="Cy", number=2, game_number=2)
    first, second = queued(session)
    assert (first.again, first.thread_id, first.next_at) == (False, None, runtime.now())
    assert (second.again, second.thread_id) == (True, first.message_id)
    assert second.next_at == second.created_at == runtime.now() + SECOND_INVITATION_AFTER
    assert (first.about, first.game_number) == (second.about, second.game_number) == ("Cy", 2)


def test_before_a_game_each_occasion_sends_its_mail_once(runtime, session, seat):
    for about, number, more in [
        ("Cy", 1, {}),
        ("Cy", 1, {}),
        ("Di", 1, {}),
        ("Cy", 2, {}),
        ("Di", 2, {"occasion": "Cy"}),
    ]:
        mail(session, runtime, LetterKind.DECLINED, seat, about=about, number=number, **more)
    assert [letter.about for letter in queued(session)] == ["Cy", "Di", "Cy"]


@pytest.mark.parametrize("reason", [BY_OPERATOR, None])
def test_the_end_of_a_game_is_mailed_once_with_reason(runtime, session, seat, reason):
    for number in (1, 1, 2):
        about_tables.queue_ended(session, runtime, seat, number, runtime.now(), reason=reason)
    assert [(letter.game_number, letter.reason) for letter in queued(session)] == [(1, reason), (2, reason)]


@pytest.mark.parametrize(
    ("why", "mails", "goes"),
    [
        (None, True, True),
        (SeatGiven.LENT, True, True),
        (SeatGiven.GAME_OVER, True, True),
        (SeatGiven.GIVEN_BACK, True, False),
        (None, False, False),
    ],
)
def test_a_player_who_loses_a_seat_unasked_is_told(runtime, session, seat, why, mails, goes):
    seat.mails = mails
    about_tables.queue_replaced(session, runtime, seat, "Bo", why, runtime.now())
    assert [(letter.about, letter.reason) for letter in queued(session)] == ([("Bo", why)] if goes else [])


def test_a_robot_is_not_told_that_its_seat_is_offered(runtime, session, seat):
    seat.player_id, seat.offered_to = None, 3
    about_tables.queue_offered(session, runtime, seat, runtime.now(), 1)
    assert queued(session) == []
