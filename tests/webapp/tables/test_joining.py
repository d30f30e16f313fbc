"""Joining a table: how a stranger, and only one, takes an open seat. They ask, prove their address, and sit down."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier, BrokenBarrierError

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import address, dump, letters, seats, table
from tests.webapp.tables.open_seats import (
    ASKING,
    BO,
    FIRST,
    PIP,
    RUBY,
    accept,
    check_refused,
    code,
    join,
    join_mail,
    join_path,
    open_table,
    player,
    signed_in,
    states,
    words,
)
from webapp.core.tokens import InvitationLink, JoinLink, PreferencesLink, SeatLink
from webapp.forms.opening import OPEN_SEAT
from webapp.models import LetterKind, LetterState, PlayerRow, SeatState, TableState
from webapp.tables import lobby, seating
from webapp.tables.lobby import NoOpenSeat
from worker import postman

# asking for a seat


def test_a_stranger_who_asks_gets_a_mail_with_the_link_to_the_seat(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP, RUBY)
    page = client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    assert page.status_code == 200
    assert "We have written to eve@example.org" in words(page)
    (letter,) = letters(runtime, LetterKind.JOIN)
    assert (letter.state, letter.about, letter.table_id) == (LetterState.QUEUED, "Eve", table_id)
    assert states(runtime, table_id)[FIRST] is SeatState.OPEN, "an email takes no seat"
    path = join_path(runtime)
    form = BeautifulSoup(client.get(path).data, "lxml")
    assert form.find("input", {"name": "name"})["value"] == "Eve"
    before = dump(runtime)
    assert client.get(path).status_code == 200
    assert dump(runtime) == before
    page = client.post(path, data={"name": "Eva"})
    assert page.status_code == 200
    assert "You have a seat at" in words(page)
    eve = seats(runtime, table_id)[FIRST]
    assert (eve.name, eve.state) == ("Eva", SeatState.ACCEPTED)
    assert table(runtime, table_id).state is TableState.PLAYING
    assert {letter.seat for letter in letters(runtime, LetterKind.PASS)} == {0, 1}


def test_the_mail_names_nobody_but_the_host_and_cannot_be_unsubscribed_from(runtime, client):
    table_id = open_table(runtime, BO, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    mail = join_mail(runtime)
    for kind in ("plain", "html"):
        body = mail.get_body((kind,)).get_content()
        assert "Ann" in body
        assert not re.search(r"Smith|\bBo\b|example\.org|/seat/|/unsubscribe/", body)
    assert mail["List-Unsubscribe"] is None
    assert mail["Subject"] == "Your seat at the table of Ann"


def test_the_answer_does_not_reveal_who_plays_here(runtime, client):
    table_id = open_table(runtime, BO, OPEN_SEAT, PIP)
    accept(runtime, table_id, 1)
    responses = set()
    for name in ("Ann", "Bo", "Eve"):
        page = client.post(f"/lobby/{code(runtime, table_id)}", data={**ASKING, "name": name, "address": address(name)})
        responses.add((page.status_code, words(page).replace(address(name), "ADDRESS")))
        assert not {"Set-Cookie", "Location"} & set(page.headers)
    assert len(responses) == 1


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("name", "", "Enter a name", id="no name"),
        pytest.param("name", "E" * 10_000, "at most 40 letters", id="an endless name"),
        pytest.param("name", "Eve\u202e", "letters that can be seen", id="a name that turns the text around"),
        pytest.param("address", "", "Enter an email address", id="no address"),
        pytest.param("address", "eve", "not an email address", id="half an address"),
        pytest.param("address", "e@example.org\nBcc: b@example.org", "not an email address", id="two lines"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
    ],
)
def test_an_invalid_form_is_rejected_with_a_message_and_keeps_its_values(runtime, client, field, value, sentence):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    before = dump(runtime)
    sent = {**ASKING, field: value}
    page = client.post(f"/lobby/{code(runtime, table_id)}", data=sent)
    check_refused(runtime, before, page, 400, sentence)
    other = "address" if field == "name" else "name"
    assert BeautifulSoup(page.data, "lxml").find("input", {"name": other})["value"] == sent[other]


def test_one_address_gets_at_most_five_mails_an_hour_from_all_forms(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    statuses = []
    for _ in range(5):
        runtime.now.pass_by(timedelta(seconds=1))
        statuses.append(client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING).status_code)
    assert statuses == [200] * 5
    before = dump(runtime)
    refused = client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    check_refused(runtime, before, refused, 429, "That is enough mail for now")
    assert client.post("/sign-in", data={"address": ASKING["address"]}).status_code == 200
    assert dump(runtime) == before


def test_two_clicks_of_a_newcomer_make_one_player(either_runtime):
    runtime = either_runtime
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    both = Barrier(2)

    def ask(number: int) -> None:
        both.wait()
        now = runtime.now() + timedelta(seconds=number)
        lobby.ask_for_seat(runtime, table_id, "Eve", "eve@example.org", "UTC", now)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, range(2)))
    with runtime.database.reading() as session:
        (eve,) = session.exec(select(PlayerRow).where(PlayerRow.address == "eve@example.org"))
    assert [letter.player_id for letter in letters(runtime, LetterKind.JOIN)] == [eve.id] * 2


def test_only_a_newcomer_sets_the_time_zone_by_joining(runtime):
    table_id = open_table(runtime, BO, OPEN_SEAT, OPEN_SEAT)
    accept(runtime, table_id, 1)  # Bo has entered UTC for Ann
    for name in ("Bo", "Eve"):
        lobby.ask_for_seat(runtime, table_id, name, address(name), "Asia/Tokyo", runtime.now())
    with runtime.database.reading() as session:
        zones = {row.name: row.time_zone for row in session.exec(select(PlayerRow))}
    assert (zones["Bo"], zones["Eve"]) == ("UTC", "Asia/Tokyo")


# taking it


def test_of_two_who_want_the_last_seat_one_gets_it_and_the_game_begins_once(either_runtime):
    runtime = either_runtime
    people = {name: player(runtime, name) for name in ("Bo", "Cy", "Di", "Eve")}
    for _ in range(3):
        table_id = open_table(runtime, OPEN_SEAT, PIP)
        together = Barrier(len(people))

        def take(name: str, table_id: int = table_id, together: Barrier = together) -> str:
            together.wait()
            try:
                lobby.take_open_seat(runtime, JoinLink(table_id, people[name]), name, runtime.now(), by_mail=True)
            except NoOpenSeat:
                return ""
            return name

        with ThreadPoolExecutor(len(people)) as pool:
            (winner,) = [name for name in pool.map(take, people) if name]
        assert [seat.name for seat in seats(runtime, table_id)] == ["Ann Smith", winner, "Pip"]
        with runtime.database.reading() as session:
            game = seating.current_game(session, table_id)
        assert game is not None
        assert game.number == 1


def test_two_hosts_who_join_each_others_tables_do_not_deadlock(either_runtime, monkeypatch):
    """Players are locked by their numbers, also those who have no seat yet; here both would be halfway at once."""
    runtime = either_runtime
    ids = [open_table(runtime, OPEN_SEAT, OPEN_SEAT, host=host) for host in ("Ann", "Bo")]
    halfway = Barrier(2, timeout=0.5)
    check = seating.check_name

    def check_both_at_once(*asked) -> None:
        check(*asked)
        with suppress(BrokenBarrierError):  # as it should be: one waits for the other before reaching this
            halfway.wait()

    monkeypatch.setattr(seating, "check_name", check_both_at_once)
    guests = [JoinLink(table_id, player(runtime, name)) for table_id, name in zip(ids, ("Bo", "Ann"), strict=True)]
    with ThreadPoolExecutor(2) as pool:
        taken = pool.map(lambda link: lobby.take_open_seat(runtime, link, "Guest", runtime.now(), by_mail=True), guests)
        assert [seat.seat for seat in taken] == [1, 1]


def test_the_slower_one_reads_that_the_seat_is_gone_and_finds_the_lobby(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path = join_path(runtime)
    join(runtime, table_id, "Bo")
    before = dump(runtime)
    for page in (client.get(path), client.post(path, data={"name": "Eve"})):
        check_refused(runtime, before, page, 409, "Somebody was faster")
        assert BeautifulSoup(page.data, "lxml").main.find("a", href="/lobby")


def test_joining_twice_is_the_same_as_once(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path = join_path(runtime)
    assert client.post(path, data={"name": "Eve"}).status_code == 200
    before = dump(runtime)
    runtime.now.pass_by(timedelta(minutes=1))
    assert client.post(path, data={"name": "Eva"}).status_code == 200
    assert dump(runtime) == before
    assert states(runtime, table_id)[1:3] == [SeatState.ACCEPTED, SeatState.OPEN], "one player, one seat"
    there = client.get(path)
    assert there.status_code == 303
    assert client.get(there.location).status_code == 200
    assert there.location.startswith("/seat/")


def test_the_page_of_the_seat_has_the_name_that_was_asked_for(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    for name in ("Bo", "Bobby"):
        lobby.ask_for_seat(runtime, table_id, name, address("Bo"), "UTC", runtime.now())
        runtime.now.pass_by(timedelta(seconds=1))
    form = BeautifulSoup(client.get(join_path(runtime)).data, "lxml")
    assert form.find("input", {"name": "name"})["value"] == "Bobby"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param("ann smith", "has this name already", id="the host's"),
        pytest.param("Pip", "has this name already", id="a robot's"),
        pytest.param("", "Enter a name", id="none"),
        pytest.param("E" * 10_000, "at most 40 letters", id="endless"),
    ],
)
def test_an_invalid_name_is_asked_for_again(runtime, client, name, sentence):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path, before = join_path(runtime), dump(runtime)
    check_refused(runtime, before, client.post(path, data={"name": name}), 400, sentence)
    check_refused(runtime, before, client.post(path), 400, "Enter a name")


def test_an_invited_guest_takes_their_own_seat_and_leaves_the_open_one(runtime):
    table_id = open_table(runtime, OPEN_SEAT, BO, PIP)
    assert join(runtime, table_id, "Bo") == 2
    assert states(runtime, table_id) == [SeatState.HOST, SeatState.OPEN, SeatState.ACCEPTED, SeatState.ROBOT]


def test_a_guest_who_declined_may_join_after_all_and_has_one_seat(runtime):
    table_id = open_table(runtime, OPEN_SEAT, BO, PIP)
    seating.decline(runtime, InvitationLink(table_id, 2, player(runtime, "Bo")), runtime.now())
    assert join(runtime, table_id, "Bo") == 2
    assert states(runtime, table_id)[1:3] == [SeatState.OPEN, SeatState.ACCEPTED]


def test_a_player_who_wants_no_invitations_may_still_join(runtime):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    bo = player(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).invitations = False
    assert join(runtime, table_id, "Bo") == 1


def test_following_the_mailed_link_proves_a_silenced_address(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    for name, by_mail in (("Bo", True), ("Cy", False)):
        guest = player(runtime, name)
        with runtime.database.writing() as session:
            session.get_one(PlayerRow, guest).unreachable_at = runtime.now()
        lobby.take_open_seat(runtime, JoinLink(table_id, guest), name, runtime.now(), by_mail=by_mail)
        with runtime.database.reading() as session:
            assert (session.get_one(PlayerRow, guest).unreachable_at is None) is by_mail


def test_the_link_goes_even_to_a_silenced_address_and_ends_its_silence(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    bo = player(runtime, "Bo")
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, bo).unreachable_at = runtime.now()
    lobby.ask_for_seat(runtime, table_id, "Bo", address("Bo"), "UTC", runtime.now())
    postman.deliver(runtime)
    (letter,) = letters(runtime, LetterKind.JOIN)
    assert letter.state is LetterState.KEPT
    assert client.post(join_path(runtime), data={"name": "Bo"}).status_code == 200
    with runtime.database.reading() as session:
        assert session.get_one(PlayerRow, bo).unreachable_at is None


def test_a_signed_in_player_sits_down_at_once(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    bo = signed_in(runtime, "Bo")
    path = f"/lobby/{code(runtime, table_id)}"
    form = BeautifulSoup(bo.get(path).data, "lxml")
    assert form.find("input", {"name": "name"})["value"] == "Bo"
    assert not form.find("input", {"name": "address"})
    assert [button.text for button in form.main.find_all("button")] == ["Take the seat"]
    assert "You have a seat at" in words(bo.post(path, data={"name": "Bo"}))
    assert (seats(runtime, table_id)[FIRST].name, states(runtime, table_id)[FIRST]) == ("Bo", SeatState.ACCEPTED)
    assert letters(runtime, LetterKind.JOIN) == []
    assert bo.get(path).location.startswith("/seat/")
    before = dump(runtime)
    assert bo.post(path, data={"name": "Bo"}).status_code == 200, "a double click"
    assert dump(runtime) == before


def test_a_link_to_a_seat_opens_only_the_seat_and_no_other_link_does(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    bo = player(runtime, "Bo")
    before = dump(runtime)
    tokens = [
        runtime.signer.token(SeatLink(table_id, 1, bo)),
        runtime.signer.token(PreferencesLink(bo)),
        "x",
        "a" * 3000,
    ]
    for token in tokens:
        check_refused(runtime, before, client.get(f"/join/{token}"), 403, "doesn't work")
        check_refused(runtime, before, client.post(f"/join/{token}", data={"name": "Bo"}), 403, "doesn't work")
    token = runtime.signer.token(JoinLink(table_id, bo))
    for path in ("seat", "invitation", "wishes", "play", "host"):
        assert client.get(f"/{path}/{token}").status_code in (403, 404)
    for link in (JoinLink(99, bo), JoinLink(table_id, 99)):
        for method in (client.get, client.post):
            page = method(runtime.signer.local_url(link), data={"name": "Bo"})
            check_refused(runtime, before, page, 403, "doesn't work")


def test_a_link_to_a_seat_is_valid_for_some_days(runtime, client, monkeypatch):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    url = runtime.signer.local_url(JoinLink(table_id, player(runtime, "Bo")))
    monkeypatch.setattr(JoinLink, "ttl", timedelta(minutes=-6))
    check_refused(runtime, dump(runtime), client.post(url, data={"name": "Bo"}), 410, "This link is too old")
