"""The lobby: which tables stand there, what strangers see of them, and what their host does."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlalchemy import event

from hearts.rules import preset_rules
from tests.cast import address, dump, letters, seat_link, seats, table
from tests.webapp.tables.open_chairs import (
    ANN,
    ASKING,
    BO,
    CY,
    FIRST,
    NOBODYS,
    PIP,
    accept,
    check_refused,
    code,
    join,
    listed,
    open_table,
    player,
    signed_in,
    states,
    words,
)
from webapp.core.refusal import Refused
from webapp.core.tokens import AgainLink, ConfirmLink, InvitationLink, JoinLink, LinkInvalid, UnsubscribeLink
from webapp.forms.opening import OPEN_CHAIR
from webapp.models import LetterKind, PlayerRow, SeatState, TableRow, TableState
from webapp.players import preferences
from webapp.site import make_site
from webapp.tables import again, lobby, seating
from webapp.tables.lobby import NoOpenChair

# which tables are listed


def test_a_table_is_listed_from_its_confirmation_until_its_last_open_chair_is_taken(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, PIP, confirmed=False)
    assert listed(parts) == []
    seating.confirm(parts, ConfirmLink(table_id), parts.now())
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
    model = seating.rules_mapping(preset_rules("classic"))
    about = {"rules": model, "pass_seconds": 86400, "play_seconds": 86400, "state": TableState.INVITING}
    at = parts.now() + timedelta(minutes=number)
    row = TableRow(code=f"C{number}", host_id=host.id, **about, created_at=at, confirmed_at=at)
    rows.add(row)
    rows.flush()
    for seat in range(4):
        who = {"player_id": host.id, "name": "Ann", "state": SeatState.HOST} if seat == 0 else {}
        rows.add(seating.SeatRow(**{"table_id": row.id, "seat": seat, "name": "Open chair", "state": "open"} | who))
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
    assert client.get(f"/lobby/{NOBODYS}").status_code == 404
    assert client.get("/lobby/%00").status_code == 404
    assert client.post(f"/lobby/{NOBODYS}", data=ASKING).status_code == 404


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
        seating.decline(parts, bo, parts.now())
    parts.now.pass_by(timedelta(days=20))
    url = parts.signer.local_url(seat_link(parts, table_id, ANN))
    assert client.post(f"{url}/chair", data={"seat": "1", "kind": "open"}).status_code == 303
    assert listed(parts) == [code(parts, table_id)]
    assert (seats(parts, table_id)[1].state, seats(parts, table_id)[1].player_id) == (SeatState.OPEN, None)
    with pytest.raises(seating.SeatGone):
        seating.accept(parts, bo, "Bo", "UTC", parts.now())
    assert client.post(f"{url}/chair", data={"seat": "2", "kind": "open"}).status_code == 303, "and another one"


def test_an_open_chair_goes_to_somebody_by_invitation(parts):
    table_id = open_table(parts, OPEN_CHAIR, PIP)
    seating.refill(parts, seat_link(parts, table_id, ANN), 1, BO, parts.now())
    assert listed(parts) == []
    assert [letter.seat for letter in letters(parts, LetterKind.INVITATION)][:1] == [1]
    accept(parts, table_id, 1)
    assert table(parts, table_id).state is TableState.PLAYING


def test_a_guest_may_be_called_like_an_empty_chair(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR, BO)
    assert join(parts, table_id, "Cy", called="Open chair") == 1
    accept(parts, table_id, 3)
    with pytest.raises(Refused):
        join(parts, table_id, "Di", called="open chair")


def test_whoever_unsubscribes_before_the_game_keeps_her_chair_and_is_away(parts):
    table_id = open_table(parts, OPEN_CHAIR, OPEN_CHAIR)
    join(parts, table_id, "Bo")
    preferences.unsubscribe(parts, UnsubscribeLink(table_id, 1, player(parts, "Bo")), parts.now())
    bo = seats(parts, table_id)[1]
    assert (bo.state, bo.away, bo.mails) == (SeatState.ACCEPTED, True, False)


def test_for_another_game_an_opened_chair_goes_to_a_stranger(parts):
    table_id = open_table(parts, BO, CY)
    for seat in (1, 2):
        accept(parts, table_id, seat)
    with parts.database.writing() as rows:  # as after the last hand
        game = seating.current_game(rows, table_id)
        game.state, game.wake_at, game.due_at = "over", None, None
        rows.get_one(TableRow, table_id).state = TableState.OVER
    ann, bo, cy = (seats(parts, table_id)[seat].player_id or 0 for seat in range(3))
    again.agree(parts, AgainLink(table_id, 0, ann, 1), parts.now())
    again.agree(parts, AgainLink(table_id, 1, bo, 1), parts.now())
    seating.decline(parts, InvitationLink(table_id, 2, cy), parts.now())
    assert listed(parts) == []
    seating.refill(parts, seat_link(parts, table_id, ANN), 2, OPEN_CHAIR, parts.now())
    assert listed(parts) == [code(parts, table_id)]
    assert join(parts, table_id, "Eve") == 2
    with parts.database.reading() as rows:
        assert seating.current_game(rows, table_id).number == 2


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
