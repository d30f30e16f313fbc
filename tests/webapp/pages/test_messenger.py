"""The page behind a host's link by messenger: what it shows, whom it mails, and when it gives no seat."""

import time
from datetime import timedelta

import pytest

from tests.cast import address, dump, letters, seat_link, seats, table_row
from tests.submitting import soup, words
from tests.webapp.tables.guests_by_link import come, deal, open_linked, path_of_link
from tests.webapp.tables.open_seats import ASKING, BO, PIP, accept, check_refused, join_mail, join_path, signed_in
from webapp.core.tokens import MessengerLink
from webapp.models import LetterKind, SeatState, TableState
from webapp.tables import messenger


def test_the_page_names_the_table_by_its_people(runtime, client):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    page = client.get(path_of_link(runtime, table_id))
    assert page.status_code == 200
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert "Ann, Bo and Pip (robot) sit there. One seat is free." in words(page)
    assert "Classic, 4 players, to 100 points" in words(page)
    assert "Smith" not in page.text
    assert "example.org" not in page.text


def test_a_guest_proves_their_address_and_has_the_seat(runtime, client):
    table_id = open_linked(runtime, PIP, PIP)
    before = dump(runtime)
    page = client.post(path_of_link(runtime, table_id), data=ASKING)
    assert "We have written to eve@example.org" in words(page)
    assert seats(runtime, table_id)[1].state is SeatState.OPEN, "an email takes no seat"
    assert before != dump(runtime)
    text = join_mail(runtime).get_body(("plain",)).get_content()
    assert "somebody gave your address to take a seat by Ann's link" in " ".join(text.split())
    there = client.post(join_path(runtime), data={"name": "Eva"}, follow_redirects=True)
    assert there.request.path.startswith("/play/")
    assert "Ann Smith deals the first hand." in words(there)
    assert seats(runtime, table_id)[1].name == "Eva"
    deal(runtime, table_id)
    assert table_row(runtime, table_id).state is TableState.PLAYING


def test_the_mail_and_its_page_name_who_sits_there(runtime, client):
    table_id = open_linked(runtime, BO, PIP)
    accept(runtime, table_id, 2)
    client.post(path_of_link(runtime, table_id), data=ASKING)
    for text in (join_mail(runtime).get_body(("plain",)).get_content(), words(client.get(join_path(runtime)))):
        assert "Bo" in text
        assert "Player 3" not in text
        assert "Smith" not in text


def test_a_player_who_is_signed_in_sits_down_at_once(runtime):
    table_id = open_linked(runtime, PIP, PIP)
    bo = signed_in(runtime, "Bo")
    path = path_of_link(runtime, table_id)
    assert bo.get(path).status_code == 200
    assert bo.post(path, data={"name": "Bo"}).location.startswith("/play/")
    assert letters(runtime, LetterKind.JOIN) == []


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Enter a name."),
        ("name", "eve.com", "can't look like a web address"),
        ("address", "eve", "not an email address"),
        ("time_zone", "Mars/North", "Choose a time zone"),
    ],
)
def test_an_invalid_form_is_rejected_and_kept(runtime, client, field, value, sentence):
    table_id = open_linked(runtime, PIP)
    before = dump(runtime)
    page = client.post(path_of_link(runtime, table_id), data={**ASKING, field: value})
    check_refused(runtime, before, page, 400, sentence)
    kept = "address" if field == "name" else "name"
    assert soup(page).find("input", {"name": kept})["value"] == ASKING[kept]


def test_the_mail_to_an_address_is_limited(runtime, client):
    table_id = open_linked(runtime, PIP)
    path = path_of_link(runtime, table_id)
    answers = []
    for _ in range(6):
        runtime.now.pass_by(timedelta(seconds=1))
        answers.append(client.post(path, data=ASKING))
    assert [page.status_code for page in answers] == [200] * 5 + [429]
    assert "Retry-After" in answers[-1].headers
    assert len(letters(runtime, LetterKind.JOIN)) == 5


def test_the_answer_does_not_reveal_who_plays_or_is_refused(runtime, client):
    table_id = open_linked(runtime, PIP, free=2)
    seat = come(runtime, table_id, "Bo")
    messenger.refuse(runtime, seat_link(runtime, table_id, 0), seat, runtime.now())
    answers = set()
    for name in ("Ann", "Bo", "Eve"):
        page = client.post(path_of_link(runtime, table_id), data={**ASKING, "address": address(name)})
        answers.add((page.status_code, words(page).replace(address(name), "ADDRESS")))
    assert len(answers) == 1


def test_a_refused_guest_who_asks_again_reads_that_they_are(runtime, client):
    table_id = open_linked(runtime, PIP, free=2)
    seat = come(runtime, table_id, "Eve")
    messenger.refuse(runtime, seat_link(runtime, table_id, 0), seat, runtime.now())
    client.post(path_of_link(runtime, table_id), data=ASKING)
    path = join_path(runtime)
    before = dump(runtime)
    for page in (client.get(path), client.post(path, data={"name": "Eve"})):
        check_refused(runtime, before, page, 403, "The host keeps the seats at this table for others.")


def test_a_full_table_says_that_every_seat_is_taken(runtime, client):
    table_id = open_linked(runtime, BO, PIP)
    come(runtime, table_id, "Cy")
    before = dump(runtime)
    path = path_of_link(runtime, table_id)
    for page in (client.get(path), client.post(path, data=ASKING)):
        check_refused(runtime, before, page, 409, "Every seat is taken")


def test_a_table_that_has_begun_says_so(runtime, client):
    table_id = open_linked(runtime, PIP, PIP)
    come(runtime, table_id, "Cy")
    deal(runtime, table_id)
    check_refused(runtime, dump(runtime), client.get(path_of_link(runtime, table_id)), 410, "This game has begun")


def test_a_link_taken_back_says_so_and_ends_its_mail(runtime, client):
    table_id = open_linked(runtime, PIP)
    client.post(path_of_link(runtime, table_id), data=ASKING)
    mailed = join_path(runtime)
    messenger.take_link_back(runtime, seat_link(runtime, table_id, 0), 1, runtime.now())
    before = dump(runtime)
    for page in (client.get(path_of_link(runtime, table_id, 1)), client.get(mailed)):
        check_refused(runtime, before, page, 410, "This link no longer works")
    assert client.get(path_of_link(runtime, table_id)).status_code == 200


def test_an_old_link_says_so_and_a_forged_one_fails(runtime, client, monkeypatch):
    table_id = open_linked(runtime, PIP)
    with monkeypatch.context() as then:
        long_ago = time.time() - MessengerLink.ttl.total_seconds() - 600  # with the tolerance for clocks
        then.setattr(time, "time", lambda: long_ago)
        path = path_of_link(runtime, table_id)
    check_refused(runtime, dump(runtime), client.get(path), 410, "This link no longer works")
    check_refused(runtime, dump(runtime), client.post(path, data=ASKING), 410, "This link no longer works")
    assert client.get(f"{path}x").status_code == 403
