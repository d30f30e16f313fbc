"""The fate of my last email: on my own page, and in fewer words on the host's."""

from datetime import timedelta

import pytest

from tests.cast import NAMES, address, letters, open_table, seat_link, seats
from webapp.models import LetterKind, LetterState
from webapp.outbox.delivery import Delivery, Status, last_mails, unreachable_seats

REFUSED = "550 5.1.1 <bo@example.org>: nobody of that name"


def delivery_of(runtime, table_id, seat=1):
    with runtime.database.reading() as session:
        return last_mails(session, seats(runtime, table_id), runtime.now()).get(seat)


def invited(runtime, **changes):
    """A table with the invitation to Bo changed to `changes`."""
    table_id = open_table(runtime, NAMES[:3], robots=1)
    with runtime.database.writing() as session:
        about = (table_id, 1)
        letter = next(row for row in letters(runtime, LetterKind.INVITATION) if (row.table_id, row.seat) == about)
        row = session.merge(letter)
        for name, value in changes.items():
            setattr(row, name, value)
    return table_id


BECAME = [
    pytest.param({}, Status.ON_ITS_WAY, "An email to you is on its way.", id="owed"),
    pytest.param({"tries": 2}, Status.WAITING, "asked us to try again later", id="tried"),
    pytest.param({"state": LetterState.SENT}, Status.ACCEPTED, "was accepted on Mon 2 March, 12:15 (UTC)", id="sent"),
    pytest.param(
        {"state": LetterState.SENT, "problem": "x"}, Status.UNSURE, "may not have arrived", id="lost, perhaps"
    ),
    pytest.param({"state": LetterState.KEPT}, Status.KEPT, "is kept in /mailbox", id="kept"),
    pytest.param({"state": LetterState.NOTIFIED}, Status.NOTIFIED, "your devices were told on Mon 2", id="notified"),
    pytest.param({"state": LetterState.BOUNCED}, Status.CAME_BACK, "came back. Is your address", id="bounced"),
    pytest.param({"state": LetterState.FAILED}, Status.REFUSED, "was refused. Is your address", id="failed"),
    pytest.param({"state": LetterState.WITHHELD}, Status.WITHHELD, "We no longer write to your", id="withheld"),
]


@pytest.mark.parametrize(("changes", "status", "words"), BECAME)
def test_my_page_shows_how_my_last_mail_fared(runtime, client, changes, status, words):
    table_id = invited(runtime, **changes)
    assert delivery_of(runtime, table_id).status is status
    mine = client.get(runtime.signer.local_url(seat_link(runtime, table_id, 1))).text
    assert words in mine
    hosts = client.get(runtime.signer.local_url(seat_link(runtime, table_id, 0))).text
    told = Delivery(runtime.now(), status)
    tag = "tag tag-warn" if told.is_trouble else "tag"
    assert f'<span translate="no">Bo</span> <span class="value"><span class="{tag}">{told.in_short}</span>' in hosts
    with runtime.database.reading() as session:
        mails = last_mails(session, seats(runtime, table_id), runtime.now())
        unreachable = unreachable_seats(session, seats(runtime, table_id), mails)
    assert unreachable == ({1} if status in (Status.CAME_BACK, Status.REFUSED, Status.WITHHELD) else set())


def test_only_the_player_reads_what_the_mail_server_said(runtime, client):
    table_id = invited(runtime, state=LetterState.FAILED, problem=REFUSED)
    pages = [client.get(runtime.signer.local_url(seat_link(runtime, table_id, seat))).text for seat in (0, 1, 2)]
    assert ["nobody of that name" in page for page in pages] == [False, True, False]
    assert [address("Bo") in page for page in pages] == [False, True, False]
    assert ["The last emails to the others" in page for page in pages] == [True, False, False]


def test_future_reminders_and_superseded_mails_are_no_last_mail(runtime):
    table_id = invited(runtime, state=LetterState.SENT)
    assert len([row for row in letters(runtime, LetterKind.INVITATION) if row.seat == 1]) == 2
    assert delivery_of(runtime, table_id).status is Status.ACCEPTED
    with runtime.database.writing() as session:
        for row in letters(runtime):
            session.merge(row).state = LetterState.SUPERSEDED
    assert delivery_of(runtime, table_id) is None


def test_a_mail_about_another_table_is_not_shown_here(runtime):
    first = invited(runtime, state=LetterState.SENT)
    runtime.now.pass_by(timedelta(hours=1))
    invited(runtime, state=LetterState.FAILED)
    assert delivery_of(runtime, first).status is Status.ACCEPTED
