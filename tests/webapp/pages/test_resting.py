"""The page of a game at rest: one button sets it going, and every link of a seat leads there."""

from tests.cast import play_link, seat_link, turn_link
from tests.submitting import soup, words
from tests.webapp.at_rest import put_to_rest, rests
from tests.webapp.tables.hosted import host_of, table_of

BO, DI = 1, 3
RESTS = "Nobody is playing, so the game rests"


def address(runtime, game_id, seat):
    return runtime.signer.local_url(seat_link(runtime, table_of(runtime, game_id), seat))


def test_opening_the_link_changes_nothing_and_its_button_goes_on(runtime, game_id, client):
    put_to_rest(runtime, game_id)
    link = f"{address(runtime, game_id, DI)}/rest"
    shown = client.get(link)
    assert RESTS in words(shown)
    assert rests(runtime, game_id)
    assert client.post(soup(shown).select_one("main form")["action"]).status_code == 303
    assert not rests(runtime, game_id)
    assert client.get(link).headers["Location"] == link.removesuffix("/rest")


def test_table_page_host_page_and_my_games_offer_the_button(runtime, game_id, client):
    put_to_rest(runtime, game_id)
    table = address(runtime, game_id, BO)
    assert soup(client.get(table)).select_one("#rest form")["action"] == f"{table}/rest"
    host = runtime.signer.local_url(host_of(runtime, table_of(runtime, game_id)))
    assert RESTS in words(client.get(host))
    client.post(f"{host}/clock", data={"want": "go-on"})
    assert not rests(runtime, game_id)
    assert soup(client.get(table)).select_one("#rest") is None


def test_an_old_link_shows_what_was_played_and_the_rest(runtime, game_id, client):
    old = runtime.signer.local_url(turn_link(runtime, game_id, BO))
    put_to_rest(runtime, game_id)
    shown = words(client.get(old))
    assert "The deadline was over. We passed" in shown
    assert RESTS in shown


def test_the_page_that_follows_says_that_the_game_rests(runtime, game_id, client):
    put_to_rest(runtime, game_id)
    page = runtime.signer.local_url(play_link(runtime, game_id, BO))
    assert RESTS in words(client.get(page))
    client.post(f"{page}/pause", data={"want": "yes"})
    assert not rests(runtime, game_id)
