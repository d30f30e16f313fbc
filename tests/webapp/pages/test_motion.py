"""Cards in motion: from their players to the trick, and from there to its winner, and in nobody's way."""

import re
from itertools import groupby

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text
from hearts.game import Stage
from hearts.robot import has_a_choice
from hearts.view import view
from tests.cast import seats, start_game
from tests.gallery import PHONE
from tests.servers import wait_until
from webapp.core.tokens import PlayLink
from webapp.pages import at_table
from webapp.presentation.tricks import trick_points

ANN = 0
PATIENCE = 60_000  # milliseconds
FASTER = 5  # times that everything moves, so that it is over sooner
CODE = re.compile(r"\b([2-9TJQKA][CDSH])\b")
IS_STILL = "matchMedia('(prefers-reduced-motion: reduce)').matches"
# Lets the page's time pass faster: the clock, what waits for it, and what moves.
HURRY = """
  const began = Date.now(), now = Date.now, later = setTimeout, moving = Element.prototype.animate;
  Date.now = () => began + (now() - began) * FASTER;
  window.setTimeout = (does, time = 0, ...more) => later(does, time / FASTER, ...more);
  Element.prototype.animate = function (frames, { duration, delay, ...how }) {
    return moving.call(this, frames, { ...how, duration: duration / FASTER, delay: delay / FASTER });
  };
""".replace("FASTER", str(FASTER))
# Notes the text of what lies over the table for a moment, what it hides, and how many elements are moved.
NOTE_MOTION = """
  window.covers = [];
  window.hidden = [];
  window.moved = 0;
  window.off = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) { moved += 1; return animate.apply(this, given); };
  const isHidden = (element) => {
    const { left, top, height } = element.getBoundingClientRect();
    return height > 0 && !element.contains(document.elementFromPoint(left + 8, top + height / 2));
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (!node.className?.includes("moving")) continue;
      covers.push(node.innerHTML.replace(/<[^>]*>/g, " "));
      hidden.push(...[...document.querySelectorAll("#trick > .ring .card, .mine :is(label, button)")].filter(isHidden));
      const box = (element) => element.getBoundingClientRect();
      const middle = (element) => box(element).left + box(element).width / 2;
      for (const moment of node.querySelectorAll(".moment")) off.push(Math.abs(middle(moment) - middle(node)));
      if (window.ends) document.querySelector(".mine").dispatchEvent(new Event(ends, { bubbles: true }));
    }
  }).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture
def table(runtime, monkeypatch):
    """A game in its first trick, whose pages look for news all the time."""
    monkeypatch.setattr(at_table, "POLL_MS", 100 * FASTER)
    made = start_game(runtime)
    while made.stored.game.stage is Stage.PASS:
        made.play_first()
    return made


@pytest.fixture
def ann(request, browser, runtime, address, table):
    """Ann's page, with the motion that the test names."""
    context = browser.new_context(viewport=PHONE, reduced_motion=getattr(request, "param", "no-preference"))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(HURRY)
    page.add_init_script(NOTE_MOTION)
    table_id = table.table_id
    link = PlayLink(table_id, ANN, seats(runtime, table_id)[ANN].player_id)
    page.goto(address + runtime.signer.local_url(link))
    yield page
    context.close()


def has_led(game):
    """Whether the second trick lies on the table, and Ann is to play."""
    return len(game.tricks) >= 1 and len(game.on_table) >= 1 and game.to_act == (ANN,)


def is_others_turn(game):
    """Whether a trick is finished, another lies on the table, and Ann waits for somebody else's choice of a card."""
    lies = len(game.tricks) >= 1 and len(game.on_table) >= 1
    return lies and game.to_act != (ANN,) and has_a_choice(view(game, game.to_act[0]))


def covers(page):
    """The cards of each trick that lay over the table: once to be finished, and once to be won, perhaps."""
    return [cards for cards, _ in groupby(CODE.findall(text) for text in page.evaluate("covers"))]


def waits_for_rest(page):
    """Waits until nothing lies over the table any more."""
    expect(page.locator(".moving")).to_have_count(0, timeout=PATIENCE)


def codes(cards):
    return [card_text(card) for card in cards]


@pytest.mark.parametrize("tricks", [3, 9])
@pytest.mark.parametrize("ann", ["no-preference", "reduce"], indirect=True)
def test_every_trick_not_yet_shown_precedes_the_present_one(ann, runtime, table, tricks):
    table.leap(lambda game: is_others_turn(game) and len(game.tricks) >= tricks)
    game = table.game
    shown = [codes(trick.cards) for trick in game.tricks]
    wait_until("every trick was shown", lambda: covers(ann)[-len(shown) :] == shown)
    assert f"Trick {len(game.tricks)} " in ann.evaluate("covers[covers.length - 1]"), "under its own number"
    waits_for_rest(ann)
    expect(ann.locator("#trick .ring .code")).to_have_text(codes(game.on_table))
    if ann.evaluate(IS_STILL):
        assert ann.evaluate("moved") == 0, "for who asked for that"


def test_cards_move_but_not_on_a_page_that_is_opened(ann, runtime, table):
    table.leap(has_led)
    wait_until("a trick is shown", lambda: covers(ann))
    waits_for_rest(ann)
    assert ann.evaluate("moved") >= 8  # four to the trick and away
    hidden = ann.evaluate("hidden.map((element) => element.closest('.mine') ? 'mine' : 'table')")
    assert set(hidden) == {"table"}, "what moves hides neither card nor button"
    ann.locator("#trick[data-trick='2']").wait_for()
    ann.reload()
    ann.locator("#trick").wait_for()
    ann.wait_for_timeout(500)
    assert (covers(ann), ann.evaluate("moved")) == ([], 0)


def test_a_tricks_points_stand_in_the_middle(ann, runtime, table):
    table.leap(lambda game: game.tricks and game.on_table and trick_points(game.rules, game.tricks[-1]))
    wait_until("points are shown", lambda: ann.evaluate("off.length"))
    assert max(ann.evaluate("off")) <= 1


@pytest.mark.parametrize("event", ["pointerdown", "keydown"])
def test_a_tap_or_a_key_ends_all_motion(ann, runtime, table, event):
    ann.evaluate(f"window.ends = '{event}'")
    table.leap(lambda game: has_led(game) and len(game.tricks) == 3)
    wait_until("a trick is shown", lambda: covers(ann))
    waits_for_rest(ann)
    ann.wait_for_timeout(500)
    assert len(covers(ann)) == 1


def test_nothing_lies_over_what_the_keyboard_is_at(ann, runtime, table):
    table.leap(is_others_turn)
    ann.locator("#follow[data-kind=waiting] ~ #trick a.strip").wait_for()
    waits_for_rest(ann)
    ann.evaluate("covers.length = 0; document.querySelector('a.strip').focus()")
    tricks = len(table.game.tricks)
    table.leap(lambda game: len(game.tricks) > tricks and is_others_turn(game))
    ann.locator(f"#follow[data-kind=waiting] ~ #trick:not([data-trick='{tricks + 1}'])").wait_for()
    ann.wait_for_timeout(500)
    assert covers(ann) == []
    assert ann.evaluate("document.activeElement.matches('a.strip')")


def test_a_practice_hand_shows_the_last_choices_trick(browser, address):
    context = browser.new_context(viewport=PHONE, reduced_motion="no-preference")
    page = context.new_page()
    page.add_init_script(HURRY)
    page.add_init_script(NOTE_MOTION)
    page.goto(f"{address}/practice")
    for label in page.locator("label:has(input[name=card])").all()[:3]:
        label.click(position={"x": 8, "y": 30})
    page.locator(".act button").click()
    played, seen = None, 4
    while seen == 4:  # the last to play has seen the whole trick
        page.locator("label:has(input[type=radio])").first.click(position={"x": 8, "y": 30})
        played = page.locator("input[name=card]:checked").get_attribute("value")
        with page.expect_navigation():
            page.locator(".act button").click()
        seen = int(page.locator("#past").get_attribute("data-laid"))
    wait_until("cards move", lambda: page.evaluate("moved"))
    on_table = page.locator("#trick > .ring .code").all_inner_texts()  # all of it, where its winner is to lead
    assert played in (covers(page) or [on_table])[0]
    context.close()
