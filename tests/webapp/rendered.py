"""Every sample of a page and of a mail, rendered once."""

from functools import cache

from lxml.html import HtmlElement, document_fromstring

from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.rendering import environment
from webapp.models import LetterKind
from worker.mail import html_of, subject_of, text_of

PAGES, MAILS = pages(), mails()
PARTS = {"subject.txt": subject_of, "body.txt": text_of, "body.html": html_of}


@cache
def page(name: str) -> str:
    template, context = PAGES[name]
    return environment(trim=False).get_template(f"pages/{template}.html").render(context)


@cache
def mail(name: str, part: str) -> str:
    kind, context = MAILS[name]
    return PARTS[part](LetterKind(kind), context)


@cache
def page_tree(name: str) -> HtmlElement:
    """A page, parsed in a tenth of the time of BeautifulSoup."""
    return document_fromstring(page(name))


@cache
def mail_tree(name: str) -> HtmlElement:
    """The HTML part of an email."""
    return document_fromstring(mail(name, "body.html"))
