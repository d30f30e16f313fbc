"""Visits: a player goes from step to step, with and without scripts, while others play."""

import random
import re

import pytest
from playwright.sync_api import expect

from hearts.game import Stage
from hearts.seats import Seat
from tests.cast import start_game
from tests.side_by_side import finish, play_in
from tests.submitting import soup, words
from tests.webapp.accounts.signed_in import browser_of
from webapp.games.asked import due
from webapp.games.asked.whose_turn import awaited
from webapp.models import TurnSource
from webapp.pages import at_table

ANN = Seat(0)
PHONE = {"width": 360, "height": 640}
PATIENCE = 60_000  # milliseconds


def others_play(table, rng, most=1000):
    """The others play, each hand until it asks Ann or is over."""
    for _ in range(most):
        waiting = [one for one in table.stored.open_hands() if ANN not in one.game.to_act]
        if not waiting:
            return
        play_in(table.runtime, rng.choice(waiting), rng)


# without scripts


def step(client, page):
    """Takes the step that a page asks of its reader, and returns it with the page after it; None if there is none."""
    form = page.select_one("form[action^='/turn/']")
    if form is not None:
        offered = [box["value"] for box in form.select("[name=card]")]
        count = 3 if form.select("[type=checkbox]") else 1
        data = {field["name"]: field["value"] for field in form.select("[type=hidden]")}
        response = client.post(form["action"], data={**data, "card": offered[:count]}, follow_redirects=True)
        return page.h1.text, soup(response)
    link = page.select_one("a.go-on:not(#tabs a)")
    return None if link is None else (page.h1.text, soup(client.get(link["href"])))


def is_end(page):
    return page.h1.text.endswith("is over")


@pytest.mark.parametrize("at_once", [1, 4])
def test_without_scripts_each_hand_ends_in_front_of_its_player(runtime, client, at_once):
    table, rng, seen = start_game(runtime, at_once=at_once), random.Random(3), []
    page = soup(client.get(runtime.signer.local_url(table.turn_link(ANN))))
    while table.stored.cycle.hands[0].hand == 1 or not seen[-1].endswith("is over") or is_end(page):
        taken = step(client, page)
        if taken is None:
            assert page.h1.text.startswith("That's it.")
            others_play(table, rng)
            taken = "", soup(client.get(page.find("a", string="Look again")["href"]))
        seen.append(taken[0])
        page = taken[1]
    ends = [heading for heading in seen if heading.endswith("is over")]
    assert sorted(ends) == [f"Hand {number} is over" for number in range(1, at_once + 1)]


def test_an_ended_hand_says_when_its_points_count(runtime, client):
    table = start_game(runtime, at_once=4)
    finish(table, 2)
    link = runtime.signer.local_url(table.play_link(ANN))
    page = soup(client.get(link))
    assert page.h1.text == "Hand 2 is over"
    assert "These points count once hand 1 is over." in page.main.text
    assert "total" not in page.find(id="points").text
    finish(table, 1)
    after = soup(client.get(page.select_one(".act a")["href"]))
    assert after.h1.text == "Hand 1 is over"
    assert "total" in after.find(id="points").text


def test_a_hand_goes_on_before_another_and_needs_no_waiting(runtime, client):
    table = start_game(runtime, ("Ann",), robots=3, at_once=4)
    page = soup(client.get(runtime.signer.local_url(table.turn_link(ANN))))
    _, page = step(client, page)
    number = page.find(id="tabs").select_one("[aria-current]").text
    assert page.find(id="follow")["data-kind"] == "goes on"
    _, other = step(client, page)
    assert other.select("[name=card]")
    assert other.find(id="tabs").select_one("[aria-current]").text != number
    table.play_for_absent()
    link = runtime.signer.local_url(table.play_link(ANN))
    again = soup(client.get(link))
    assert again.find(id="tabs").select_one("[aria-current]").text.split(":")[0] == number.split(":")[0]
    assert again.select("[name=card]"), "the hand that they are in asks first"


def test_a_pass_is_shown_before_another_hand_is_asked(runtime, client):
    table, rng = start_game(runtime, at_once=4), random.Random(4)
    page = soup(client.get(runtime.signer.local_url(table.turn_link(ANN))))
    _, after = step(client, page)
    assert after.h1.text.startswith("You passed ")
    assert not after.select("[name=card]")
    while (one := table.hand(1)).game.stage is Stage.PASS or ANN in one.game.to_act:
        play_in(runtime, one, rng, TurnSource.FORCED)
    assert after.select_one("#go-on a").text == "Play hand 2"
    follow = after.find(id="follow")
    again = soup(client.get(follow["data-page"] + follow["data-shows"]))
    assert again.h1.text == after.h1.text
    assert " passed you " in again.select_one(".headline .how").text
    assert soup(client.get(again.select_one("#go-on a")["href"])).select_one("[name=card][type=checkbox]")


def test_the_first_trick_says_what_was_passed_and_what_came(runtime, client):
    table, rng = start_game(runtime), random.Random(3)
    while table.game.stage is Stage.PASS:
        play_in(runtime, table.stored, rng)
    while (game := table.game).trick == 1 and ANN not in game.to_act:
        play_in(runtime, table.stored, rng)
    assert table.game.trick == 1
    passed = soup(client.get(runtime.signer.local_url(table.play_link(ANN)))).find(id="passed").text
    assert passed.startswith("You passed ")
    assert " passed you " in passed


def test_a_decision_stays_while_another_hand_ends(runtime, client):
    table = start_game(runtime, at_once=4)
    link = runtime.signer.local_url(table.play_link(ANN))
    asked = soup(client.get(link))
    follow = asked.find(id="follow")
    finish(table, 2)
    again = soup(client.get(follow["data-page"] + follow["data-shows"]))
    assert again.h1.text == asked.h1.text
    _, after = step(client, again)
    assert after.h1.text == "Hand 2 is over"


def test_a_hands_tab_leads_to_what_was_just_played_beside(runtime, client):
    table = start_game(runtime, at_once=4)
    page = soup(client.get(runtime.signer.local_url(table.turn_link(ANN))))
    _, passed = step(client, page)
    tab = passed.select_one("#tabs a:not([aria-current])")
    said = soup(client.get(tab["href"])).find(id="done").text
    assert said.startswith("Hand 1: You passed ")
    link = runtime.signer.local_url(table.play_link(ANN))
    assert "Hand 1: You passed" not in words(client.get(link)), "nor does a visit begin with it"


def test_what_was_played_meanwhile_is_said_on_the_next_step(runtime, client):
    table, rng = start_game(runtime, at_once=4), random.Random(5)
    page = soup(client.get(runtime.signer.local_url(table.play_link(ANN))))
    form = page.select_one("form[action^='/turn/']")
    offered = [box["value"] for box in form.select("[name=card]")]
    data = {field["name"]: field["value"] for field in form.select("[type=hidden]")}
    before = table.stored
    shown = before.at(int(re.search(r"at=(\d)", page.find(id="follow")["data-shows"])[1]))
    while ANN in table.hand(shown.game.hand).game.to_act:  # another browser of hers
        play_in(runtime, table.hand(shown.game.hand), rng)
    late = client.post(form["action"], data={**data, "card": offered[-3:]})
    assert late.status_code == 409
    assert "You passed" in words(late)
    _, after = step(client, soup(late))
    assert after.select("[name=card]"), "the next decision"


# from where it begins


def test_my_games_lead_to_the_result_first(runtime):
    table = start_game(runtime)
    while len(table.game.scores) < 1:
        table.play_first()
    client = browser_of(runtime, table.seats[ANN].player_id)
    link = soup(client.get("/games")).select_one(".box .button")["href"]
    assert soup(client.get(link)).h1.text == "Hand 1 is over"


def test_a_cards_link_opens_that_card_whatever_has_ended(runtime, client):
    table = start_game(runtime)
    while len(table.game.scores) < 1:
        table.play_first()
    link = runtime.signer.local_url(table.turn_link(ANN))
    card = soup(client.get(link)).select_one("[name=card]")["value"]
    page = soup(client.get(f"{link}?card={card}"))
    assert [box["value"] for box in page.select("[name=card][checked]")] == [card]


# in a browser


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport=PHONE)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    yield opened
    context.close()


def choose(page):
    """Chooses the first cards and presses the button; the page is another one then."""
    kind = page.locator("#follow").get_attribute("data-kind")
    for card in page.locator("label:has(input[name=card])").all()[: 3 if "pass" in kind else 1]:
        card.click(position={"x": 8, "y": 20})
    page.locator(".act button").click()
    page.locator(f"#follow:not([data-kind='{kind}'])").wait_for(state="attached")


def kind_of(page):
    return page.locator("#follow").get_attribute("data-kind")


def focused(page):
    return page.evaluate("document.activeElement.tagName")


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_visit_shows_the_player_the_hand_to_its_end(runtime, page, address, monkeypatch, at_once):
    monkeypatch.setattr(at_table, "POLL_MS", 200)
    table, rng = start_game(runtime, ("Ann",), robots=3, at_once=at_once), random.Random(2)
    number = 1 if at_once == 1 else 4
    while (one := table.hand(number)).game.stage is Stage.PASS or len(one.game.tricks) < 10:
        play_in(runtime, one, rng)
    while ANN not in awaited(table.hand(number)):
        play_in(runtime, table.hand(number), rng)
    asked = table.hand(number)
    page.goto(address + runtime.signer.local_url(due.turn_link(asked, ANN, due.due_of(asked.game, ANN))))
    loads = []
    page.on("load", lambda _: loads.append(page.url))
    while not kind_of(page).endswith("over"):
        choose(page)
        assert focused(page) == "H1"
        if kind_of(page) == "goes on":
            table.play_for_absent()
            page.locator("#follow:not([data-kind='goes on'])").wait_for(state="attached")
    expect(page.locator("h1")).to_have_text(f"Hand {number} is over")
    expect(page.locator("p[role=status].spoken")).to_contain_text(f"Hand {number} is over: ")
    go_on = page.locator(".act a")
    expect(go_on).to_be_in_viewport()
    expect(page.locator("#points li").last).to_be_in_viewport()
    go_on.press("Enter")
    page.locator("#follow[data-kind$=pass]").wait_for(state="attached")
    assert focused(page) == "H1"
    assert loads == [], "nothing was loaded anew"
