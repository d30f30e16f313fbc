"""The mails that tell a host about the seats of their table, as they arrive."""

from datetime import timedelta

from tests.cast import NAMES, address, letters, open_table, seat_link, seats
from tests.webapp.tables.guests_by_link import come, open_linked
from tests.webapp.tables.open_seats import PIP, accept
from tests.worker.delivered import deliver_later, text_of
from webapp.models import LetterKind, LetterState
from webapp.outbox import about_tables
from webapp.tables import messenger, seating
from worker import postman

TWO_DAYS = timedelta(days=2, minutes=1)


def to_ann(smtp_server, subject):
    return [mail for mail in smtp_server.to(address("Ann")) if mail.subject == subject]


def test_the_host_reads_who_has_not_answered(runtime, smtp_server):
    table_id = open_table(runtime, NAMES[:4])
    accept(runtime, table_id, 1)
    postman.deliver(runtime)
    deliver_later(runtime, TWO_DAYS)
    (mail,) = to_ann(smtp_server, "No answer yet from Cy and Di")
    assert "Cy and Di have not answered your invitation for two days." in " ".join(text_of(mail).split())
    assert "#lead" in text_of(mail)


def test_a_host_whose_guests_have_answered_gets_no_mail(runtime, smtp_server):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    for seat in (1, 2):
        accept(runtime, table_id, seat)
    deliver_later(runtime, TWO_DAYS)
    assert [letter.state for letter in letters(runtime, LetterKind.SEATS)] == [LetterState.SUPERSEDED]


def test_a_refused_address_reaches_the_host_by_mail(runtime, smtp_server):
    open_table(runtime, NAMES[:3], robots=1)
    smtp_server.refuse[address("Bo")] = "550 5.1.1 no such user"
    postman.deliver(runtime)
    deliver_later(runtime, timedelta(days=1))
    (mail,) = to_ann(smtp_server, "Your invitation to Bo came back")
    assert address("Bo") not in text_of(mail)


def test_a_seat_that_was_given_away_meanwhile_is_no_news(runtime, smtp_server):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    with runtime.database.writing() as session:
        invitation = next(letter for letter in letters(runtime, LetterKind.INVITATION) if letter.seat == 1)
        about_tables.queue_returned(session, runtime, invitation, runtime.now())
    seating.refill(runtime, seat_link(runtime, table_id, 0), 1, None, runtime.now())
    deliver_later(runtime, timedelta(hours=12))
    assert to_ann(smtp_server, "Your invitation to Bo came back") == []


def test_the_host_reads_who_came_by_the_link(runtime, smtp_server):
    table_id = open_linked(runtime, PIP, PIP)
    host = seat_link(runtime, table_id, 0)
    seat = come(runtime, table_id, "Bo")
    deliver_later(runtime, timedelta(hours=12))
    (mail,) = to_ann(smtp_server, "Everybody is here: deal the first hand")
    assert "Bo came by your link." in " ".join(text_of(mail).split())
    assert "/confirm/" in text_of(mail), "that link lets the host in to play; that of the seat does not"
    messenger.refuse(runtime, host, seat, runtime.now())
    deliver_later(runtime, timedelta(hours=12))
    (mail,) = [mail for mail in smtp_server.to(address("Bo")) if "keeps the seat" in mail.subject]
    assert mail.subject == "Ann Smith keeps the seat for others"
    assert seats(runtime, table_id)[seat].player_id is None
