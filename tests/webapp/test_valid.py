"""Mails and pages are valid HTML, in the kinds of errors that a checker has found in them."""

from lxml.html import HtmlElement

from tests.every import of_every
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.webapp.rendered import mail_tree, page_tree

TYPED = {"text", "email", "password", "search", "tel", "url"}
HEADINGS = "//*[self::h1 or self::h2 or self::h3 or self::h4][not(ancestor::template)]"


def faults(tree: HtmlElement) -> list[str]:
    """Finds breaches of the standard: a label on an element without a role, an empty action, a length of what has
    none, a level of headings that is left out.
    """
    found = [
        f"label on {one.tag}" for one in tree.xpath("//*[self::span or self::div or self::p][@aria-label][not(@role)]")
    ]
    found += ["empty action" for one in tree.xpath("//form[@action]") if not one.get("action").strip()]
    lengths = (one.get("type", "text") for one in tree.xpath("//input[@maxlength]"))
    found += [f"length of a {kind}" for kind in lengths if kind not in TYPED]
    before = 0
    for heading in tree.xpath(HEADINGS):
        level = int(heading.tag[1])
        found += [f"{heading.text_content().strip()} skips a level"] if level > before + 1 else []
        before = level
    return found


@of_every(mails())
def test_a_mail_is_valid(name):
    assert faults(mail_tree(name)) == []


@of_every(pages())
def test_a_page_is_valid(name):
    assert faults(page_tree(name)) == []
