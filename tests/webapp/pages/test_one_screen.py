"""On one screen: trick, hand, button and clock fit six small ones, on every turn of a hand of every preset.

Above each is a line that says what happened, without which there is more room.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page

from hearts.game import Game, Stage
from hearts.rules import PRESETS, Rules, preset_rules
from hearts.seats import Seat
from tests.gallery import page_html
from tests.samples.cast import CROWD
from tests.samples.games import games
from tests.samples.pages import pages
from tests.samples.pages.play import TABS
from tests.samples.sheets import sheet_of
from tests.syntax import ROOT
from webapp.presentation.happened import Happened

STATIC = ROOT / "webapp" / "static"
SCREEN = re.compile(r"<main[^>]*>(.*)<div class=\"beside\">", re.DOTALL)
READER = Seat(0)
# Every preset, and every number of players.
TABLES = [(name, line.players[0]) for name, line in PRESETS.items()]
TABLES += [("classic", players) for players in (4, 5, 6, 7)] + [("cancellation", players) for players in range(7, 12)]
BESIDE = ("classic", 4)
# Browser bars are off already; the last has room to spare.
SCREENS = [(360, 640), (390, 664), (375, 667), (320, 568), (740, 360), (360, 740)]
OF_ITS_OWN = 24  # pixels of a card, WCAG 2.5.8
TINY = 44  # pixels: a narrower card of a trick of up to five is hard to read
NOTICE = "It was the only card that you could play. We played 10♦ for you."
SAMPLES = pages()
SAID = SAMPLES["turn-talk"][1]["talk"]
# Each player says something.
TALK = replace(SAID, bubbles=(max(filter(None, SAID.bubbles), key=lambda one: len(one.text)),) * 4)
# Shows each first screen in turn, and says what is wrong with it. A pixel may be lost to rounding.
FAULTS = """() => {
  const box = (element) => element.getBoundingClientRect();
  const shown = (element, end) => {
    const { left, top, right, bottom } = box(element);
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= end + 1;
  };
  const inked = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const text = box(range);
    const cutsOff = (one) => getComputedStyle(one).overflowX !== "visible";
    const cuts = [element, element.parentElement].filter(cutsOff).map(box);
    const left = Math.max(text.left, ...cuts.map((cut) => cut.left));
    const right = Math.min(text.right, ...cuts.map((cut) => cut.right));
    return { left, right, top: text.top, bottom: text.bottom };
  };
  const within = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const faultsOf = (html) => {
    const main = document.querySelector("main");
    main.innerHTML = html;
    const bar = main.querySelector(".act"), held = [...main.querySelectorAll(".hand .card")];
    const lies = [...main.querySelectorAll("#trick .trick .card")];
    const faults = [];
    if (!shown(bar.querySelector("button"), innerHeight)) faults.push("the button");
    if (!shown(main.querySelector("#clock"), innerHeight)) faults.push("the clock");
    if (!held.length || !held.every((card) => shown(card, box(bar).top))) faults.push("a card that is held");
    const mine = box(main.querySelector(".mine")), end = mine.left > innerWidth / 3 ? innerHeight : mine.top;
    const felt = box(main.querySelector("#trick") ?? main);
    const isIn = (card) => box(card).left >= felt.left - 1 && box(card).right <= felt.right + 1;
    if (!lies.every((card) => shown(card, end) && isIn(card))) faults.push("a card of the trick");
    if (lies.length <= 5 && lies.some((card) => card.offsetWidth < TINY)) faults.push("a tiny card of the trick");
    const ring = main.querySelector(".ring");
    const isOwn = (text, card) => !card.matches(".bubble") && card.parentElement.contains(text);
    const isUnder = (text, card) => !isOwn(text, card) && within(inked(text), box(card));
    for (const text of ring?.querySelectorAll(".who, .note") ?? []) {
      const above = [...ring.querySelectorAll(".card, .avatar, .bubble")].find((card) => isUnder(text, card));
      if (above) faults.push(`"${text.textContent}" under ${above.textContent.trim().slice(0, 24)}`);
    }
    const isWhole = (avatar) => box(avatar).left >= box(ring).left - 1 && box(avatar).right <= box(ring).right + 1;
    if (ring && ![...ring.querySelectorAll(".avatar")].every(isWhole)) faults.push("an avatar");
    if (!ring && !main.querySelector("#trick")) faults.push("an empty table");
    held.slice(1).forEach((card, number) => {
      const before = box(held[number]), apart = box(card).left - before.left;
      if (apart > 0 && apart < OF_ITS_OWN) faults.push(`${apart} pixels for a card`);
    });
    if (document.documentElement.scrollWidth > innerWidth) faults.push("too wide");
    return faults;
  };
  return mains.map(([name, html]) => [name, faultsOf(html)]).filter(([, faults]) => faults.length);
}""".replace("OF_ITS_OWN", str(OF_ITS_OWN)).replace("TINY", str(TINY))


def turns_of_the_reader(rules: Rules) -> Iterator[Game]:
    """Every state of a random hand in which the reader is to pass or to play."""
    hand = (game for game in games(rules, seed=7) if game.hand == 1)
    return (game for game in hand if game.stage in (Stage.PASS, Stage.PLAY) and game.to_act[0] == READER)


@pytest.fixture(scope="module")
def mains() -> dict[str, str]:
    """The first screen of each page, by name. Some presets begin alike: what looks the same is shown once."""
    made = {}
    for name, players in TABLES:
        for game in turns_of_the_reader(preset_rules(name, players=players)):
            template, context = SAMPLES["pass-first" if game.stage is Stage.PASS else "turn-following"]
            context = {**context, "sheet": sheet_of(game, CROWD[:players]), "chosen": [], "done": NOTICE}
            state = f"{name} for {players}, {game.stage} {game.trick}"
            made[state] = SCREEN.search(page_html((template, context)))[1]
            if (name, players) == BESIDE:
                since = Happened() if game.stage is Stage.PASS else Happened((NOTICE,), context["sheet"].tricks[-1:], 1)
                beside = {**context, "done": None, "since": since, "tabs": TABS, "talk": TALK}
                made[f"{state} beside others"] = SCREEN.search(page_html((template, beside)))[1]
    assert len({name.partition(",")[0] for name in made}) == len(TABLES)
    return {name: html for html, name in {html: name for name, html in made.items()}.items()}


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory, mains: dict[str, str]) -> Iterator[Page]:
    """The page of a turn, which holds all first screens."""
    folder = tmp_path_factory.mktemp("turn")
    (folder / "static").symlink_to(STATIC)
    (folder / "page.html").write_text(page_html(SAMPLES["turn-following"]).replace('"/static/', '"static/'))
    opened = browser.new_page()
    opened.goto((folder / "page.html").as_uri())
    opened.evaluate("mains => { window.mains = mains; }", list(mains.items()))
    yield opened
    opened.close()


@pytest.mark.parametrize(("width", "height"), SCREENS, ids=lambda side: str(side))
def test_every_turn_fits_the_screen(page, width, height):
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(FAULTS) == []
