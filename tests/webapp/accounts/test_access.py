"""Access that ends: what signing out everywhere ends, and what it leaves."""

import re

import pytest
from sqlmodel import select

from tests.cast import address, seat_link, seats, start_game
from tests.table import Table
from tests.webapp.accounts.intruder import link_in, newest, preferences_of, question_to
from tests.webapp.accounts.signed_in import browser_of, is_in
from tests.webapp.accounts.subscriptions import form as device_form
from tests.webapp.accounts.subscriptions import subscription
from webapp.accounts import devices, sign_ins
from webapp.games.record import links
from webapp.models import DeviceRow, LetterKind

ANN, BO = 1, 2


@pytest.fixture(autouse=True)
def _game(runtime):
    start_game(runtime)


def test_signing_out_everywhere_ends_everything_but_the_turn_links(runtime):
    here, there = browser_of(runtime, BO), browser_of(runtime, BO)
    devices.add_device(runtime, BO, subscription(), runtime.now())
    sign_ins.request_sign_in(runtime, address("Bo"), runtime.now())
    mailed = newest(runtime, LetterKind.SIGN_IN)
    seat = seats(runtime, 1)[BO - 1]
    page_links = [preferences_of(here), *map(runtime.signer.local_url, [links.play_link(seat)])]
    turn, table = (
        runtime.signer.local_url(link) for link in (Table(runtime, 1).turn_link(BO - 1), seat_link(runtime, 1, BO - 1))
    )
    page = here.post("/signed-in/end", data={"sign_in": "all"})
    assert "You are signed out everywhere" in page.text
    assert (is_in(here), is_in(there)) == (False, False)
    assert [here.get(path).status_code for path in page_links] == [410] * 2
    assert here.post(f"{page_links[1]}/here").status_code == 410
    assert here.post(f"{page_links[1]}/talk", data={"text": "Hello"}).status_code == 410
    assert here.post(link_in(mailed, "sign-in")).status_code == 410, "a sign-in mail that was out already"
    assert [here.get(path).status_code for path in (turn, table)] == [200, 200]
    with runtime.database.reading() as session:
        assert session.exec(select(DeviceRow)).all() == []


def test_signing_out_everywhere_ends_the_hosts_links_to_the_settings(runtime):
    with runtime.database.reading() as session:
        settings = links.host_link(session.get_one(links.TableRow, 1), seats(runtime, 1)[0])
    url = runtime.signer.local_url(settings)
    client = browser_of(runtime, ANN)
    assert client.get(url).status_code == 200
    client.post("/signed-in/end", data={"sign_in": "all"})
    for answer in (client.get(url), client.post(f"{url}/end"), client.post(f"{url}/clock", data={"want": "pause"})):
        assert answer.status_code == 410


def test_old_links_without_numbers_last_until_their_player_ends_them(runtime):
    old = "WzEsMl0"  # [1,2]: version and player
    mailed = link_in(question_to(runtime, BO), "preferences")
    assert re.search(r"/preferences/(\w+)\.", mailed)[1] == old, "the token is unchanged"
    client = browser_of(runtime, BO)
    assert client.get(mailed).status_code == 200
    client.post("/signed-in/end", data={"sign_in": "all"})
    for answer in (
        client.get(mailed),
        client.post(mailed, data={}),
        client.post(f"{mailed}/table", data={"table": "all", "want": "away"}),
        client.post(f"{mailed}/address", data={"address": "eve@example.org"}),
        client.post(f"{mailed}/cards", data={"look": "two"}),
        client.post(f"{mailed}/devices", data=device_form()),
        client.post(f"{mailed}/devices/forget", data={"device": "all"}),
    ):
        assert (answer.status_code, "get a fresh link by mail" in answer.text) == (410, True)
