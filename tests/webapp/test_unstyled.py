"""Unstyled mails and pages: words stand apart, and the next thing to do comes first."""

from lxml.html import HtmlElement

from tests.every import of_every
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.webapp.rendered import mail_tree, page_tree

INLINE = {"a", "abbr", "b", "bdi", "code", "em", "i", "label", "small", "span", "strong", "sub", "sup", "time"}
UNSEEN = {"script", "style", "head", "title", "svg"}
SUITS = "♣♦♠♥"


def glued(tree: HtmlElement) -> list[str]:
    """The places at which the texts of two elements touch, so that words run together."""
    found: list[str] = []
    before = " "

    def read(text: str) -> None:
        nonlocal before
        if not text:
            return
        if (before[-1].isalnum() or before[-1] in SUITS) and text[0].isalnum():
            found.append(f"{before[-20:]}|{text[:20]}")
        before = (before + text)[-40:]

    def walk(element: HtmlElement) -> None:
        nonlocal before
        if not isinstance(element.tag, str):
            read(element.tail or "")
            return
        tag = element.tag
        if tag in UNSEEN:
            pass
        else:
            if tag not in INLINE:
                before += " "
            read(element.text or "")
            for inner in element:
                walk(inner)
            if tag not in INLINE:
                before += " "
        read(element.tail or "")

    walk(tree)
    return found


@of_every(mails())
def test_no_words_of_a_mail_run_together(name):
    assert glued(mail_tree(name)) == []


@of_every(mails())
def test_each_place_of_a_mailed_trick_is_a_cell(name):
    """Outlook for Windows lays out tables, but neither boxes nor lines of their own within a line."""
    places = mail_tree(name).xpath("//*[contains(concat(' ', @class, ' '), ' place ')]")
    assert {place.tag for place in places} <= {"td"}


@of_every(pages())
def test_no_words_of_a_page_run_together(name):
    assert glued(page_tree(name)) == []


def controls(form: HtmlElement) -> list[HtmlElement]:
    """Returns the controls that a form sends in every case: a hidden field, a field to fill in, or its named button."""
    return form.xpath(
        ".//button[@name] | .//select[@name] | .//textarea[@name] | .//input[@name and @type!='checkbox']"
    )


@of_every(pages())
def test_every_form_sends_something(name):
    """Lynx sends a form without any control by GET."""
    forms = page_tree(name).xpath("//form[@method='post']")
    assert [form.get("action") for form in forms if not controls(form)] == []


@of_every([name for name in pages() if name.startswith(("turn-", "pass-", "play-"))])
def test_what_is_to_do_stands_before_past_tricks(name):
    """Text browsers show what lies in templates."""
    order = [one.tag for one in page_tree(name).xpath("//main//*[self::h1 or self::form or self::template]")]
    assert "template" not in order or order.index("template") > order.index("h1")
    assert "form" not in order or "template" not in order or order.index("template") > order.index("form")
