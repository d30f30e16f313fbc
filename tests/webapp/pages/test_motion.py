"""Cards move from their players to the trick, and a finished trick to its winner; what moves is in nobody's way."""

import re
from itertools import groupby

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text
from hearts.game import Stage, replay
from tests.cast import load, play_first, seats, start_game
from tests.gallery import PHONE
from tests.servers import wait_until
from webapp.core.tokens import PlayLink
from webapp.games import following

ANN = 0
PATIENCE = 60_000  # milliseconds
CODE = re.compile(r"\b([2-9TJQKA][CDSH])\b")
# Notes the texts of what lies over the table for a moment, and how many elements are moved.
NOTE_MOTION = """
  window.covers = [];
  window.moved = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) { moved += 1; return animate.apply(this, given); };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.className?.includes("moving")) covers.push(node.innerHTML.replace(/<[^>]*>/g, " "));
    }
  }).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture
def game_id(runtime, monkeypatch):
    """A game in its first trick, whose pages look for news all the time."""
    monkeypatch.setattr(following, "POLL_MS", 100)
    made = start_game(runtime)
    while load(runtime, made).game.stage is Stage.PASS:
        play_first(runtime, made)
    return made


@pytest.fixture
def ann(request, browser, runtime, address, game_id):
    """Ann's page, with the motion that the test names."""
    context = browser.new_context(viewport=PHONE, reduced_motion=getattr(request, "param", "no-preference"))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(NOTE_MOTION)
    table_id = load(runtime, game_id).row.table_id
    link = PlayLink(table_id, ANN, seats(runtime, table_id)[ANN].player_id)
    page.goto(address + runtime.signer.local_url(link))
    yield page
    context.close()


def play_until(runtime, game_id, is_far_enough):
    while not is_far_enough(load(runtime, game_id).game):
        play_first(runtime, game_id)
    return load(runtime, game_id).game


def has_led(game):
    """Whether the second trick lies on the table, and Ann is to play."""
    return len(game.tricks) >= 1 and len(game.on_table) >= 1 and game.to_act == (ANN,)


def covers(page):
    """The cards of each trick that lay over the table: once to be finished, and once to be won, perhaps."""
    return [cards for cards, _ in groupby(CODE.findall(text) for text in page.evaluate("covers"))]


def waits_for_rest(page):
    """Waits until nothing moves any more."""
    running = "document.getAnimations().some((one) => one.playState === 'running' && !one.animationName)"
    wait_until("nothing moves", lambda: page.locator(".moving").count() == 0 and not page.evaluate(running))


def codes(cards):
    return [card_text(card) for card in cards]


@pytest.mark.parametrize("ann", ["no-preference", "reduce"], indirect=True)
def test_every_trick_that_the_page_has_not_shown_is_shown_before_the_present_one(ann, runtime, game_id):
    game = play_until(runtime, game_id, lambda game: has_led(game) and len(game.tricks) == 3)
    ann.locator("#trick[data-trick='4']").wait_for()
    waits_for_rest(ann)
    assert covers(ann)[-3:] == [codes(trick.cards) for trick in game.tricks]
    expect(ann.locator("#trick .ring .code")).to_have_text(codes(game.on_table))


def test_cards_move(ann, runtime, game_id):
    play_until(runtime, game_id, has_led)
    ann.locator(".moving").wait_for(state="attached")
    waits_for_rest(ann)
    assert ann.evaluate("moved") >= 8  # four to the trick and away


@pytest.mark.parametrize("ann", ["reduce"], indirect=True)
def test_nothing_moves_for_who_asked_for_that(ann, runtime, game_id):
    play_until(runtime, game_id, has_led)
    ann.locator(".moving").wait_for(state="attached")
    waits_for_rest(ann)
    assert ann.evaluate("moved") == 0


def test_a_page_that_is_opened_shows_the_table_as_it_is(ann, runtime, game_id):
    play_until(runtime, game_id, has_led)
    ann.locator("#trick[data-trick='2']").wait_for()
    waits_for_rest(ann)
    ann.reload()
    ann.locator("#trick").wait_for()
    ann.wait_for_timeout(500)
    assert (covers(ann), ann.evaluate("moved")) == ([], 0)


def test_the_last_trick_of_a_hand_is_shown_over_the_next_pass(ann, runtime, game_id):
    play_until(runtime, game_id, lambda game: len(game.tricks) >= 10)
    play_until(runtime, game_id, lambda game: game.scores)
    ann.locator("#follow[data-kind$=pass]").wait_for(state="attached")
    waits_for_rest(ann)
    stored = load(runtime, game_id)
    over = replay(stored.game.rules, stored.finished_turns())
    assert covers(ann)[-1] == codes(over.tricks[-1].cards)


def test_a_card_can_be_played_while_a_trick_still_lies_over_the_table(ann, runtime, game_id):
    before = play_until(runtime, game_id, has_led)
    ann.locator(".moving").wait_for(state="attached")
    ann.locator("label:has(input[name=card])").first.click(position={"x": 8, "y": 30})
    assert ann.locator(".moving").count() == 1
    ann.locator(".act button").click()
    ann.locator("#follow[data-kind=waiting]").wait_for(state="attached")
    assert len(load(runtime, game_id).game.plays) > len(before.plays)


def test_a_touch_ends_what_moves(ann, runtime, game_id):
    play_until(runtime, game_id, lambda game: has_led(game) and len(game.tricks) == 3)
    ann.locator(".moving").wait_for(state="attached")
    ann.locator("#trick[data-trick='4']").wait_for()
    ann.locator(".moving").dispatch_event("pointerdown")
    seen = len(covers(ann))
    expect(ann.locator(".moving")).to_have_count(0)
    ann.wait_for_timeout(1500)
    assert len(covers(ann)) == seen


def test_a_practice_hand_shows_the_trick_that_the_last_choice_was_played_to(browser, address):
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.add_init_script(NOTE_MOTION)
    page.goto(f"{address}/practice")
    for label in page.locator("label:has(input[name=card])").all()[:3]:
        label.click(position={"x": 8, "y": 30})
    page.locator(".act button").click()
    page.locator("label:has(input[type=radio])").first.wait_for()
    page.locator("label:has(input[type=radio])").first.click(position={"x": 8, "y": 30})
    played = page.locator("input[name=card]:checked").get_attribute("value")
    page.locator(".act button").click()
    page.locator(".moving").wait_for(state="attached")
    assert played in covers(page)[0]
    context.close()
