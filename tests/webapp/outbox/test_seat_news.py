"""News of seats to the host: an invitation that came back, one that nobody answers, and a table that is full."""

from datetime import timedelta

from sqlmodel import select

from tests.cast import NAMES, address, letters, open_table, seat_link, seats
from tests.webapp.tables.open_seats import accept, invitation
from webapp.models import LetterKind, LetterRow, LetterState, PlayerRow
from webapp.outbox import about_tables, bounces
from webapp.replies.bounces import Bounce
from webapp.replies.verdicts import by_status
from webapp.tables import seating
from worker import postman

ANN, BO, CY = range(3)
TWO_DAYS = timedelta(days=2)


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
