"""The mails about a table: who gets them, and how often."""

from datetime import timedelta

import pytest
from sqlmodel import delete, select, update

from tests.cast import NAMES, address, letters, open_table, seat_link, seats
from tests.webapp.tables import another_game
from tests.webapp.tables.open_seats import accept, invitation
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow, SeatRow
from webapp.outbox import about_tables, bounces
from webapp.outbox.about_tables import BY_OPERATOR, SECOND_INVITATION_AFTER, SeatGiven
from webapp.replies.bounces import Bounce
from webapp.replies.verdicts import by_status
from webapp.tables import seating
from worker import postman

ANN, BO, CY = range(3)
TWO_DAYS = timedelta(days=2)


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


def came_back(runtime, number=BO, action="failed", proof=bounces.Proof.SERVER):
    """The relay took the invitation to the seat, and then it came back."""
    postman.deliver(runtime)
    player_id = seats(runtime, 1)[number].player_id
    with runtime.database.writing() as session:
        own = select(LetterRow).where(LetterRow.player_id == player_id, LetterRow.kind == LetterKind.INVITATION)
        letter = session.exec(own.order_by(LetterRow.id)).first()
        letter.state, letter.sent_at, letter_id = LetterState.SENT, runtime.now(), letter.id
    bounces.act_on_bounce(
        runtime,
        letter_id,
        Bounce(address(NAMES[number]), action, by_status("5.1.1")),
        runtime.now(),
        proof,
    )


def news(runtime, why):
    return [letter for letter in letters(runtime, LetterKind.SEATS) if letter.reason == why]


def test_the_host_hears_once_that_an_invitation_came_back(runtime):
    open_table(runtime, NAMES[:3], robots=1)
    came_back(runtime)
    came_back(runtime)
    (letter,) = news(runtime, "returned")
    ann, bo = seats(runtime, 1)[ANN], seats(runtime, 1)[BO]
    assert (letter.player_id, letter.seat, letter.newcomer_id) == (ann.player_id, ANN, bo.player_id)


def test_a_report_without_proof_is_news_to_the_host_alone(runtime):
    open_table(runtime, NAMES[:3], robots=1)
    came_back(runtime, proof=bounces.Proof.NONE)
    assert len(news(runtime, "returned")) == 1
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, seats(runtime, 1)[BO].player_id).bounce_score == 0


def test_a_mail_that_is_only_late_is_no_news(runtime):
    open_table(runtime, NAMES[:3], robots=1)
    came_back(runtime, action="delayed")
    assert news(runtime, "returned") == []


def test_a_report_about_an_answered_invitation_is_no_news(runtime):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    accept(runtime, table_id, BO)
    came_back(runtime)
    assert news(runtime, "returned") == []


def test_a_host_who_has_muted_the_table_hears_nothing(runtime):
    open_table(runtime, NAMES[:3], robots=1)
    with runtime.database.writing() as session:
        session.merge(seats(runtime, 1)[ANN]).mails = False
    came_back(runtime)
    assert news(runtime, "returned") == []


def test_two_days_after_inviting_the_host_learns_who_is_silent(runtime):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    (letter,) = news(runtime, "unanswered")
    assert letter.next_at == runtime.now() + TWO_DAYS
    runtime.now.pass_by(timedelta(days=1))
    seating.decline(runtime, invitation(runtime, table_id, CY), runtime.now())
    seating.refill(runtime, seat_link(runtime, table_id, ANN), CY, seating.NewSeat("Di", address("Di")), runtime.now())
    (letter,) = news(runtime, "unanswered")
    assert letter.next_at == runtime.now() + TWO_DAYS


def test_the_host_hears_of_silence_once_a_table(runtime):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    runtime.now.pass_by(TWO_DAYS)
    postman.deliver(runtime)
    (letter,) = news(runtime, "unanswered")
    assert letter.state is LetterState.KEPT
    seating.refill(runtime, seat_link(runtime, table_id, ANN), CY, seating.NewSeat("Di", address("Di")), runtime.now())
    assert len(news(runtime, "unanswered")) == 1


def test_the_host_hears_of_no_silence_before_another_game(runtime):
    table_id = another_game.finished_table(runtime)
    with runtime.database.writing() as session:
        session.exec(delete(LetterRow))  # they are too old to be kept
    another_game.agree(runtime, table_id, CY)
    runtime.now.pass_by(TWO_DAYS)
    postman.deliver(runtime)
    assert [letter.state for letter in news(runtime, "unanswered")] in ([], [LetterState.SUPERSEDED])


def test_a_table_of_robots_brings_no_news(runtime):
    open_table(runtime, NAMES[:1], robots=3)
    assert letters(runtime, LetterKind.SEATS) == []


def test_a_guest_who_has_answered_is_not_asked_any_more(runtime):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    bo, cy = (seats(runtime, table_id)[seat].player_id for seat in (BO, CY))
    accept(runtime, table_id, BO)
    with runtime.database.reading() as session:
        assert about_tables.seat_still_asked(session, table_id, bo) is None
        assert about_tables.seat_still_asked(session, table_id, cy).seat == CY
