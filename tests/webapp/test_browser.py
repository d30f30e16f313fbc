"""Every page and mail in a real browser, as wide as a phone; and a turn played there without scripts."""

import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from hearts.cards import card_text
from hearts.game import legal
from tests.cast import load, start_game, turn_link
from tests.gallery import write_mails, write_pages
from webapp.models import Way
from webapp.parts import Parts
from webapp.site import ROOT, make_site

PHONE = {"width": 360, "height": 740}
LEAST_TAP = 44  # pixels each way, so that a thumb hits it


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def address(parts: Parts) -> Iterator[str]:
    """Where the site of `parts` is served."""
    server = make_server("127.0.0.1", 0, make_site(parts), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("write", [write_pages, write_mails], ids=["pages", "mails"])
def test_nothing_is_wider_than_a_phone(browser, tmp_path, write):
    (tmp_path / "static").symlink_to(ROOT / "webapp" / "static")
    page = browser.new_page(viewport=PHONE)
    wide = []
    for name in write(tmp_path):
        page.goto((tmp_path / f"{name}.html").as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
            wide.append(name)
    page.close()
    assert wide == []


def test_a_pass_and_a_card_are_played_on_a_phone_without_scripts(browser, parts, address):
    game_id = start_game(parts)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, java_script_enabled=False)
    page = phone.new_page()
    for seat in range(4):
        page.goto(address + parts.signer.local_url(turn_link(parts, game_id, seat)))
        for card in page.locator("label:has(input[name=card])").all()[:3]:
            card.tap()
        with page.expect_navigation():
            page.get_by_role("button", name="Pass").tap()
    assert [record.way for record in load(parts, game_id).records].count(Way.PAGE) == 4
    (seat,) = load(parts, game_id).game.to_act
    card = card_text(min(legal(load(parts, game_id).game, seat)))
    page.goto(f"{address}{parts.signer.local_url(turn_link(parts, game_id, seat))}?card={card}")
    with page.expect_navigation():
        page.get_by_role("button", name="Play").tap()
    last = next(record for record in reversed(load(parts, game_id).records) if record.way is not Way.FORCED)
    assert (card_text(last.turn.card), last.way) == (card, Way.LINK)
    phone.close()


def test_every_card_that_can_be_tapped_is_large_enough_for_a_thumb(browser, parts, address):
    game_id = start_game(parts)
    page = browser.new_page(viewport=PHONE)
    page.goto(address + parts.signer.local_url(turn_link(parts, game_id, 0)))
    boxes = [card.bounding_box() for card in page.locator("label:has(input[name=card])").all()]
    assert len(boxes) == 13
    assert min(box["height"] for box in boxes) >= LEAST_TAP
    assert min(box["width"] for box in boxes) >= LEAST_TAP
    page.close()
