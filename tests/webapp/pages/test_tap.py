"""One tap plays a card: it goes after three seconds or when the page is left, and can be taken back until then."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text
from hearts.game import Stage
from tests.cast import seats, start_game
from tests.gallery import PHONE
from tests.servers import wait_until
from tests.webapp.pages.taps import tap_of_ann
from webapp.core.tokens import PlayLink

ANN = 0
LIVE = timedelta(seconds=60)


@pytest.fixture
def table(request, runtime):
    """A live game, or one at the pace of the test, in which it is Ann's turn to play, with a choice of cards."""
    made = start_game(runtime, pace=getattr(request, "param", LIVE))
    while not _has_choice(made.stored.game):
        made.play_first()
    return made


def _has_choice(game):
    return game.stage is Stage.PLAY and game.to_act == (ANN,) and game.allowed_mask.bit_count() > 1


@pytest.fixture
def phone(browser, runtime, address, table):
    """Ann's page, whose clock stands still."""
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    page.sent = []
    page.on("request", lambda request: page.sent.append(request.url) if "/turn/" in request.url else None)
    page.clock.install()
    stored = table.stored
    link = PlayLink(stored.row.table_id, ANN, seats(runtime, stored.row.table_id)[ANN].player_id)
    page.goto(address + runtime.signer.local_url(link))
    page.locator("#tap:not([hidden])").wait_for(state="attached")
    yield page
    context.close()


def press_setting(page):
    """Presses "One tap plays a card", which is folded."""
    page.locator("#seldom summary").tap()
    page.locator("#tap button").tap()


def tap(page, place=0):
    page.locator("label:has(input[name=card])").nth(place).tap(position={"x": 8, "y": 30})


def waits_for(page, milliseconds):
    """Lets the page's clock run. Returns what the page then sends about a turn, also before the server has it."""
    page.clock.run_for(milliseconds)
    page.evaluate("new Promise((done) => queueMicrotask(done))")
    return page.sent


def cards_played(table):
    return len(table.game.plays)


def test_at_a_live_table_a_tapped_card_waits_three_seconds(phone, runtime, table):
    before = cards_played(table)
    tap(phone)
    expect(phone.locator(".act button")).to_have_accessible_name("Undo")
    assert waits_for(phone, 2500) == []
    phone.clock.run_for(600)
    wait_until("the card is played", lambda: cards_played(table) == before + 1)


def test_a_card_tapped_shortly_before_the_deadline_arrives_in_time(phone, runtime, table):
    before = cards_played(table)
    phone.route(re.compile("/(now|here)$"), lambda route: route.abort())  # the page learns no other deadline
    phone.evaluate("document.getElementById('follow').dataset.due = Date.now() + 3000")
    tap(phone)
    with phone.expect_request(re.compile("/turn/")):
        phone.clock.run_for(1600)
    wait_until("the card is played", lambda: cards_played(table) == before + 1)


def test_the_button_takes_a_tapped_card_back(phone, runtime, table):
    before = cards_played(table)
    tap(phone)
    phone.locator(".act button").tap()
    assert phone.locator("[name=card]:checked").count() == 0
    expect(phone.locator(".act button")).to_have_text("Play a card", use_inner_text=True)
    assert waits_for(phone, 10_000) == []
    assert cards_played(table) == before


def test_another_card_can_be_tapped_until_one_is_sent(phone, runtime, table):
    before = cards_played(table)
    tap(phone)
    phone.clock.run_for(2500)
    tap(phone, 1)
    second = phone.locator("[name=card]:checked").get_attribute("value")
    assert waits_for(phone, 2500) == []
    phone.clock.run_for(600)
    wait_until("the card is played", lambda: cards_played(table) == before + 1)
    assert second in map(card_text, table.game.plays)


def test_a_tapped_card_is_sent_when_the_page_is_left(phone, runtime, table):
    before = cards_played(table)
    tap(phone)
    phone.goto("about:blank")
    wait_until("the card is played", lambda: cards_played(table) == before + 1)


def test_the_keys_choose_a_card_and_never_play_it(phone, runtime, table):
    before = cards_played(table)
    phone.locator("[name=card]").first.focus()
    for key in ("Space", "ArrowRight", "ArrowRight"):
        phone.keyboard.press(key)
    assert phone.locator("[name=card]:checked").count() == 1
    assert waits_for(phone, 10_000) == []
    assert cards_played(table) == before


@pytest.mark.parametrize("table", [timedelta(days=1)], indirect=True, ids=["a slow table"])
def test_at_a_slow_table_tapping_plays_only_on_request(phone, runtime, table):
    before = cards_played(table)
    tap(phone)
    assert waits_for(phone, 10_000) == []
    assert cards_played(table) == before
    press_setting(phone)
    assert phone.locator("#tap button").get_attribute("aria-pressed") == "true"
    wait_until("the choice is the player's", lambda: tap_of_ann(table) is True)
    tap(phone, 1)
    phone.clock.run_for(3100)
    wait_until("the card is played", lambda: cards_played(table) == before + 1)


def test_the_choice_holds_on_every_device_of_the_player(phone, browser, runtime, table):
    press_setting(phone)
    wait_until("the choice is the player's", lambda: tap_of_ann(table) is False)
    context = browser.new_context(viewport=PHONE)
    other = context.new_page()
    other.goto(phone.url)
    expect(other.locator("#tap button")).to_have_attribute("aria-pressed", "false")
    context.close()


def test_what_a_device_had_chosen_becomes_the_player_s_choice(phone, runtime, table):
    phone.evaluate("localStorage.setItem('tap', 'off')")
    phone.reload()
    wait_until("the choice is the player's", lambda: tap_of_ann(table) is False)
    wait_until("the device has none of its own", lambda: phone.evaluate("localStorage.getItem('tap')") is None)
