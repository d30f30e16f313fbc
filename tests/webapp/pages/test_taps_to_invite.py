"""How many taps a host needs, in a real browser: from the first page to invitations that are on their way."""

import re

import pytest

from tests.cast import table_row
from webapp.core.tokens import ConfirmLink
from webapp.models import TableState

MOST_TAPS = 10
PHONE = {"width": 360, "height": 640}
SCREENS = [(320, 568), (360, 640), (1280, 800)]


class Thumb:
    """Taps what can be seen on a page, and counts it. A tap in a field is one; typing there costs none."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, shown):
        self.taps += 1
        shown.tap()

    def type(self, label, text):
        self.tap(self.page.get_by_label(label, exact=True).first)
        self.page.keyboard.type(text)

    def press(self, name):
        with self.page.expect_navigation():
            self.tap(self.page.get_by_role("button", name=name))


@pytest.mark.parametrize(("width", "height"), SCREENS, ids=str)
def test_opening_a_table_is_in_sight_on_every_screen(browser, address, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(address)
    box = page.get_by_role("link", name="Open a table").first.bounding_box()
    assert box["y"] + box["height"] <= height
    page.close()


def test_a_host_has_a_link_to_send_within_ten_taps(browser, runtime, address):
    phone = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, java_script_enabled=False)
    page = phone.new_page()
    thumb = Thumb(page)
    page.goto(address)
    with page.expect_navigation():
        thumb.tap(page.get_by_role("link", name="Open a table").first)
    thumb.type("Your name", "Ann")
    thumb.type("Your email address", "ann@example.org")
    thumb.tap(page.locator("label:has([name=by][value=link])"))
    thumb.press("Open the table")
    thumb.taps += 2  # the email, and the link in it
    page.goto(address + runtime.signer.local_url(ConfirmLink(1)))
    thumb.press(re.compile("^(Confirm|Invite)"))
    link = page.locator("#link")
    assert link.input_value().startswith("http")
    thumb.tap(link)
    assert table_row(runtime, 1).state is TableState.INVITING
    assert thumb.taps <= MOST_TAPS
    phone.close()
