"""An invitation on small screens: its button is in the first one, whatever the host has written."""

from dataclasses import replace

import pytest

from tests.gallery import page_html
from tests.samples.cast import CROWD
from tests.samples.games import ELEVEN
from tests.samples.pages import pages
from tests.samples.tables import summary
from tests.syntax import ROOT
from webapp.forms.fields import LONGEST_WORDS

SCREENS = [(360, 640), (320, 568)]
LONG = ("Come and play with us, as we did at the lake. " * 9)[:LONGEST_WORDS]
SAMPLES = ("invitation", "invitation-without-words", "invitation-offer", "invitation-live", "invitation-stand-in")
# Whether an element is whole on the first screen, and whether the page is as wide as the screen.
FITS = """button => {
  const { left, top, right, bottom } = button.getBoundingClientRect();
  const isWhole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return isWhole && document.documentElement.scrollWidth <= innerWidth;
}"""


def with_long_words():
    template, context = pages()["invitation"]
    table = replace(summary(ELEVEN, CROWD), words=LONG)
    return template, {**context, "table": table, "company": table.company_of(1)}


@pytest.fixture
def shown(browser, tmp_path):
    """Opens a sample as a page."""
    (tmp_path / "static").symlink_to(ROOT / "webapp" / "static")
    opened = browser.new_page()

    def show(sample, width, height):
        (tmp_path / "page.html").write_text(page_html(sample).replace('"/static/', '"static/'))
        opened.set_viewport_size({"width": width, "height": height})
        opened.goto((tmp_path / "page.html").as_uri())
        return opened

    yield show
    opened.close()


@pytest.mark.parametrize(("width", "height"), SCREENS, ids=str)
def test_the_button_to_play_is_in_the_first_screen(shown, width, height):
    samples = {name: pages()[name] for name in SAMPLES} | {"long words": with_long_words()}
    fits = {
        name: shown(sample, width, height).get_by_role("button", name="I'll play").evaluate(FITS)
        for name, sample in samples.items()
    }
    assert fits == dict.fromkeys(samples, True)


def test_name_and_rules_are_folded_unless_the_name_is_invalid(shown):
    page = shown(pages()["invitation"], *SCREENS[0])
    assert not page.get_by_label("Your name at the table").is_visible()
    assert not page.get_by_text("To play a card").is_visible()
    assert shown(pages()["invitation-name"], *SCREENS[0]).get_by_label("Your name at the table").is_visible()
