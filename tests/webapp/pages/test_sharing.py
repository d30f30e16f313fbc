"""The page on which a player shares a result: who may, what it says, and how to get the link to others."""

import re
import threading
from contextlib import suppress
from functools import partial

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import letters, start_game
from tests.races import none_fails
from tests.servers import site_server
from tests.table import Table
from tests.webapp.pages.results import PEOPLE, ROBOT, finished, share, sharing_page
from tests.webapp.tables.hosted import ANN, BO, composed
from webapp.core.tokens import PlayLink
from webapp.games import shares
from webapp.models import GameRow, LetterKind, SeatRow, SeatState, ShareRow
from webapp.site import make_site


@pytest.fixture
def table(runtime) -> Table:
    """A finished game without a shared link."""
    return finished(runtime)


def test_a_game_without_a_finished_hand_cannot_be_shared(runtime, client):
    table = start_game(runtime)
    path = sharing_page(table)
    for found in (client.get(path), client.post(path, data={"want": "share"})):
        assert found.status_code == 409
        assert "once a hand is over" in found.text
    assert "Share this result" not in client.get(path.partition("/share")[0]).text


def test_a_hand_that_is_over_offers_to_share_it(runtime, client):
    table = start_game(runtime, PEOPLE, robots=1)
    table.play_hand()
    seat = table.seats[ANN]
    page = client.get(runtime.signer.local_url(PlayLink(seat.table_id, ANN, seat.player_id)))
    assert BeautifulSoup(page.data, "lxml").find("a", string="Share this result")


def test_nobody_but_the_players_of_the_game_shares_it(runtime, client):
    table = finished(runtime)
    path = sharing_page(table, BO)
    eves = sharing_page(start_game(runtime, ("Eve", "Fay", "Gus", "Hal")))
    other_game = eves.partition("?")[0] + "?game=2"
    for url in (other_game, path.replace("/seat/", "/seat/x"), path.partition("?")[0], f"{path}9", f"{path}e9"):
        assert client.get(url).status_code == 403
        assert client.post(url, data={"want": "share"}).status_code == 403
    with runtime.database.writing() as session:  # Bo's seat goes to somebody else, for another game
        session.get_one(GameRow, table.game_id).names = [*PEOPLE, ROBOT]
        seat = session.get_one(SeatRow, (table.table_id, BO))
        seat.player_id, seat.name = table.seats[ANN].player_id, "Newcomer"
    assert client.post(path, data={"want": "share"}).status_code == 403, "Bo's seat is lost"
    newcomers = sharing_page(table, BO)
    assert client.get(newcomers).status_code == 409, "the newcomer has not played that game"
    assert client.post(newcomers, data={"want": "share"}).status_code == 409
    with runtime.database.reading() as session:
        assert session.exec(select(ShareRow).where(ShareRow.game_id == table.game_id)).all() == []


def test_a_form_that_says_nothing_is_refused(runtime, table, client):
    assert client.post(sharing_page(table), data={"want": "everything"}).status_code == 400


def test_two_simultaneous_clicks_share_the_result_once(either_runtime, monkeypatch):
    """Both clicks have seen that nothing is shared yet, unless one waits for the other."""
    table = finished(either_runtime, target=10)
    path, both = sharing_page(table), threading.Barrier(2)
    own_game = shares.own_game

    def met(*asked):
        found = own_game(*asked)
        with suppress(threading.BrokenBarrierError):
            both.wait(timeout=1)
        return found

    monkeypatch.setattr(shares, "own_game", met)

    site = make_site(either_runtime)  # once: in Python 3.11 two threads must not parse source at the same moment

    clicks = [partial(site.test_client().post, path, data={"want": "share"}) for _ in range(2)]
    assert [answer.status_code for answer in none_fails(*clicks)] == [303, 303]
    with either_runtime.database.reading() as session:
        assert len(session.exec(select(ShareRow)).all()) == 1


def test_the_games_end_offers_to_share_it_and_confirms(runtime, table, client):
    path = sharing_page(table)
    seat = table.seats[ANN]
    play = runtime.signer.local_url(PlayLink(seat.table_id, ANN, seat.player_id))
    for url in (path.partition("/share")[0], play):
        page = BeautifulSoup(client.get(url).data, "lxml")
        link = next(link for link in page.select("a.button") if link.text == "Share this result")
        assert BeautifulSoup(client.get(link["href"]).data, "lxml").h1.text == "Share this result"
        assert page.select_one("svg.race")
    final = next(
        one for one in letters(runtime, LetterKind.FINAL_SHEET) if one.seat == BO and one.game_id == table.game_id
    )
    for text in composed(runtime, final).values():
        (mailed,) = set(re.findall(r"http://127\.0\.0\.1:8000(/seat/[\w.-]+/share\?game=1)", text))
        assert client.get(mailed).status_code == 200


def test_the_sharing_page_says_what_is_shown_and_of_whom(runtime, table, client):
    page = BeautifulSoup(client.get(sharing_page(table, BO)).data, "lxml")
    assert "It never shows an email address" in page.text
    assert "the page calls them West and East" in page.text, "Cyrano is to the left of Bo, Ann to the right"
    assert not page.select_one("#names").has_attr("checked")
    alone = finished(runtime, ("Ann", "Bo"), robots=2, target=10)
    with runtime.database.writing() as session:
        session.get_one(SeatRow, (alone.table_id, BO)).state = SeatState.ROBOT
    assert BeautifulSoup(client.get(sharing_page(alone)).data, "lxml").select_one("#names") is None


@pytest.fixture
def shared_at(runtime, table, client):
    """The address of the page on which Ann sees the link that she shares."""
    share(table, client)
    with site_server(runtime) as at:
        yield at + sharing_page(table)


def test_the_button_copies_the_link_where_the_device_cannot_share(browser, shared_at):
    context = browser.new_context(viewport={"width": 360, "height": 740})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.add_init_script("delete Navigator.prototype.share")
    page.goto(shared_at)
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_function("document.querySelector('#copied').textContent === 'The link is copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").input_value()
    context.close()


def test_the_button_opens_the_dialog_of_a_device_that_shares(browser, shared_at):
    page = browser.new_page()
    page.add_init_script("Navigator.prototype.share = async (what) => { window.given = what; }")
    page.goto(shared_at)
    page.get_by_role("button", name="Share", exact=True).click()
    page.wait_for_function("window.given")
    assert page.evaluate("given.url") == page.locator("#link").input_value()
    page.close()


def test_without_scripts_the_link_stands_in_a_field(browser, shared_at):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(shared_at)
    assert "/shared/" in page.locator("#link").input_value()
    assert not page.locator("#share").is_visible()
    page.get_by_role("button", name="Stop sharing").click()
    assert page.get_by_role("heading", level=1).inner_text() == "Share this result"
    context.close()
