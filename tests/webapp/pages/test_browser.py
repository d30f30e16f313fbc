"""Every email in a real browser, as wide as a phone (for pages: `test_accessible`); a turn played without scripts."""

from hearts.cards import card_text
from hearts.game import legal
from tests.cast import start_game
from tests.gallery import write_mails
from webapp.models import TurnSource

PHONE = {"width": 360, "height": 740}
WIDE = "<!doctype html><body style='margin: 0'><p style='width: 361px'>wide"
# Shows each mail in a frame as large as the page, once its pictures are there. Returns how wide each is.
WIDTHS = """async (mails) => {
  const widths = [];
  for (const [name, html] of mails) {
    const frame = document.createElement("iframe");
    frame.style = "border: none; position: absolute; inset: 0; width: 100%; height: 100%";
    frame.srcdoc = html;
    await new Promise((done) => { frame.onload = done; document.body.replaceChildren(frame); });
    widths.push([name, frame.contentDocument.documentElement.scrollWidth]);
  }
  return widths;
}"""
LEAST_TAP = 44  # pixels each way, so that a thumb hits it


def test_no_mail_is_wider_than_a_phone(browser, tmp_path):
    mails = [(name, (tmp_path / f"{name}.html").read_text()) for name in write_mails(tmp_path)]
    page = browser.new_page(viewport=PHONE)
    widths = dict(page.evaluate(WIDTHS, [("too wide", WIDE), *mails]))
    assert widths == {"too wide": 361, **{name: PHONE["width"] for name, _ in mails}}
    page.close()


def test_the_bar_has_one_line_on_phones_with_a_mailbox(browser, address):
    page = browser.new_page(viewport=PHONE)
    page.goto(address)
    page.evaluate("document.querySelector('.bar nav a:last-child').textContent = 'My games'")  # as once signed in
    assert page.locator(".bar nav a").all_inner_texts() == ["Mailbox", "Lobby", "My games"]
    heights = [page.locator(part).bounding_box()["height"] for part in (".bar nav", ".bar nav a:last-child", ".bar")]
    assert heights[0] == heights[1]
    assert heights[2] < 2 * heights[0]
    page.close()


def test_passing_and_playing_work_on_a_phone_without_scripts(browser, runtime, address):
    table = start_game(runtime)
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, java_script_enabled=False)
    page = phone.new_page()
    for seat in range(4):
        page.goto(address + runtime.signer.local_url(table.turn_link(seat)))
        for card in page.locator("label:has(input[name=card])").all()[:3]:
            card.tap()
        with page.expect_navigation():
            page.get_by_role("button", name="Pass").tap()
    assert [record.source for record in table.records].count(TurnSource.PAGE) == 4
    (seat,) = table.game.to_act
    card = card_text(min(legal(table.game, seat)))
    page.goto(f"{address}{runtime.signer.local_url(table.turn_link(seat))}?card={card}")
    with page.expect_navigation():
        page.get_by_role("button", name="Play").tap()
    last = next(record for record in reversed(table.records) if record.source is not TurnSource.FORCED)
    assert (card_text(last.turn.card), last.source) == (card, TurnSource.LINK)
    phone.close()


def test_every_card_to_tap_is_large_enough_for_thumbs(browser, runtime, address):
    table = start_game(runtime)
    page = browser.new_page(viewport=PHONE)
    page.goto(address + runtime.signer.local_url(table.turn_link(0)))
    boxes = [card.bounding_box() for card in page.locator("label:has(input[name=card])").all()]
    assert len(boxes) == 13
    assert min(box["height"] for box in boxes) >= LEAST_TAP
    assert min(box["width"] for box in boxes) >= LEAST_TAP
    page.close()
