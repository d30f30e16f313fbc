"""Every sample of a page and of a mail, rendered once."""

from functools import cache

import css_inline
from lxml.html import HtmlElement, document_fromstring

from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.rendering import environment

PAGES, MAILS = pages(), mails()


@cache
def page(name: str) -> str:
    template, context = PAGES[name]
    return environment(trim=False).get_template(f"pages/{template}.html").render(context)


@cache
def mail(name: str, part: str) -> str:
    kind, context = MAILS[name]
    rendered = environment().get_template(f"mail/{kind}/{part}").render(context)
    if part == "body.html":
        return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True).inline(rendered)
    return rendered


@cache
def page_tree(name: str) -> HtmlElement:
    """A page, parsed in a tenth of the time of BeautifulSoup."""
    return document_fromstring(page(name))


@cache
def mail_tree(name: str) -> HtmlElement:
    """The HTML part of an email."""
    return document_fromstring(mail(name, "body.html"))
