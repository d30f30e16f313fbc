"""The pages of the lobby and of an open seat: what strangers see, what a form rejects, and what a link opens."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from tests.cast import address, dump, leave, letters, seats, table_row
from tests.webapp.tables.open_seats import (
    ASKING,
    BO,
    CY,
    FIRST,
    NOBODYS,
    PIP,
    RUBY,
    accept,
    check_refused,
    code,
    join,
    join_path,
    open_table,
    player,
    signed_in,
    states,
    words,
)
from webapp.core.tokens import JoinLink, PreferencesLink, SeatLink
from webapp.forms.opening import OPEN_SEAT
from webapp.models import LetterKind, LetterState, SeatState, TableState
from webapp.tables import lobby


def test_an_empty_lobby_suggests_opening_a_table(client):
    page = client.get("/lobby")
    assert "Nobody looks for players just now" in words(page)
    assert BeautifulSoup(page.data, "lxml").main.find("a", href="/tables/new")


def test_the_lobby_is_linked_from_home_and_my_games(runtime, client):
    for page in (client.get("/"), signed_in(runtime, "Bo").get("/games")):
        found = BeautifulSoup(page.data, "lxml")
        assert found.nav.find("a", href="/lobby").text == "Lobby"
        assert found.main.find("a", href="/lobby")


def test_strangers_see_no_name_but_the_hosts_first_one(runtime, client):
    table_id = open_table(runtime, BO, CY, OPEN_SEAT, PIP)
    accept(runtime, table_id, 1)
    shown = [client.get("/lobby").text, client.get(f"/lobby/{code(runtime, table_id)}").text]
    for page in shown:
        assert "Ann" in page
        assert not re.search(r"Smith|\bBo\b|\bCy\b|example\.org|/seat/|/invitation/|/join/", page)
    page = BeautifulSoup(shown[1], "lxml")
    lines = [" ".join(line.get_text(" ", strip=True).split()) for line in page.select("main .people li")]
    assert lines == [
        "Ann host",
        "Player 2 plays",
        "Player 3 no answer yet",
        "Open seat anybody may sit here",
        "Pip robot",
    ]


def test_the_lobby_shows_game_pace_and_number_of_open_seats(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    page = words(client.get("/lobby"))
    assert "Ann looks for two players" in page
    assert "Classic, 4 players, to 100 points. You have 1 day per turn." in page
    assert "2 of 4 seats are free." in page
    assert client.get(f"/how-we-play/{code(runtime, table_id)}").status_code == 200


def test_a_full_table_says_so_and_names_nobody(runtime, client):
    table_id = open_table(runtime, BO, PIP)
    for method in (client.get, client.post):
        check_refused(runtime, dump(runtime), method(f"/lobby/{code(runtime, table_id)}"), 409, "has no open seat")
    assert client.get(f"/lobby/{NOBODYS}").status_code == 404
    assert client.get("/lobby/%00").status_code == 404
    assert client.post(f"/lobby/{NOBODYS}", data=ASKING).status_code == 404


def test_a_stranger_who_asks_is_mailed_the_seats_link(runtime, client):
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
    assert client.post(path, data={"name": "Eva"}).location.startswith("/play/")
    eve = seats(runtime, table_id)[FIRST]
    assert (eve.name, eve.state) == ("Eva", SeatState.ACCEPTED)
    assert table_row(runtime, table_id).state is TableState.PLAYING
    leave(runtime)
    assert {letter.seat for letter in letters(runtime, LetterKind.TURNS)} == {0, 1}


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
        pytest.param("address", "", "Enter an email address", id="no address"),
        pytest.param("address", "e@example.org\nBcc: b@example.org", "not an email address", id="two lines"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
    ],
)
def test_an_invalid_form_gets_a_message_and_keeps_its_values(runtime, client, field, value, sentence):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    before = dump(runtime)
    sent = {**ASKING, field: value}
    page = client.post(f"/lobby/{code(runtime, table_id)}", data=sent)
    check_refused(runtime, before, page, 400, sentence)
    other = "address" if field == "name" else "name"
    assert BeautifulSoup(page.data, "lxml").find("input", {"name": other})["value"] == sent[other]


def test_one_address_gets_five_mails_hourly_from_all_forms(runtime, client):
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


def test_the_slower_applicant_is_led_back_to_the_lobby(runtime, client):
    table_id = open_table(runtime, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path = join_path(runtime)
    join(runtime, table_id, "Bo")
    before = dump(runtime)
    for page in (client.get(path), client.post(path, data={"name": "Eve"})):
        check_refused(runtime, before, page, 409, "Somebody was faster")
        assert BeautifulSoup(page.data, "lxml").main.find("a", href="/lobby")


def test_the_seats_page_has_the_name_asked_for(runtime, client):
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
        pytest.param("", "Enter a name", id="none"),
    ],
)
def test_an_invalid_name_is_asked_for_again(runtime, client, name, sentence):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT, PIP)
    client.post(f"/lobby/{code(runtime, table_id)}", data=ASKING)
    path, before = join_path(runtime), dump(runtime)
    check_refused(runtime, before, client.post(path, data={"name": name}), 400, sentence)
    check_refused(runtime, before, client.post(path), 400, "Enter a name")


def test_a_signed_in_player_sits_down_at_once(runtime):
    table_id = open_table(runtime, OPEN_SEAT, OPEN_SEAT)
    bo = signed_in(runtime, "Bo")
    path = f"/lobby/{code(runtime, table_id)}"
    form = BeautifulSoup(bo.get(path).data, "lxml")
    assert form.find("input", {"name": "name"})["value"] == "Bo"
    assert not form.find("input", {"name": "address"})
    assert [button.text for button in form.main.find_all("button")] == ["Take the seat"]
    assert bo.post(path, data={"name": "Bo"}).location.startswith("/play/")
    assert (seats(runtime, table_id)[FIRST].name, states(runtime, table_id)[FIRST]) == ("Bo", SeatState.ACCEPTED)
    assert letters(runtime, LetterKind.JOIN) == []
    assert bo.get(path).location.startswith("/seat/")
    before = dump(runtime)
    assert bo.post(path, data={"name": "Bo"}).location.startswith("/play/"), "a double click"
    assert dump(runtime) == before


def test_a_seat_opens_by_its_own_link_and_no_other(runtime, client):
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
    for path in ("seat", "invitation", "preferences", "play", "host"):
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
