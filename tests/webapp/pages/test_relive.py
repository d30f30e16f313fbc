"""The page of a finished hand in a browser: stepped through by keys, by a thumb, and without scripts."""

import re

import pytest

from tests.browser import wait_for_paint
from tests.cast import make_runtime, play_hand, start_game
from tests.servers import site_server
from webapp.core.tokens import ReliveLink

PHONE = {"width": 360, "height": 740}
LEAST_TAP = 44  # pixels each way, so that a thumb hits it


@pytest.fixture(scope="module")
def relived(tmp_path_factory):
    """The address of a finished hand."""
    runtime = make_runtime(tmp_path_factory.mktemp("relived"))
    game_id = start_game(runtime)
    play_hand(runtime, game_id)
    with site_server(runtime) as address:
        yield address + runtime.signer.local_url(ReliveLink(game_id, 1))
    runtime.database.engine.dispose()


def step_shown(page):
    return int(re.search(r"step (\d+) of", page.locator("#step").inner_text())[1])


def test_the_arrow_keys_step_through_a_finished_hand(browser, relived):
    page = browser.new_page(viewport=PHONE)
    page.goto(relived)
    wait_for_paint(page)
    for key, step in (("ArrowLeft", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        page.wait_for_function(f"document.querySelector('#step').innerText.includes('step {step} of')")
    page.close()


def test_a_finished_hand_is_stepped_through_by_keyboard_without_scripts(browser, relived):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{relived}?step=20#film")
    wait_for_paint(page)
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Back", "the ways on are the first thing after the trick"
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert step_shown(page) == 21
    context.close()


def test_the_links_through_a_hand_are_always_in_reach_of_a_thumb(browser, relived):
    page = browser.new_page(viewport=PHONE)
    for step in (1, 2, 30, 54, 55):
        page.goto(f"{relived}?step={step}#film")
        assert step_shown(page) == step
        boxes = [way.bounding_box() for way in page.locator(".ways a").all()]
        assert boxes
        assert all(box["height"] >= LEAST_TAP and box["y"] + box["height"] <= PHONE["height"] for box in boxes)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.close()
