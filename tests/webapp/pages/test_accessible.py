"""Pages are accessible to everybody: axe-core finds no fault, and every card says its name and its state."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup
from lxml.html import document_fromstring
from playwright.sync_api import Browser, Page

from tests.gallery import PHONE, page_html
from tests.samples.pages import pages
from tests.syntax import ROOT

PAGES = pages()
HEADINGS = ("h1", "h2", "h3", "h4")
CHECK = "options => axe.run({resultTypes: ['violations'], preload: false, selectors: false, ...options})"
CONTRAST = ["color-contrast"]
# Marks the visible texts that no page had in this place so far: in this tag, within tags of these classes. Only that
# and a control's state decide on a text's colours.
MARK_NEW = """() => {
  window.places ??= new Set();
  const place = (tag) => (tag ? [...place(tag.parentElement), tag.getAttribute("class") ?? []].flat() : []);
  const isNew = (tag) => {
    const hasText = [...tag.childNodes].some(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim());
    if (!(hasText || tag.matches("input, select, textarea")) || !tag.checkVisibility()) return false;
    const before = window.places.size;
    return window.places.add(`${place(tag)} > ${tag.localName} ${tag.matches(":disabled")}`).size > before;
  };
  const found = [...document.body.querySelectorAll("*")].filter(isNew);
  found.forEach((tag) => tag.setAttribute("data-new", ""));
  return found.length;
}"""
CHECK_NEW = CHECK.replace("axe.run(", "axe.run({include: [['[data-new]']]}, ")
# Another page in the same window, since to open one and to load axe-core there takes longer than most checks. The style
# sheets stay, unless the page has others.
SHOW = """async (html) => {
  const isSheet = (tag) => tag.matches("link[rel=stylesheet]");
  const sheets = ({ children }) => [...children].filter(isSheet);
  const others = ({ children }) => [...children].filter((tag) => !isSheet(tag));
  const places = (head) => sheets(head).map(({ href }) => href).join();
  const { attributes } = new DOMParser().parseFromString(html, "text/html").documentElement;
  const { documentElement: root } = document;
  const next = Object.assign(document.createElement("html"), { innerHTML: html });
  const [head, body] = next.children;
  root.getAttributeNames().forEach((name) => root.removeAttribute(name));
  [...attributes].forEach(({ name, value }) => root.setAttribute(name, value));
  if (places(head) === places(document.head)) {
    others(document.head).forEach((tag) => tag.remove());
    document.head.append(...others(head));
  } else {
    document.head.replaceWith(head);
  }
  document.body.replaceWith(body);
  await Promise.all(sheets(document.head).map((link) =>
    link.sheet || new Promise((done, fail) => Object.assign(link, { onload: done, onerror: fail }))));
  scrollTo(0, 0);
  return root.scrollWidth;
}"""
# Text as large as readers choose, in percent, on small screens: widths in pixels.
LARGE = [(360, 130), (360, 150), (320, 130), (320, 200)]
ENLARGED = (
    *("turn-following", "turn-talk", "turn-five", "turn-seven", "turn-eleven", "turn-may-let-a-robot", "pass-first"),
    *("play-waiting", "hand-end-early", "practice-pass", "relive-card", "relive-eleven", "table-over-eleven", "home"),
    *("games", "open-table-errors", "host", "confirm-link", "preferences-counting", "preferences-devices", "book"),
    "table-guests",
)
# Whether a page with such a text scrolls sideways; what of it is cut off, and which two texts overlap. What scrolls by
# itself, fields, speech bubbles (they are a way to the talk) and what only a screen reader has do not count.
CROWDED = """(size) => {
  document.documentElement.style.fontSize = `${size}%`;
  const isSpoken = (tag) => tag.closest(".spoken, .reasons:not(:target), .bubble, input, svg, .skip");
  const shown = [...document.body.querySelectorAll("*")].filter((tag) => tag.checkVisibility() && !isSpoken(tag));
  const name = (tag) => `${tag.className || tag.localName} ${tag.textContent.trim().slice(0, 24)}`;
  const isCut = (tag) => !tag.matches(".ring") && ["hidden", "clip"].includes(getComputedStyle(tag).overflowX)
    && (tag.scrollWidth > tag.clientWidth + 1 || tag.scrollHeight > tag.clientHeight + 2);
  const faults = shown.filter(isCut).map((tag) => `${name(tag)} is cut off`);
  const range = document.createRange();
  const boxes = shown.flatMap((tag) => [...tag.childNodes]
    .filter(({ nodeType, data }) => nodeType === Node.TEXT_NODE && data.trim() && !tag.closest(".card, .mini, .avatar"))
    .flatMap((text) => {
      range.selectNodeContents(text);
      return [...range.getClientRects()].map((box) => ({ text, box }));
    }));
  const cards = shown.filter((tag) => tag.matches(".card"))
    .map((tag) => ({ text: tag, box: tag.getBoundingClientRect() }));
  const within = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  boxes.forEach(({ text, box }, number) => {
    const others = [...boxes.slice(number + 1, number + 40), ...cards].filter((one) => one.text !== text);
    const over = others.find((one) => within(box, one.box));
    if (over) faults.push(`${text.data.trim()} overlaps ${over.text.textContent.trim().slice(0, 24)}`);
  });
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push(`it is ${scrollWidth} pixels wide`);
  document.documentElement.style.fontSize = "";
  return faults;
}"""
# The mailbox of a service that sends no mail stands for an inbox, which shows new mail by itself. It does
# so for twenty seconds at most, after its reader has sent an answer.
REFRESH = '<meta http-equiv="refresh" content="1">'
REFRESHED = ":not(noscript) > meta[http-equiv]"
REFRESHING = {"mailbox-answer-waits"}


@cache
def html_of(name: str) -> str:
    return page_html(PAGES[name])


@pytest.fixture(scope="module")
def phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """An empty page beside the real style sheets, with axe-core."""
    folder = tmp_path_factory.mktemp("accessible")
    (folder / "static").symlink_to(ROOT / "webapp" / "static")
    (folder / "page.html").write_text("<!DOCTYPE html><title>x</title>")
    opened = browser.new_page(viewport=PHONE, color_scheme="light")
    opened.goto((folder / "page.html").as_uri())
    opened.evaluate(AXE_SCRIPT)
    yield opened
    opened.close()


def show(phone: Page, html: str) -> int:
    """The width of the page, in pixels."""
    width: int = phone.evaluate(SHOW, html.replace(REFRESH, "").replace('"/static/', '"static/'))
    return width


def contrasts(phone: Page, check: str = CHECK) -> dict[str, dict[str, list[str]]]:
    """The findings about the colours of the shown page, by scheme. Afterwards it is light again."""
    found = {}
    for scheme in ("dark", "light"):
        phone.emulate_media(color_scheme=scheme)
        found[scheme] = complaints(phone, check, runOnly=CONTRAST)
    return found


def complaints(phone: Page, check: str = CHECK, **options: Any) -> dict[str, list[str]]:
    """The findings of axe-core: by rule, where and why."""
    found = phone.evaluate(check, options)["violations"]
    return {fault["id"]: [f"{node['html']}: {node['failureSummary']}" for node in fault["nodes"]] for fault in found}


def shapes(html: str) -> set[str]:
    """The outline of the page, without words and looks: each tag with its attributes, heading before it and parent."""
    found, heading = set(), ""
    for tag in document_fromstring(html).iter("*"):
        around = tag.getparent()
        parent = around.tag if around is not None else ""
        values = [str(tag.get(name)) for name in ("type", "role")]
        found.add(f"{parent} > {tag.tag} {sorted(tag.keys())} {values} after {heading if tag.tag[0] == 'h' else ''}")
        heading = tag.tag if tag.tag in HEADINGS else heading
    return found


def few_with_all(features: dict[str, set[str]]) -> list[str]:
    """Pages that together have every feature of any page."""
    lacking, chosen = set().union(*features.values()), []
    while lacking:
        chosen.append(max(features, key=lambda name: len(features[name] & lacking)))
        lacking -= features[chosen[-1]]
    return chosen


@dataclass
class Looked:
    """The findings on each page: axe-core's complaints are by check and page."""

    widths: dict[str, int] = field(default_factory=dict)
    complaints: dict[str, dict[str, Any]] = field(default_factory=lambda: {"rules": {}, "light": {}, "dark": {}})


@pytest.fixture(scope="module")
def looked(phone: Page) -> Looked:
    """Every page is shown once, the most varied first. One with nothing new breaks no rule that others keep.

    A text in a place that an earlier page had has the same colours.
    """
    found = Looked()
    ruled = few_with_all({name: shapes(html_of(name)) | {template} for name, (template, _) in PAGES.items()})
    for name in (*ruled, *(name for name in PAGES if name not in ruled)):
        found.widths[name] = show(phone, html_of(name))
        if name in ruled:
            found.complaints["rules"][name] = complaints(phone, rules={rule: {"enabled": False} for rule in CONTRAST})
        if phone.evaluate(MARK_NEW):
            for scheme, faults in contrasts(phone, CHECK_NEW).items():
                found.complaints[scheme][name] = faults
    return found


def test_no_page_is_wider_than_a_phone(looked):
    assert looked.widths.keys() == PAGES.keys()
    assert {name: width for name, width in looked.widths.items() if width > PHONE["width"]} == {}


@pytest.mark.parametrize("check", ["rules", "light", "dark"])
def test_every_page_is_accessible_and_readable_in_both_themes(looked, check):
    assert looked.complaints[check]
    assert {name: found for name, found in looked.complaints[check].items() if found} == {}


def test_large_text_neither_scrolls_nor_overlaps_nor_is_cut(phone):
    faults = {}
    for name in ENLARGED:
        show(phone, html_of(name))
        for width, size in LARGE:
            phone.set_viewport_size({"width": width, "height": 640})
            faults[name, width, size] = phone.evaluate(CROWDED, size)
    phone.set_viewport_size(PHONE)
    assert {where: found for where, found in faults.items() if found} == {}


def test_felt_is_readable_at_its_darkest_too(phone):
    """The inner shadow makes the edge of the felt darker than the colour that the other tests measure."""
    edge = "<style>.felt { background: color-mix(in srgb, var(--felt), #000 66%) !important; }</style>"
    for name in ("turn-following", "pass-classic", "practice-over", "home"):
        show(phone, html_of(name) + edge)
        assert contrasts(phone) == {"dark": {}, "light": {}}


def test_only_the_page_of_a_waiting_answer_reloads_itself():
    again = [name for name in PAGES if "http-equiv" in html_of(name)]
    assert {name for name in again if BeautifulSoup(html_of(name), "lxml").select(REFRESHED)} == REFRESHING


def test_a_page_with_another_attribute_heading_or_parent_is_new():
    page = "<main><h1>x</h1><h2>y</h2><p class='note'>z</p></main>"
    for other in (page.replace("class", "title"), page.replace("h2", "h3"), page.replace("<p", "<p id='a'")):
        assert shapes(other) - shapes(page)
    assert shapes(page.replace("y", "another word")) == shapes(page)


def test_the_checker_finds_an_unusable_page(phone):
    link = '<link rel="stylesheet" href="/static/style.css">'
    bad = f'<html lang="en"><title>x</title>{link}<main><h1>x</h1><input><p class="quiet">Who reads this?</p></main>'
    style = "<style>@media (prefers-color-scheme: dark) { .quiet { color: #444; } }</style>"
    show(phone, bad + style)
    assert complaints(phone).keys() == {"label"}
    assert {scheme: [*faults] for scheme, faults in contrasts(phone).items()} == {
        "dark": ["color-contrast"],
        "light": [],
    }


def test_every_card_says_its_name_and_why_it_is_illegal(phone):
    """A screen reader hears a control for each legal card, and a reason for each other."""
    template, context = PAGES["turn-leading"]
    show(phone, page_html((template, context)))
    heard = phone.locator("main form").aria_snapshot()
    held = [card for row in context["sheet"].suits for card in row.cards]
    for card in held:
        assert (f'radio "{card.spoken}"' in heard) is card.legal
        assert card.spoken in heard
    barred = [card for card in held if not card.legal]
    assert barred
    assert all(card.spoken.endswith(". Not now: Hearts are not broken yet.") for card in barred)


def test_a_card_in_the_trick_names_its_player_and_effect(phone):
    template, context = PAGES["turn-following"]
    show(phone, page_html((template, context)))
    heard = " ".join(phone.locator(".felt .trick").first.inner_text().split())
    for laid in context["sheet"].trick.laid:
        assert f"{laid.face.name} {laid.name} {laid.note}".strip() in heard
