"""The whole course of a table in real browsers: opened, confirmed, accepted, passed, one hand played and scored.

With scripts and without; each step is checked in every size, light and dark in turn, and done in one of them. With
scripts, Bo's pass and all of Ann's cards but the second are played with nothing but the keyboard.
Friends look into the mailbox, as anybody does who tries the service. JOURNEY_PICTURES=FOLDER keeps a picture of
every step.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.browser import wait_for_paint
from tests.end_to_end import browsing
from tests.end_to_end.players import hearts_page
from tests.end_to_end.service import Service, running_service
from tests.servers import wait_until

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1280, 800)}
THEMES = ("light", "dark")
AT_ONE_SITTING = "300"  # seconds for a turn: pages look for news every second
PATIENCE = 60_000  # milliseconds
GLANCE = 1_500  # milliseconds until another player may have to act
MAIL_TIME = 200  # milliseconds in which a mail is written, if there is no other work
LOOKS = 120  # at a page, until a hand of seven cards must be over
PASSED = 3
SEVEN = 7  # players, with whom a hand has seven cards, which look as thirteen do
FARTHEST = 60  # times the Tab key is pressed to get anywhere on a page
LEFT = "net::ERR_ABORTED"  # requests that the browser cancelled when the page was left
PICTURE_TIME = 300  # milliseconds until the contents of a frame have their place
PICTURES = Path(folder) if (folder := os.environ.get("JOURNEY_PICTURES")) else None
# The focused element: whether it is visible, and not partly covered; whether it comes after the one
# before. A card is shown by the element beside its input, and lies under the next card but for its left side.
FOCUSED = """() => {
  const at = document.activeElement, before = window.focusedBefore;
  const shown = at.matches('.held input') ? at.nextElementSibling : at;
  const box = shown.getBoundingClientRect(), style = getComputedStyle(shown);
  const top = document.elementFromPoint(box.left + Math.min(8, box.width / 2), box.top + box.height / 2);
  (window.focusedSoFar ??= new Set()).add(at);
  window.focusedBefore = at;
  return {
    isNowhere: at === document.body,
    isSeen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
      && (shown.contains(top) || at.contains(top)),
    isNext: !before?.isConnected || Boolean(before.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING),
    html: at.outerHTML.slice(0, 200),
  };
}"""
# Controls that a mouse can reach and the keyboard did not; of the cards to choose one from, Tab reaches one.
MISSED = """() => [...document.querySelectorAll('a[href], button, select, textarea, summary, input:not([type=hidden])')]
  .filter((one) => one.checkVisibility() && one.type !== 'radio' && one.tabIndex >= 0 && !window.focusedSoFar.has(one))
  .map((one) => one.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service as a newcomer runs it: mails are kept, for /mailbox, and go half a minute after their reader left."""
    with running_service(tmp_path_factory.mktemp("journey"), SHORTEST_PACE_SECONDS="300") as running:
        yield running


class Visitor:
    """A player at a browser, who notes whatever is wrong with the pages."""

    def __init__(self, page: Page, home: str, name: str, way: str, *, scripts: bool) -> None:
        self.page, self.home, self.name, self.scripts = page, home, name, scripts
        self.address = f"{name}-{way}@example.org".lower()
        self.faults: list[str] = []
        self._steps = 0
        page.on("console", lambda said: self._note(said.type == "error", f"console: {said.text}"))
        page.on("pageerror", lambda error: self._note(True, f"script: {error}"))
        page.on("requestfailed", lambda asked: self._note(asked.failure != LEFT, f"{asked.failure}: {asked.url}"))
        page.on("response", lambda came: self._note(came.status >= 400, f"{came.status}: {came.url}"))

    def _note(self, is_wrong: bool, what: str) -> None:
        if is_wrong:
            self.faults.append(what)

    def look(self, step: str) -> None:
        """Checks the page in every size: nothing is cut off or half hidden, and nothing went wrong so far.

        The next step is done in the last size, which is another one at each step.
        """
        self._steps += 1
        for number, name in enumerate(
            sorted(SIZES, key=lambda name: ([*SIZES].index(name) + self._steps) % len(SIZES))
        ):
            theme = THEMES[(self._steps + number) % 2]
            self.show_as(name, theme)
            wide = self._pixels_too_wide()
            assert wide <= 0, f"{step} is {wide} pixels too wide ({name})"
            assert self.page.locator("[hidden]:visible").count() == 0, f"{step} shows what it hides ({name})"
            if PICTURES:
                self.page.wait_for_timeout(PICTURE_TIME)
                PICTURES.mkdir(parents=True, exist_ok=True)
                way = "scripts" if self.scripts else "plain"
                picture = f"{way}-{self.name}-{self._steps:02}-{step}-{name}-{theme}.png"
                self.page.screenshot(path=PICTURES / picture, full_page=True)
        assert self.faults == [], step

    def _pixels_too_wide(self) -> int:
        """Once there is a document: a page that has only just begun to load has none."""
        self.page.wait_for_load_state("domcontentloaded")
        measured: list[int] = []
        measure = "(root => root ? [root.scrollWidth - innerWidth] : [])(document.documentElement)"
        wait_until("a document", lambda: measured.extend(self.page.evaluate(measure)) or measured)
        return measured[-1]

    def show_as(self, size: str, theme: str) -> None:
        width, height = SIZES[size]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=theme)

    def press(self, words: str) -> None:
        """Presses the button with this text, and waits for the page that follows."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=words).first.click()

    def open_mail(self, subject: str) -> None:
        """Waits for an email in the mailbox, and opens it."""
        self.page.goto(f"{self.home}/mailbox/{self.address}")
        mail = self.page.get_by_role("link", name=subject)
        wait_until(f"an email to {self.name}: {subject}", lambda: mail.count() or self._look_again())
        mail.first.click()
        self.page.wait_for_url("**/letters/*")

    def _look_again(self) -> None:
        self.page.wait_for_timeout(MAIL_TIME)
        self.page.reload()

    def follow_mail(self, subject: str, words: str) -> None:
        """Waits for an email, checks it, and follows a link in it."""
        self.open_mail(subject)
        link = self.page.frame_locator("iframe").get_by_role("link", name=words).first
        link.wait_for()
        self.look("mail")
        with self.page.expect_navigation():
            link.click()

    def asked(self) -> str:
        """The question on the page: hand and what is due, or why it waits."""
        return self.page.locator("#follow").get_attribute("data-kind") or ""

    def cards(self) -> Locator:
        return self.page.locator("label:has(input[name=card])")

    def play(self, cards: int) -> None:
        """Chooses the first cards that may be chosen, and waits until the page has changed."""
        asked = self.asked()
        for card in self.cards().all()[:cards]:
            card.click(position={"x": 8, "y": 20})
        if self.scripts:
            self.page.locator(".act button").click()
            self.page.locator(f"#follow:not([data-kind='{asked}'])").wait_for(state="attached", timeout=PATIENCE)
        else:
            with self.page.expect_navigation():
                self.page.locator(".act button").click()

    def tab_to(self, wanted: str) -> None:
        """Presses the Tab key until the focus is on `wanted`, a CSS selector, checking every step on the way."""
        for _ in range(FARTHEST):
            if self.tab() and self.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                return
        raise AssertionError(f"the keyboard does not come to {wanted}")

    def tab(self) -> bool:
        """Presses the Tab key once. Returns whether the focus is on the page, rather than once around."""
        wait_for_paint(self.page)
        self.page.keyboard.press("Tab")
        at = self.page.evaluate(FOCUSED)
        if at["isNowhere"] or not at["isNext"]:
            return False
        assert at["isSeen"], f"nobody sees where the keyboard is: {at['html']}"
        return True

    def type_turn(self) -> None:
        """Plays the awaited turn with nothing but the keyboard."""
        self.show_as("phone", "dark")
        asked, keys = self.asked(), self.page.keyboard
        if self.page.locator("input[name=card][type=checkbox]").count():
            for _ in range(PASSED):
                self.tab_to("input[name=card]:not(:checked)")
                keys.press("Space")
        else:
            self.tab_to("input[name=card]")
            keys.press("Space")
            keys.press("ArrowRight")
        assert self.page.locator("input[name=card]:checked").count() in (1, PASSED)
        self.tab_to(".act button")
        keys.press("Enter")
        self.page.locator(f"#follow:not([data-kind='{asked}'])").wait_for(state="attached", timeout=PATIENCE)

    def go_on(self) -> None:
        """Leaves the page of a hand's end, which a live table leaves by itself."""
        if not self.scripts:
            self.look("hand-end")
            with self.page.expect_navigation():
                self.page.locator("a.go-on").click()
        else:
            self.page.locator("#follow:not([data-kind='1 1 over'])").wait_for(state="attached")

    def wait(self) -> None:
        """Lets the page follow the game for a moment, or reloads it if it has no scripts."""
        if not self.scripts:
            again = self.page.get_by_role("link", name="Look again")
            with self.page.expect_navigation():
                again.click() if again.count() else self.page.reload()
            return
        asked = self.asked()
        try:
            self.page.locator(f"#follow:not([data-kind='{asked}'])").wait_for(state="attached", timeout=GLANCE)
        except TooLate:
            return


@contextmanager
def visiting(browser: Browser, service: Service, name: str, way: str, *, scripts: bool) -> Iterator[Visitor]:
    """A player with a phone, in the dark; `way` distinguishes their address from those of other tests.

    Cards move for Ann, where there are scripts.
    """
    motion = "no-preference" if scripts and name == "Ann" else "reduce"
    context = browser.new_context(java_script_enabled=scripts, locale="en-GB", reduced_motion=motion)
    context.set_default_timeout(PATIENCE)
    if scripts:  # the visitors use the button, also at a live table; a mail's frame has no storage
        context.add_init_script("try { localStorage.setItem('tap', 'off') } catch {}")
    try:
        visitor = Visitor(context.new_page(), service.address, name, way, scripts=scripts)
        visitor.show_as("phone", "dark")
        yield visitor
    finally:
        context.close()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_table_is_opened_and_a_hand_is_played(browser: Browser, service: Service, scripts: bool) -> None:
    way = "scripts" if scripts else "plain"
    with ExitStack() as stack:
        ann, bo = (
            stack.enter_context(visiting(browser, service, name, way, scripts=scripts)) for name in ("Ann", "Bo")
        )
        open_table(ann, bo)
        ann.follow_mail("Confirm your table", "Confirm")
        if not scripts:  # else the browser that has opened the table goes on by itself
            ann.look("confirm")
            ann.press("Confirm")
        ann.page.wait_for_url("**/play/*")
        ann.look("confirmed")
        bo.follow_mail("invites you", "Say yes or no")
        bo.look("invitation")
        bo.press("I'll play")
        bo.look("accepted")
        for player in (ann, bo):
            if player is ann and scripts:  # she has stayed at the table: it asks her there, and not by mail
                ann.cards().first.wait_for()
            else:
                player.follow_mail("pass", "Choose")
            player.look("pass")
            player.type_turn() if player is bo and scripts else player.play(PASSED)
            player.look("passed")
        friend = stack.enter_context(closing(browsing.Browser()))
        play_hand(ann, friend, bo.page.url)
        check_score_sheet(ann)


def check_all_is_reachable(player: Visitor) -> None:
    """Tabs from the top of a page once around it."""
    player.page.reload()
    while player.tab():
        pass
    assert player.page.evaluate(MISSED) == []


def open_table(host: Visitor, friend: Visitor) -> None:
    """A table of the host, a friend, and robots."""
    page = host.page
    page.goto(host.home)
    host.look("home")
    page.get_by_role("link", name="Open a table").first.click()
    host.look("form")
    page.get_by_text("More choices").click()
    page.get_by_text("Quick", exact=True).click()
    page.get_by_text("House rules", exact=True).click()
    page.get_by_label("Where cards are passed").select_option("left")  # one hand at a time
    page.get_by_label("Your name").fill(host.name)
    page.get_by_label("Your email address").fill(host.address)
    page.get_by_text("More seats").click()
    page.get_by_role("group", name="Seat 2").get_by_label("Name").fill(friend.name)
    page.get_by_role("group", name="Seat 2").get_by_label("Email address").fill(friend.address)
    for number in range(3, SEVEN + 1):
        page.get_by_label(f"Seat {number}", exact=True).select_option("robot")
    page.get_by_label("How robots play").select_option("rule")
    if host.scripts:
        page.get_by_text("Live", exact=True).click()
        page.get_by_label("Live, to play a card").select_option(AT_ONE_SITTING)
    host.look("form-filled")
    host.press("Open the table")
    host.look("opened")


def play_on(friend: browsing.Browser, url: str) -> None:
    """A player with the plainest of browsers plays the current question at an address."""
    while form := hearts_page(friend.open(url)):
        if "card" not in form.choices:
            return
        needed = PASSED if form.kinds["card"] == "checkbox" else 1
        friend.submit(form.fill(card=form.choices["card"][:needed]))


def play_hand(player: Visitor, plain: browsing.Browser, friends_url: str) -> None:
    """Plays until the hand is over, while a friend with the plainest of browsers plays as well.

    Checks the first trick, the first wait, and the page after the last trick. Where pages have scripts, the second card
    is played with the mouse, and all others with the keyboard: there are hands with a single choice.
    """
    looked: set[bool] = set()
    played = 0
    for _ in range(LOOKS):
        if is_next_hand(kind := player.asked()):
            player.look("next-hand")
            return
        if has_ended(kind):
            player.go_on()
            continue
        is_asked = player.cards().count() > 0
        if player.asked() != kind:  # a page that waits goes on by itself, perhaps to the next hand
            continue
        if is_asked not in looked:
            player.look("turn" if is_asked else "waiting")
            looked.add(is_asked)
        if not is_asked:
            play_on(plain, friends_url)
            player.wait()
            continue
        if player.scripts and not played:
            check_all_is_reachable(player)
        if player.scripts and played != 1:
            player.type_turn()
        else:
            player.play(1)
        played += 1
    raise AssertionError(f"after {LOOKS} looks the hand is not over: {player.asked()}")


def has_ended(kind: str) -> bool:
    """Whether a page of that kind shows how the first hand ended."""
    return kind == "1 1 over"


def is_next_hand(kind: str) -> bool:
    """Whether a page of that kind follows the first hand of the first game."""
    return "1 2" in kind


def check_score_sheet(player: Visitor) -> None:
    page = player.page
    with page.expect_navigation():
        page.get_by_role("link", name="Score sheet").first.click()
    player.look("table")
    assert page.locator("table").first.is_visible()
    if player.scripts:
        return  # the page shows that Ann is present, so that her mails wait
    player.open_mail("Hand 1 is over")
    player.page.frame_locator("iframe").get_by_role("heading").first.wait_for()
    player.look("score-sheet")
