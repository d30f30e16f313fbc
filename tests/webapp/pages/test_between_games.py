"""The page that follows a table between its games."""

import pytest

from hearts.game import Stage
from hearts.rules import preset_rules
from tests.cast import open_table, seats, start_game
from tests.submitting import soup, words
from webapp.core.tokens import AgainLink, PlayLink
from webapp.tables import again


@pytest.fixture
def table(request, runtime):
    """A game of one hand."""
    return start_game(runtime, rules=preset_rules("classic", target=10))


def go_on(page):
    """Returns the address to which the page of a result leads."""
    return page.select_one(".act a.go-on")["href"]


def test_after_the_last_hand_the_page_offers_another_game(client, runtime, table, plays):
    table_id = table.table_id
    while table.game.stage is not Stage.OVER:
        table.play_hand()
    last = soup(client.get(plays[0]))
    assert len(last.select("#trick .card")) == 4, "the last trick"
    assert last.select_one(".act a.go-on").text == "See the score"
    page = soup(client.get(go_on(last)))
    assert "Another game?" in page.main.text
    assert page.select("table.score")
    assert not page.select("#trick, input[name=card]")
    for seat in range(4):
        again.agree(runtime, AgainLink(table_id, seat, seats(runtime, table_id)[seat].player_id, 1), runtime.now())
    assert "Pass three cards" in words(client.get(plays[0])), "the same page goes on with the next game"


def test_before_the_game_the_page_says_who_is_missing(client, runtime):
    table_id = open_table(runtime)
    anns = PlayLink(table_id, 0, seats(runtime, table_id)[0].player_id)
    assert "Bo, Cy and Di" in words(client.get(runtime.signer.local_url(anns)))
