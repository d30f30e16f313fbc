"""The page that shows how a hand has ended."""

import re

import pytest

from tests.cast import NAMES
from tests.submitting import held, soup, words
from webapp.models import TableRow, Talk


def go_on(page):
    """Returns the address to which the page of a result leads."""
    return page.select_one(".act a.go-on")["href"]


def test_a_hands_result_is_shown_before_the_next_pass(client, runtime, table, plays):
    table.play_hand()
    page = soup(client.get(plays[0]))
    assert page.h1.text == "Hand 1 is over"
    assert not page.select("[name=card]")
    (score,) = table.game.scores
    shown = {line.span.text: line.strong.text for line in page.select("#points li")}
    assert {name: int(points) for name, points in shown.items()} == dict(zip(NAMES, score.points, strict=True))
    assert len(page.select("#trick .card")) == 4
    taker = NAMES[score.queens.index(1)]
    assert re.search(rf"{taker} Q♠", page.find(id="points").get_text(" ", strip=True).replace("\ufe0e", ""))
    assert page.select("svg.race .race-side")
    assert page.select_one(".act a.go-on").text == "Play hand 2"
    assert "Pass three cards" in words(client.get(go_on(page)))
    assert "is over" in words(client.get(plays[0])), "a link that was not shown the result"


def test_who_has_chosen_since_is_not_shown_the_result_again(client, runtime, table, plays):
    table.play_hand()
    action = soup(client.get(go_on(soup(client.get(plays[0]))))).find("form", action=re.compile("^/turn/"))["action"]
    client.post(action, data={"card": held(table, 0)[:3]})
    assert "That's it." in words(client.get(plays[0]))


def test_the_result_chosen_by_its_tab_is_not_shown_again(client, runtime, table, plays):
    table.play_hand()
    page = soup(client.get(f"{plays[0]}?hand=1&shown=0"))
    assert page.h1.text == "Hand 1 is over"
    assert "Pass three cards" in words(client.get(go_on(page)))


@pytest.mark.parametrize(("allowed", "offered"), [(Talk.PHRASES, True), (Talk.NONE, False)])
def test_the_result_leads_to_the_replay_of_its_tricks(client, runtime, table, plays, allowed, offered):
    with runtime.database.writing() as session:
        session.get_one(TableRow, table.table_id).talk = allowed
    table.play_hand()
    page = soup(client.get(plays[0]))
    assert ("say something about a trick" in page.get_text()) is offered
    (trick,) = [link for link in page.select("h3 a") if link.text == "Trick 5"]
    replay = soup(client.get(trick["href"]))
    assert replay.h2.get_text(" ", strip=True) == "Trick 5 step 22 of 55"
