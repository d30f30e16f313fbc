"""The lobby: what strangers see of a table, and how one of them, and only one, comes to an open chair."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from threading import Barrier, BrokenBarrierError

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import event
from sqlmodel import select

from hearts.robot import Level
from hearts.rules import preset_rules
from tests.cast import address, dump, letters, seat_link, seats, table
from webapp.company import again, lobby, signing_in, tables
from webapp.company.lobby import NoOpenChair
from webapp.forms.fields import BadField
from webapp.forms.opening import OPEN_CHAIR, Chair, NewTable
from webapp.models import LetterKind, LetterState, PlayerRow, SeatState, TableRow, TableState
from webapp.pages.common import PLAYER
from webapp.post import wishes
from webapp.site import make_site
from webapp.tokens import (
    AgainLink,
    ConfirmLink,
    InvitationLink,
    JoinLink,
    LinkInvalid,
    SeatLink,
    UnsubscribeLink,
    WishesLink,
)
from worker import postman
from worker.mail import compose

ANN, FIRST = 0, 1
ASKING = {"name": "Eve", "address": "eve@example.org", "time_zone": "Asia/Tokyo"}


def open_table(
    parts, *chairs: Chair, host: str = "Ann", pace: timedelta = timedelta(days=1), confirmed: bool = True
) -> int:
    """A table with these chairs beside its host's, in the lobby if she has confirmed it. Returns its id."""
    parts.now.pass_by(timedelta(minutes=15))  # no more than a few tables an hour are opened from one address
    people = (f"{host} Smith", address(host), "Europe/Berlin", chairs)
    rules = preset_rules("classic", players=len(chairs) + 1)
    made = tables.open_table(parts, NewTable(*people, rules, pace, pace, Level.RULE), parts.now())
    assert made.id is not None
    if confirmed:
        tables.confirm(parts, ConfirmLink(made.id), parts.now())
    return made.id


BO, CY = (Chair(name, address(name)) for name in ("Bo", "Cy"))
PIP, RUBY = Chair("Pip", None), Chair("Ruby", None)


def listed(parts) -> list[str]:
    """The codes of the tables in the lobby."""
    with parts.database.reading() as rows:
        return [found.code for found in lobby.open_tables(rows, parts.now())]


def player(parts, name: str) -> int:
    """The id of somebody who has played here before."""
    with parts.database.writing() as rows:
        row = tables.player_at(rows, address(name), name, parts.now())
        row.seen_at = parts.now()
        assert row.id is not None
        return row.id


def join(parts, table_id: int, name: str, *, called: str = "") -> int:
    """`name` takes a chair, by the link that was sent to her. Returns its number."""
    link = JoinLink(table_id, player(parts, name))
    return lobby.take_chair(parts, link, called or name, parts.now(), by_mail=True).seat


def accept(parts, table_id: int, seat: int) -> None:
    row = seats(parts, table_id)[seat]
    tables.accept(parts, InvitationLink(table_id, seat, row.player_id or 0), row.name, "UTC", parts.now())


def states(parts, table_id: int) -> list[SeatState]:
    return [seat.state for seat in seats(parts, table_id)]


def code(parts, table_id: int) -> str:
    return table(parts, table_id).code


def signed_in(parts, name: str):
    """The browser of somebody who has signed in."""
    client = make_site(parts).test_client()
    with client.session_transaction() as session:
        session[PLAYER] = player(parts, name)
    return client


def words(response) -> str:
    return BeautifulSoup(response.data, "html.parser").get_text(" ", strip=True)


def check_refused(parts, before, response, status: int, sentence: str) -> None:
    assert response.status_code == status
    assert sentence in words(response)
    assert dump(parts) == before


def join_mail(parts):
    """The newest mail with a link to a chair, composed."""
    with parts.database.reading() as rows:
        mail = compose(parts, rows, letters(parts, LetterKind.JOIN)[-1])
    assert mail is not None
    return mail


def join_path(parts) -> str:
    """Where its link leads."""
    text = join_mail(parts).get_body(("plain",)).get_content()
    (path,) = re.findall(r"http://127\.0\.0\.1:8000(/join/\S+)", text)
    return path


# which tables are listed


def test_a_table_is_listed_from_its_confirmation_until_its_last_open_chair_is_taken(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP, confirmed=False)
    assert listed(parts) == []
    tables.confirm(parts, ConfirmLink(table_id), parts.now())
    assert listed(parts) == [code(parts, table_id)]
    join(parts, table_id, "Bo")
    assert listed(parts) == [code(parts, table_id)]
    join(parts, table_id, "Cy")
    assert listed(parts) == []


def test_a_table_where_everybody_is_named_is_not_listed(parts):
    open_table(parts, BO, CY, PIP)
    assert listed(parts) == []


def test_a_table_that_has_waited_for_two_weeks_is_gone(parts):
    open_table(parts, OPEN_CHAIR, PIP)
    parts.now.pass_by(timedelta(days=14) - timedelta(seconds=1))
    assert len(listed(parts)) == 1
    parts.now.pass_by(timedelta(seconds=1))
    assert listed(parts) == []


def test_live_tables_stand_first_and_then_the_newest(parts):
    oldest, live, newest = (
        open_table(parts, OPEN_CHAIR, PIP, pace=pace)
        for pace in (timedelta(days=1), timedelta(seconds=30), timedelta(hours=1))
    )
    assert listed(parts) == [code(parts, one) for one in (live, newest, oldest)]
    page = BeautifulSoup(make_site(parts).test_client().get("/lobby").data, "html.parser")
    assert ["live" in box.h2.text for box in page.select("section.box")] == [True, False, False]


def test_the_lobby_lists_fifty_tables_by_two_queries(parts):
    with parts.database.writing() as rows:
        host = PlayerRow(address=address("Ann"), name="Ann", created_at=parts.now())
        rows.add(host)
        rows.flush()
        tables_ids = [_add_table(rows, parts, host, number) for number in range(52)]
    assert len(tables_ids) == 52
    asked = []
    event.listen(parts.database.engine, "before_cursor_execute", lambda *words: asked.append(words[2]))
    found = listed(parts)
    assert (len(found), found[0]) == (50, "C51")
    assert len([one for one in asked if one.startswith("SELECT")]) == 2


def _add_table(rows, parts, host: PlayerRow, number: int) -> int | None:
    model = tables.rules_mapping(preset_rules("classic"))
    about = {"rules": model, "pass_seconds": 86400, "play_seconds": 86400, "state": TableState.INVITING}
    at = parts.now() + timedelta(minutes=number)
    row = TableRow(code=f"C{number}", host_id=host.id, **about, created_at=at, confirmed_at=at)
    rows.add(row)
    rows.flush()
    for seat in range(4):
        who = {"player_id": host.id, "name": "Ann", "state": SeatState.HOST} if seat == 0 else {}
        rows.add(tables.SeatRow(**{"table_id": row.id, "seat": seat, "name": "Open chair", "state": "open"} | who))
    return row.id


def test_an_empty_lobby_invites_to_open_a_table(client):
    page = client.get("/lobby")
    assert "Nobody looks for players just now" in words(page)
    assert BeautifulSoup(page.data, "html.parser").main.find("a", href="/tables/new")


def test_the_lobby_is_linked_from_every_page_the_home_page_and_my_games(parts, client):
    for page in (client.get("/"), signed_in(parts, "Bo").get("/games")):
        found = BeautifulSoup(page.data, "html.parser")
        assert found.nav.find("a", href="/lobby").text == "Lobby"
        assert found.main.find("a", href="/lobby")


# what strangers see


def test_strangers_learn_the_hosts_first_name_and_of_the_others_only_whether_they_play(parts, client):
    table_id = open_table(parts, BO, CY, OPEN_CHAIR, PIP)
    accept(parts, table_id, 1)
    shown = [client.get("/lobby").text, client.get(f"/lobby/{code(parts, table_id)}").text]
    for page in shown:
        assert "Ann" in page
        assert not re.search(r"Smith|\bBo\b|\bCy\b|example\.org|/seat/|/invitation/|/join/", page)
    page = BeautifulSoup(shown[1], "html.parser")
    told = [" ".join(line.get_text(" ", strip=True).split()) for line in page.select("main .people li")]
    assert told == [
        "Ann host",
        "Player 2 plays",
        "Player 3 no answer yet",
        "Open chair anybody may sit here",
        "Pip robot",
    ]


def test_the_lobby_tells_the_game_the_pace_and_how_many_chairs_are_free(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    page = words(client.get("/lobby"))
    assert "Ann looks for two players" in page
    assert "Classic, 4 players, to 100 points. A turn may take 1 day." in page
    assert "2 of 4 chairs are free." in page
    assert client.get(f"/how-we-play/{code(parts, table_id)}").status_code == 200


def test_a_table_that_looks_for_nobody_says_so_and_shows_nobody(parts, client):
    table_id = open_table(parts, BO, PIP)
    for method in (client.get, client.post):
        check_refused(parts, dump(parts), method(f"/lobby/{code(parts, table_id)}"), 409, "has no open chair")
    assert client.get("/lobby/XXXXX").status_code == 404
    assert client.get("/lobby/%00").status_code == 404
    assert client.post("/lobby/XXXXX", data=ASKING).status_code == 404


# asking for a chair


def test_whoever_asks_gets_a_mail_with_the_link_to_the_chair(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP, RUBY)
    page = client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    assert page.status_code == 200
    assert "We have written to eve@example.org" in words(page)
    (letter,) = letters(parts, LetterKind.JOIN)
    assert (letter.state, letter.about, letter.table_id) == (LetterState.OWED, "Eve", table_id)
    assert states(parts, table_id)[FIRST] is SeatState.OPEN, "a mail takes no chair"
    path = join_path(parts)
    form = BeautifulSoup(client.get(path).data, "html.parser")
    assert form.find("input", {"name": "name"})["value"] == "Eve"
    before = dump(parts)
    assert client.get(path).status_code == 200
    assert dump(parts) == before
    page = client.post(path, data={"name": "Eva"})
    assert page.status_code == 200
    assert "You have a chair at" in words(page)
    eve = seats(parts, table_id)[FIRST]
    assert (eve.name, eve.state) == ("Eva", SeatState.ACCEPTED)
    assert table(parts, table_id).state is TableState.PLAYING
    assert {letter.seat for letter in letters(parts, LetterKind.PASS)} == {0, 1}


def test_the_mail_names_nobody_but_the_host_and_cannot_be_unsubscribed_from(parts, client):
    table_id = open_table(parts, BO, OPEN_CHAIR, PIP)
    client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    mail = join_mail(parts)
    for kind in ("plain", "html"):
        body = mail.get_body((kind,)).get_content()
        assert "Ann" in body
        assert not re.search(r"Smith|\bBo\b|example\.org|/seat/|/unsubscribe/", body)
    assert mail["List-Unsubscribe"] is None
    assert mail["Subject"] == "Your chair at the table of Ann"


def test_nobody_learns_from_the_answer_who_plays_here(parts, client):
    table_id = open_table(parts, BO, OPEN_CHAIR, PIP)
    accept(parts, table_id, 1)
    told = set()
    for name in ("Ann", "Bo", "Eve"):
        page = client.post(f"/lobby/{code(parts, table_id)}", data={**ASKING, "name": name, "address": address(name)})
        told.add((page.status_code, words(page).replace(address(name), "ADDRESS")))
        assert not {"Set-Cookie", "Location"} & set(page.headers)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("name", "", "Please give a name", id="no name"),
        pytest.param("name", "E" * 10_000, "at most 40 letters", id="an endless name"),
        pytest.param("name", "Eve\u202e", "letters that can be seen", id="a name that turns the text around"),
        pytest.param("address", "", "Please give a mail address", id="no address"),
        pytest.param("address", "eve", "not a mail address", id="half an address"),
        pytest.param("address", "e@example.org\nBcc: b@example.org", "not a mail address", id="two lines"),
        pytest.param("time_zone", "Mars/Olympus", "time zone from the list", id="unknown time zone"),
    ],
)
def test_what_will_not_do_is_answered_with_a_sentence_and_stands_in_the_form_again(
    parts, client, field, value, sentence
):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    before = dump(parts)
    sent = {**ASKING, field: value}
    page = client.post(f"/lobby/{code(parts, table_id)}", data=sent)
    check_refused(parts, before, page, 400, sentence)
    other = "address" if field == "name" else "name"
    assert BeautifulSoup(page.data, "html.parser").find("input", {"name": other})["value"] == sent[other]


def test_one_address_is_written_to_at_most_five_times_an_hour_whatever_it_is_asked_for(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    statuses = []
    for _ in range(5):
        parts.now.pass_by(timedelta(seconds=1))
        statuses.append(client.post(f"/lobby/{code(parts, table_id)}", data=ASKING).status_code)
    assert statuses == [200] * 5
    before = dump(parts)
    refused = client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    check_refused(parts, before, refused, 429, "That is enough mail for now")
    signing_in.ask_sign_in(parts, ASKING["address"], parts.now())
    assert dump(parts) == before


def test_two_clicks_of_a_newcomer_make_one_player(either_parts):
    parts = either_parts
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    both = Barrier(2)

    def ask(number: int) -> None:
        both.wait()
        now = parts.now() + timedelta(seconds=number)
        lobby.ask_chair(parts, table_id, "Eve", "eve@example.org", "UTC", now)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, range(2)))
    with parts.database.reading() as rows:
        (eve,) = rows.exec(select(PlayerRow).where(PlayerRow.address == "eve@example.org"))
    assert [letter.player_id for letter in letters(parts, LetterKind.JOIN)] == [eve.id] * 2


def test_the_time_zone_is_a_newcomers_to_set_and_nobody_elses(parts):
    table_id = open_table(parts, BO, OPEN_CHAIR, OPEN_CHAIR)
    accept(parts, table_id, 1)  # Bo has said that hers is UTC
    for name in ("Bo", "Eve"):
        lobby.ask_chair(parts, table_id, name, address(name), "Asia/Tokyo", parts.now())
    with parts.database.reading() as rows:
        zones = {row.name: row.time_zone for row in rows.exec(select(PlayerRow))}
    assert (zones["Bo"], zones["Eve"]) == ("UTC", "Asia/Tokyo")


# taking it


def test_of_two_who_want_the_last_chair_one_gets_it_and_the_game_begins_once(either_parts):
    parts = either_parts
    people = {name: player(parts, name) for name in ("Bo", "Cy", "Di", "Eve")}
    for _ in range(3):
        table_id = open_table(parts, OPEN_CHAIR, PIP)
        together = Barrier(len(people))

        def take(name: str, table_id: int = table_id, together: Barrier = together) -> str:
            together.wait()
            try:
                lobby.take_chair(parts, JoinLink(table_id, people[name]), name, parts.now(), by_mail=True)
            except NoOpenChair:
                return ""
            return name

        with ThreadPoolExecutor(len(people)) as pool:
            (winner,) = [name for name in pool.map(take, people) if name]
        assert [seat.name for seat in seats(parts, table_id)] == ["Ann Smith", winner, "Pip"]
        with parts.database.reading() as rows:
            game = tables.current_game(rows, table_id)
        assert game is not None
        assert game.number == 1


def test_two_hosts_who_join_each_others_tables_do_not_wait_for_each_other_for_ever(either_parts, monkeypatch):
    """Players are locked by their numbers, also those who have no seat yet; here both would be halfway at once."""
    parts = either_parts
    ids = [open_table(parts, OPEN_CHAIR, OPEN_CHAIR, host=host) for host in ("Ann", "Bo")]
    halfway = Barrier(2, timeout=0.5)
    check = tables.check_name

    def check_both_at_once(*asked) -> None:
        check(*asked)
        with suppress(BrokenBarrierError):  # as it should be: one waits for the other before she gets here
            halfway.wait()

    monkeypatch.setattr(tables, "check_name", check_both_at_once)
    guests = [JoinLink(table_id, player(parts, name)) for table_id, name in zip(ids, ("Bo", "Ann"), strict=True)]
    with ThreadPoolExecutor(2) as pool:
        taken = pool.map(lambda link: lobby.take_chair(parts, link, "Guest", parts.now(), by_mail=True), guests)
        assert [seat.seat for seat in taken] == [1, 1]


def test_the_slower_one_reads_that_the_chair_is_gone_and_finds_the_lobby(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    path = join_path(parts)
    join(parts, table_id, "Bo")
    before = dump(parts)
    for page in (client.get(path), client.post(path, data={"name": "Eve"})):
        check_refused(parts, before, page, 409, "Somebody was faster")
        assert BeautifulSoup(page.data, "html.parser").main.find("a", href="/lobby")


def test_twice_is_once(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    path = join_path(parts)
    assert client.post(path, data={"name": "Eve"}).status_code == 200
    before = dump(parts)
    parts.now.pass_by(timedelta(minutes=1))
    assert client.post(path, data={"name": "Eva"}).status_code == 200
    assert dump(parts) == before
    assert states(parts, table_id)[1:3] == [SeatState.ACCEPTED, SeatState.OPEN], "one player, one chair"
    there = client.get(path)
    assert there.status_code == 303
    assert client.get(there.location).status_code == 200
    assert there.location.startswith("/seat/")


def test_the_page_of_the_chair_has_the_name_that_she_asked_by(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    for name in ("Bo", "Bobby"):
        lobby.ask_chair(parts, table_id, name, address("Bo"), "UTC", parts.now())
        parts.now.pass_by(timedelta(seconds=1))
    form = BeautifulSoup(client.get(join_path(parts)).data, "html.parser")
    assert form.find("input", {"name": "name"})["value"] == "Bobby"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param("ann smith", "has this name already", id="the host's"),
        pytest.param("Pip", "has this name already", id="a robot's"),
        pytest.param("", "Please give a name", id="none"),
        pytest.param("E" * 10_000, "at most 40 letters", id="endless"),
    ],
)
def test_a_name_that_will_not_do_is_asked_for_again(parts, client, name, sentence):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    client.post(f"/lobby/{code(parts, table_id)}", data=ASKING)
    path, before = join_path(parts), dump(parts)
    check_refused(parts, before, client.post(path, data={"name": name}), 400, sentence)
    check_refused(parts, before, client.post(path), 400, "Please give a name")


def test_whoever_is_invited_takes_her_own_chair_and_leaves_the_open_one(parts):
    table_id = open_table(parts, OPEN_CHAIR, BO, PIP)
    assert join(parts, table_id, "Bo") == 2
    assert states(parts, table_id) == [SeatState.HOST, SeatState.OPEN, SeatState.ACCEPTED, SeatState.ROBOT]


def test_whoever_has_declined_may_think_better_of_it_and_has_one_chair(parts):
    table_id = open_table(parts, OPEN_CHAIR, BO, PIP)
    tables.decline(parts, InvitationLink(table_id, 2, player(parts, "Bo")), parts.now())
    assert join(parts, table_id, "Bo") == 2
    assert states(parts, table_id)[1:3] == [SeatState.OPEN, SeatState.ACCEPTED]


def test_whoever_wants_no_invitations_may_still_come(parts):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    bo = player(parts, "Bo")
    with parts.database.writing() as rows:
        rows.get_one(PlayerRow, bo).invitations = False
    assert join(parts, table_id, "Bo") == 1


def test_following_the_mailed_link_proves_an_address_that_had_been_silenced(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR)
    for name, by_mail in (("Bo", True), ("Cy", False)):
        guest = player(parts, name)
        with parts.database.writing() as rows:
            rows.get_one(PlayerRow, guest).unreachable_at = parts.now()
        lobby.take_chair(parts, JoinLink(table_id, guest), name, parts.now(), by_mail=by_mail)
        with parts.database.reading() as rows:
            assert (rows.get_one(PlayerRow, guest).unreachable_at is None) is by_mail


def test_the_link_goes_out_even_to_an_address_that_had_been_silenced_and_wakes_it(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    bo = player(parts, "Bo")
    with parts.database.writing() as rows:
        rows.get_one(PlayerRow, bo).unreachable_at = parts.now()
    lobby.ask_chair(parts, table_id, "Bo", address("Bo"), "UTC", parts.now())
    postman.deliver(parts)
    (letter,) = letters(parts, LetterKind.JOIN)
    assert letter.state is LetterState.KEPT
    assert client.post(join_path(parts), data={"name": "Bo"}).status_code == 200
    with parts.database.reading() as rows:
        assert rows.get_one(PlayerRow, bo).unreachable_at is None


def test_whoever_has_signed_in_sits_down_at_once(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR)
    bo = signed_in(parts, "Bo")
    path = f"/lobby/{code(parts, table_id)}"
    form = BeautifulSoup(bo.get(path).data, "html.parser")
    assert form.find("input", {"name": "name"})["value"] == "Bo"
    assert not form.find("input", {"name": "address"})
    assert [button.text for button in form.main.find_all("button")] == ["Take the chair"]
    assert "You have a chair at" in words(bo.post(path, data={"name": "Bo"}))
    assert (seats(parts, table_id)[FIRST].name, states(parts, table_id)[FIRST]) == ("Bo", SeatState.ACCEPTED)
    assert letters(parts, LetterKind.JOIN) == []
    assert bo.get(path).location.startswith("/seat/")
    before = dump(parts)
    assert bo.post(path, data={"name": "Bo"}).status_code == 200, "a double click"
    assert dump(parts) == before


def test_a_link_to_a_chair_opens_nothing_else_and_no_other_link_opens_a_chair(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    bo = player(parts, "Bo")
    before = dump(parts)
    tokens = [
        parts.signer.token(SeatLink(table_id, 1, bo)),
        parts.signer.token(WishesLink(bo)),
        "x",
        "a" * 3000,
    ]
    for token in tokens:
        check_refused(parts, before, client.get(f"/join/{token}"), 403, "does not open anything")
        check_refused(parts, before, client.post(f"/join/{token}", data={"name": "Bo"}), 403, "does not open anything")
    token = parts.signer.token(JoinLink(table_id, bo))
    for path in ("seat", "invitation", "wishes", "play", "host"):
        assert client.get(f"/{path}/{token}").status_code in (403, 404)
    for link in (JoinLink(99, bo), JoinLink(table_id, 99)):
        for method in (client.get, client.post):
            page = method(parts.signer.local_url(link), data={"name": "Bo"})
            check_refused(parts, before, page, 403, "does not open anything")


def test_a_link_to_a_chair_is_good_for_some_days(parts, client, monkeypatch):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    url = parts.signer.local_url(JoinLink(table_id, player(parts, "Bo")))
    monkeypatch.setattr(JoinLink, "life", timedelta(seconds=-1))
    check_refused(parts, dump(parts), client.post(url, data={"name": "Bo"}), 410, "This link is too old")


# the host


def test_the_form_leaves_chairs_for_anybody(parts, client):
    form = {"host_name": "Ann", "host_address": address("Ann"), "time_zone": "UTC", "preset": "classic", "target": ""}
    form |= {"pass_time": "86400", "play_time": "86400", "seat_1_kind": "open", "seat_2_kind": "open"}
    assert client.post("/tables/new", data=form | {"seat_3_kind": "robot"}).status_code == 303
    assert [seat.state.value for seat in seats(parts, 1)] == ["host", "open", "open", "robot"]
    assert all(seat.player_id is None for seat in seats(parts, 1)[1:])
    page = words(client.get(parts.signer.local_url(ConfirmLink(1))))
    assert "One tap, and the lobby shows that you look for two players." in page
    assert "Confirm and look for players" in page


def test_a_chair_for_anybody_counts_among_the_three_that_hearts_needs(parts, client):
    form = {"host_name": "Ann", "host_address": address("Ann"), "time_zone": "UTC", "preset": "classic", "target": ""}
    form |= {"pass_time": "86400", "play_time": "86400", "seat_1_kind": "open", "seat_2_kind": "none"}
    page = client.post("/tables/new", data=form)
    assert page.status_code == 400
    assert BeautifulSoup(page.data, "html.parser").find("a", href="#seat_2_kind")


def test_the_host_sees_who_has_come_and_what_is_still_open(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    url = parts.signer.local_url(seat_link(parts, table_id, ANN))
    join(parts, table_id, "Bo")
    page = words(client.get(url))
    assert "Bo plays" in page
    assert "Open chair anybody may sit here" in page


def test_the_host_fills_all_open_chairs_with_robots_and_the_game_begins(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    url = parts.signer.local_url(seat_link(parts, table_id, ANN))
    button = BeautifulSoup(client.get(url).data, "html.parser").find("form", action=re.compile("/robots$"))
    assert button.text.strip() == "Fill the open chairs with robots and begin"
    assert [client.post(button["action"]).status_code for _ in range(2)] == [303, 303]
    assert states(parts, table_id) == [SeatState.HOST, *[SeatState.ROBOT] * 3]
    assert len({seat.name for seat in seats(parts, table_id)}) == 4
    assert table(parts, table_id).state is TableState.PLAYING


def test_nobody_but_the_host_fills_the_open_chairs(parts, client):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP)
    join(parts, table_id, "Bo")
    url = parts.signer.local_url(seat_link(parts, table_id, FIRST))
    assert "/robots" not in client.get(url).text
    check_refused(parts, dump(parts), client.post(f"{url}/robots"), 409, "This seat is taken")


@pytest.mark.parametrize("declines", [True, False], ids=["a declined chair", "a chair without an answer"])
def test_the_host_opens_a_chair_to_anybody_and_it_is_listed_afresh(parts, client, declines):
    table_id = open_table(parts, BO, CY)
    bo = InvitationLink(table_id, 1, player(parts, "Bo"))
    if declines:
        tables.decline(parts, bo, parts.now())
    parts.now.pass_by(timedelta(days=20))
    url = parts.signer.local_url(seat_link(parts, table_id, ANN))
    assert client.post(f"{url}/chair", data={"seat": "1", "kind": "open"}).status_code == 303
    assert listed(parts) == [code(parts, table_id)]
    assert (seats(parts, table_id)[1].state, seats(parts, table_id)[1].player_id) == (SeatState.OPEN, None)
    with pytest.raises(tables.SeatGone):
        tables.accept(parts, bo, "Bo", "UTC", parts.now())
    assert client.post(f"{url}/chair", data={"seat": "2", "kind": "open"}).status_code == 303, "and another one"


def test_an_open_chair_goes_to_somebody_by_invitation(parts):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    tables.refill(parts, seat_link(parts, table_id, ANN), 1, BO, parts.now())
    assert listed(parts) == []
    assert [letter.seat for letter in letters(parts, LetterKind.INVITATION)][:1] == [1]
    accept(parts, table_id, 1)
    assert table(parts, table_id).state is TableState.PLAYING


def test_a_guest_may_be_called_like_an_empty_chair(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, BO)
    assert join(parts, table_id, "Cy", called="Open chair") == 1
    accept(parts, table_id, 3)
    with pytest.raises(BadField):
        join(parts, table_id, "Di", called="open chair")


def test_whoever_unsubscribes_before_the_game_keeps_her_chair_and_is_away(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR)
    join(parts, table_id, "Bo")
    wishes.unsubscribe(parts, UnsubscribeLink(table_id, 1, player(parts, "Bo")), parts.now())
    bo = seats(parts, table_id)[1]
    assert (bo.state, bo.away, bo.mails) == (SeatState.ACCEPTED, True, False)


def test_for_another_game_an_opened_chair_goes_to_a_stranger(parts):
    table_id = open_table(parts, BO, CY)
    for seat in (1, 2):
        accept(parts, table_id, seat)
    with parts.database.writing() as rows:  # as after the last hand
        game = tables.current_game(rows, table_id)
        game.state, game.wake_at, game.due_at = "over", None, None
        rows.get_one(TableRow, table_id).state = TableState.OVER
    ann, bo, cy = (seats(parts, table_id)[seat].player_id or 0 for seat in range(3))
    again.agree(parts, AgainLink(table_id, 0, ann, 1), parts.now())
    again.agree(parts, AgainLink(table_id, 1, bo, 1), parts.now())
    tables.decline(parts, InvitationLink(table_id, 2, cy), parts.now())
    assert listed(parts) == []
    tables.refill(parts, seat_link(parts, table_id, ANN), 2, OPEN_CHAIR, parts.now())
    assert listed(parts) == [code(parts, table_id)]
    assert join(parts, table_id, "Eve") == 2
    with parts.database.reading() as rows:
        assert tables.current_game(rows, table_id).number == 2


def test_a_table_that_is_closed_is_not_listed_and_nobody_sits_down_there(parts):
    table_id = open_table(parts, OPEN_CHAIR, BO)
    with parts.database.writing() as rows:
        rows.get_one(TableRow, table_id).state = TableState.OVER
    assert listed(parts) == []
    with pytest.raises(NoOpenChair):
        join(parts, table_id, "Eve")


def test_a_chair_at_a_table_that_is_not_there_is_refused(parts):
    with pytest.raises(LinkInvalid):
        lobby.take_chair(parts, JoinLink(99, player(parts, "Bo")), "Bo", parts.now(), by_mail=True)
