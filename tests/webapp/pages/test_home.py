"""The home page: a hand to play and a button for newcomers, and their games for players who are signed in."""

from bs4 import BeautifulSoup

from tests.cast import start_game
from tests.mailing import player_id
from tests.submitting import soup
from tests.webapp.accounts.signed_in import browser_of


def test_the_home_page_offers_a_hand_and_opening_a_table(client):
    page = BeautifulSoup(client.get("/").data, "lxml")
    assert [button["href"] for button in page.main.select("a.button")] == ["/tables/new"]
    assert len(page.select("form [name=card]")) == 13
    cards = [card["value"] for card in page.select("form [name=card]")][:3]
    asked = soup(client.post(page.form["action"], data={"card": cards}, follow_redirects=True))
    assert asked.select_one("#trick")
    assert len(asked.select(".held")) in (12, 13), "a card that must be played plays itself"


def test_a_signed_in_players_home_page_is_their_games(runtime):
    start_game(runtime)
    answer = browser_of(runtime, player_id(runtime)).get("/")
    assert (answer.status_code, answer.location) == (302, "/games")
