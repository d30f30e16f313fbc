"""The page of a player's seat: it lists the open seats of the table, and offers the record of the game."""

import json
from datetime import timedelta

import pytest

from tests.cast import NAMES, dump, letters, open_table, seat_link, seats, start_game, table_row
from tests.submitting import check_refused, soup, words
from tests.webapp.tables.guests_by_link import come
from tests.webapp.tables.hosted import host_of
from webapp.core.tokens import InvitationLink, MessengerLink
from webapp.models import GameState, LetterKind
from webapp.tables import hosting


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        pytest.param({"seat": "0", "kind": "robot"}, 409, "seat is taken", id="the host's own"),
        pytest.param({"seat": "2", "kind": "robot"}, 409, "seat is taken", id="a robot's"),
        pytest.param({"seat": "77", "kind": "robot"}, 409, "seat is taken", id="none"),
        pytest.param({"seat": "x", "kind": "robot"}, 400, "form on this page", id="no number"),
        pytest.param({"seat": "1", "kind": "cat"}, 400, "Choose who gets the seat.", id="to a cat"),
        pytest.param({"seat": "1", "kind": "player", "name": "Cy", "address": "cy"}, 400, "not an email", id="cy"),
        pytest.param(
            {"seat": "1", "kind": "player", "name": "Ann", "address": "cy@example.org"},
            400,
            "this name",
            id="the host's name",
        ),
        pytest.param(
            {"seat": "1", "kind": "player", "name": "Cy", "address": "ann@example.org"}, 400, "already", id="herself"
        ),
    ],
)
def test_the_host_can_give_away_only_a_free_seat(runtime, client, form, status, sentence):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    before = dump(runtime)
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    check_refused(runtime, before, client.post(f"{mine}/fill", data=form), status, sentence)


def test_only_the_host_can_give_away_a_seat(runtime, client):
    table_id = open_table(runtime, NAMES[:3], robots=1)
    before = dump(runtime)
    his = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    response = client.post(f"{his}/fill", data={"seat": "2", "kind": "robot"})
    check_refused(runtime, before, response, 409, "seat is taken")


def test_the_record_holds_finished_hands_only(runtime, client):
    table = start_game(runtime, NAMES[:1], robots=3)
    table_id = table.table_id
    url = f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/record.json"
    assert json.loads(client.get(url).data)["hands"] == []
    table.play_hand()
    downloaded = json.loads(client.get(url).data)
    assert downloaded["format"] == "hearts-record"
    assert len(downloaded["hands"]) == 1


# reminding


def test_the_host_reminds_an_invited_player_from_the_table(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    runtime.now.pass_by(timedelta(hours=2))
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    assert "The reminder is on its way." in words(
        client.post(f"{mine}/remind", data={"seat": "1"}, follow_redirects=True)
    )
    reminder = next(letter for letter in letters(runtime, LetterKind.INVITATION) if letter.again)
    assert reminder.next_at == runtime.now()


def test_a_reminder_too_early_is_refused_with_a_sentence(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    before = dump(runtime)
    for form, sentence in (({"seat": "1"}, "within the last hour"), ({"seat": "x"}, "Please use the form")):
        check_refused(runtime, before, client.post(f"{mine}/remind", data=form), 400, sentence)


def test_a_waiting_host_may_practise_remind_or_send_their_link(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    mine, bos = (runtime.signer.local_url(seat_link(runtime, table_id, seat)) for seat in range(2))
    page = soup(client.get(mine))
    assert page.find("a", string="Try a hand meanwhile")["href"] == "/practice"
    forms = [button.text for button in page.select("#lead form button, #seats .seat-form > form > p > button")]
    assert forms == ["Remind Bo", "Use my link for Bo"]
    assert "Remind" not in words(client.get(bos))


def test_the_hosts_link_takes_the_place_of_an_invitation(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    invited = InvitationLink(table_id, 1, seats(runtime, table_id)[1].player_id)
    mine = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    form = next(one for one in soup(client.get(mine)).select("#seats form") if "Use my link" in one.text)
    sent = {field["name"]: field["value"] for field in form.select("input")}
    answer = client.post(form["action"], data=sent)
    assert answer.headers["Location"] == f"{mine}#guests"
    shown = soup(client.get(mine)).select_one("#guests #link")["value"]
    assert runtime.signer.read(MessengerLink, shown.rpartition("/")[2]) == MessengerLink(table_id, 1)
    assert client.post(runtime.signer.local_url(invited), data={"answer": "accept"}).status_code == 409
    assert come(runtime, table_id, "Bo") == 1


def test_only_the_host_reminds(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    runtime.now.pass_by(timedelta(hours=2))
    theirs = runtime.signer.local_url(seat_link(runtime, table_id, 1))
    before = dump(runtime)
    check_refused(runtime, before, client.post(f"{theirs}/remind", data={"seat": "1"}), 409, "seat is taken")


def test_the_others_see_what_the_host_proposes_and_agree(runtime, client, table):
    table_id = table.table_id
    ann, bo, cy, _ = (runtime.signer.local_url(seat_link(runtime, table_id, seat)) for seat in range(4))
    version = client.get(f"{bo}/now").json["version"]
    hosting.end_game(runtime, host_of(runtime, table_id), runtime.now())
    assert client.get(f"{bo}/now").json["version"] != version
    form = {"proposal": table_row(runtime, table_id).proposals[0].key}
    assert "I agree" not in client.get(ann).text
    assert "I agree" in client.get(bo).text
    shown = client.post(f"{bo}/agree", data=form, follow_redirects=True)
    assert "You agree." in words(shown)
    assert "Bo agrees." in words(client.get(ann))
    before = dump(runtime)
    for wrong in ({}, {"proposal": "end"}, {"proposal": "\x00"}):
        check_refused(runtime, before, client.post(f"{cy}/agree", data=wrong), 400, "This proposal is over")
    assert client.post(f"{bo}x/agree", data=form).status_code == 403
    assert client.post(f"{cy}/agree", data=form).status_code == 303
    assert table.row.state is GameState.OVER
