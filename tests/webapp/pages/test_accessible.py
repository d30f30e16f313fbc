"""Pages that everybody can use: axe-core finds no fault, and every card says its name and its state."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

from tests.gallery import PHONE, page_html
from tests.samples.pages import pages
from webapp.site import ROOT

PAGES = pages()
# The template sets the colours.
ONE_OF_EACH = {template: name for name, (template, _) in reversed(PAGES.items())}.values()
HEADINGS = ("h1", "h2", "h3", "h4")
CHECK = "options => axe.run({resultTypes: ['violations'], preload: false, ...options})"
# The mailbox of a service that sends no mail stands for an inbox, which shows new mail by itself. It does
# so for twenty seconds at most, after its reader has sent an answer.
ALLOWED = {"mailbox-answer-waits": {"meta-refresh"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pages are written, beside the real style sheets."""
    made = tmp_path_factory.mktemp("accessible")
    (made / "static").symlink_to(ROOT / "webapp" / "static")
    return made


@pytest.fixture(scope="module")
def seen() -> set[str]:
    """The shapes of the pages that have been checked."""
    return set()


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport=PHONE)
    yield opened
    opened.close()


def show(phone: Page, folder: Path, html: str, scheme: str) -> None:
    (folder / "page.html").write_text(html.replace('"/static/', '"static/'))
    phone.emulate_media(color_scheme=scheme)
    phone.goto((folder / "page.html").as_uri())


def shapes(html: str) -> set[str]:
    """The outline of the page, without words: each tag with its attributes, classes, heading before it and parent."""
    found, heading = set(), ""
    for tag in BeautifulSoup(html, "lxml").find_all():
        parent = " ".join([tag.parent.name, *tag.parent.get("class", [])]) if tag.parent else ""
        values = [str(tag.get(name)) for name in ("class", "type", "role")]
        found.add(f"{parent} > {tag.name} {sorted(tag.attrs)} {values} after {heading if tag.name[0] == 'h' else ''}")
        heading = tag.name if tag.name in HEADINGS else heading
    return found


def paints(html: str) -> set[str]:
    """What the colours of a page hang on: each tag's classes within those of the tag around it."""
    tags = [tag for tag in BeautifulSoup(html, "lxml").find_all() if tag.parent]
    return {f"{tag.parent.get('class')} > {tag.name} {tag.get('class')}" for tag in tags}


def complaints(phone: Page, **options: Any) -> dict[str, list[str]]:
    """The findings of axe-core: by rule, where and why."""
    if not phone.evaluate("'axe' in window"):
        phone.evaluate(AXE_SCRIPT)
    found = phone.evaluate(CHECK, options)["violations"]
    return {fault["id"]: [f"{node['html']}: {node['failureSummary']}" for node in fault["nodes"]] for fault in found}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_breaks_no_rule_fits_a_phone_and_is_readable_in_the_dark(phone, folder, seen, name):
    html = page_html(PAGES[name])
    show(phone, folder, html, "light")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if name in ONE_OF_EACH or shapes(html) - seen:  # a page with nothing new breaks no rule that others keep
        has_new_colours = name in ONE_OF_EACH or bool(paints(html) - seen)  # contrast takes most of the time
        seen |= shapes(html) | paints(html)
        found = complaints(phone, rules={"color-contrast": {"enabled": has_new_colours}})
        assert {rule: where for rule, where in found.items() if rule not in ALLOWED.get(name, set())} == {}
    if name in ONE_OF_EACH:
        phone.emulate_media(color_scheme="dark")
        assert complaints(phone, runOnly=["color-contrast"]) == {}


def test_a_page_with_another_attribute_heading_or_parent_counts_as_new():
    page = "<main><h1>x</h1><h2>y</h2><p class='note'>z</p></main>"
    for other in (page.replace("note", "quiet"), page.replace("h2", "h3"), page.replace("<p", "<p id='a'")):
        assert shapes(other) - shapes(page)
    assert shapes(page.replace("y", "another word")) == shapes(page)


def test_the_checker_finds_an_unusable_page(phone, folder):
    link = '<link rel="stylesheet" href="/static/style.css">'
    bad = f'<html lang="en"><title>x</title>{link}<main><h1>x</h1><input><p class="quiet">Who reads this?</p></main>'
    style = "<style>@media (prefers-color-scheme: dark) { .quiet { color: #444; } }</style>"
    show(phone, folder, bad + style, "light")
    assert complaints(phone).keys() == {"label"}
    phone.emulate_media(color_scheme="dark")
    assert complaints(phone, runOnly=["color-contrast"]).keys() == {"color-contrast"}


def test_every_card_says_its_name_and_why_it_is_illegal(phone, folder):
    """As a screen reader hears it: a control for each legal card, and a reason for each other."""
    template, context = PAGES["turn-leading"]
    show(phone, folder, page_html((template, context)), "light")
    heard = phone.locator("form").aria_snapshot()
    held = [card for row in context["sheet"].suits for card in row.cards]
    for card in held:
        assert (f'radio "{card.spoken}"' in heard) is card.legal
        assert card.spoken in heard
    barred = [card for card in held if not card.legal]
    assert barred
    assert all(card.spoken.endswith("may not be played: hearts are not broken yet") for card in barred)


def test_a_card_in_the_trick_says_who_played_it_and_what_it_does(phone, folder):
    template, context = PAGES["turn-following"]
    show(phone, folder, page_html((template, context)), "light")
    heard = " ".join(phone.locator(".felt .trick").first.inner_text().split())
    for laid in context["sheet"].trick.laid:
        assert f"{laid.face.name} {laid.name} {laid.note}".strip() in heard
