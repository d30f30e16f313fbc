"""The button that asks for a pause or for its end, and the page of a pause that anybody may end."""

from tests.cast import seat_link
from tests.submitting import soup, words
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.tables.hosted import host_of

BO, CY, DI = 1, 2, 3
RESTS = "Nobody is playing, so the game rests"


def test_pages_name_the_asker_and_the_button_asks_or_withdraws(runtime, table, client):
    bos, cys = (runtime.signer.local_url(table.play_link(seat)) for seat in (BO, CY))
    assert client.post(f"{bos}/pause", data={"want": "yes"}).status_code == 303
    assert "You ask for a pause." in words(client.get(bos))
    assert soup(client.get(bos)).select_one("#pause button").text == "No pause after all"
    assert "Bo asks for a pause." in words(client.get(cys))
    client.post(f"{bos}/pause", data={"want": "no"})
    assert "asks for a pause" not in words(client.get(cys))
    for link in (bos, cys, runtime.signer.local_url(table.play_link(DI))):
        client.post(f"{link}/pause", data={"want": "yes"})
    assert "The clock has been paused since" in words(client.get(cys))
    assert soup(client.get(cys)).select_one("#pause button").text == "Let the game go on"


def address(table, seat):
    return table.runtime.signer.local_url(seat_link(table.runtime, table.table_id, seat))


def test_opening_the_link_changes_nothing_and_its_button_goes_on(runtime, table, client):
    put_to_rest(table)
    link = f"{address(table, DI)}/rest"
    shown = client.get(link)
    assert RESTS in words(shown)
    assert rests(table)
    assert client.post(soup(shown).select_one("main form")["action"]).status_code == 303
    assert not rests(table)
    assert client.get(link).headers["Location"] == link.removesuffix("/rest")


def test_table_page_host_page_and_my_games_offer_the_button(runtime, table, client):
    put_to_rest(table)
    url = address(table, BO)
    assert soup(client.get(url)).select_one("#paused form")["action"] == f"{url}/rest"
    host = runtime.signer.local_url(host_of(runtime, table.table_id))
    assert RESTS in words(client.get(host))
    client.post(f"{host}/clock", data={"want": "go-on"})
    assert not rests(table)
    assert soup(client.get(url)).select_one("#paused") is None


def test_an_old_link_shows_what_was_played_and_the_rest(runtime, table, client):
    old = runtime.signer.local_url(table.turn_link(BO))
    put_to_rest(table)
    shown = words(client.get(old))
    assert "The deadline was over. We passed" in shown
    assert RESTS in shown


def test_the_page_that_follows_says_that_the_game_rests(runtime, table, client):
    put_to_rest(table)
    page = runtime.signer.local_url(table.play_link(BO))
    assert RESTS in words(client.get(page))
    client.post(f"{page}/pause", data={"want": "yes"})
    assert not rests(table)


def test_a_pause_of_the_players_has_the_same_page(runtime, table, client):
    link = f"{address(table, DI)}/rest"
    assert client.get(link).headers["Location"] == link.removesuffix("/rest"), "there is none"
    for seat in (BO, CY, DI):
        client.post(f"{runtime.signer.local_url(table.play_link(seat))}/pause", data={"want": "yes"})
    shown = client.get(link)
    assert "Players asked for this pause." in words(shown)
    assert soup(client.get(address(table, BO))).select_one("#paused form")
    client.post(soup(shown).select_one("main form")["action"])
    assert table.stored.table.pause is None
