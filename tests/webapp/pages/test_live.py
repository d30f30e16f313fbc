"""Live pages: browsers at one table follow the game without a reload, and leave alone what their players do."""

import random
import re
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text
from hearts.game import Stage
from tests.cast import NAMES, open_table, seat_link, seats, start_game
from tests.servers import wait_until
from tests.side_by_side import play_in
from webapp.core.tokens import InvitationLink
from webapp.games import talk
from webapp.games.clock.presence import HEARTBEAT_INTERVAL, READING_FOR, is_present, is_reading
from webapp.pages import at_table
from webapp.tables import seating

ANN, BO = 0, 1
PHONE = {"width": 360, "height": 740}
PATIENCE = 60_000  # milliseconds
# A flashing title may differ at any moment.
NOTE_TITLES = """() => {
  window.titles = [];
  new MutationObserver(() => titles.push(document.title)).observe(document.querySelector("title"), { childList: true });
}"""
CODE = re.compile(r">([2-9TJQKA][CDSH])<")
FACE = re.compile(r"(10|[2-9JQKA])([♣♦♠♥])")
SUITS = dict(zip("♣♦♠♥", "CDSH", strict=True))


@pytest.fixture
def table(runtime, monkeypatch):
    """A game whose pages look for news all the time."""
    monkeypatch.setattr(at_table, "POLL_MS", 200)
    return start_game(runtime)


@contextmanager
def opened(browser, url, **options):
    """A page in its own browser, which counts its loads and keeps all that it receives."""
    context = browser.new_context(viewport=PHONE, **options)
    page = context.new_page()
    page.loads, page.came = [], []
    page.on("load", lambda page: page.loads.append(page.url))
    page.on("response", lambda response: page.came.append(response))
    page.goto(url)
    yield page
    context.close()


@pytest.fixture
def pages(browser, runtime, address, table):
    """Everybody's page, by seat, opened by their link to play."""
    urls = [address + runtime.signer.local_url(table.play_link(seat)) for seat in range(4)]
    with (
        opened(browser, urls[0]) as ann,
        opened(browser, urls[1]) as bo,
        opened(browser, urls[2]) as cy,
        opened(browser, urls[3]) as di,
    ):
        yield [ann, bo, cy, di]


@pytest.fixture
def ann(browser, runtime, address, table):
    """Ann's page, opened by the link in her mail: she is to pass."""
    with opened(browser, address + runtime.signer.local_url(table.turn_link(0))) as page:
        yield page


def wait_for(page, kind):
    page.locator(f"#follow[data-kind='{kind}']").wait_for(state="attached", timeout=PATIENCE)


def choose_cards(page, cards=1):
    """Chooses the first cards that may be chosen, and waits until the page has changed."""
    asked = page.locator("#follow").get_attribute("data-kind")
    for card in page.locator("label:has(input[name=card])").all()[:cards]:
        card.click()
    page.locator("form .act button").click()
    page.locator(f"#follow:not([data-kind='{asked}'])").wait_for(state="attached", timeout=PATIENCE)


def play_until_asked(table, seat):
    """Plays until it is the turn of `seat`."""
    while table.game.stage is Stage.PASS or table.game.to_act != (seat,):
        table.play_first()


def cards_known_to(game, seat):
    """The cards that the player of the seat has held or seen on the table in this hand."""
    return {card_text(card) for card in (*game.deal.held[seat], *game.held[seat], *game.plays)}


@pytest.fixture
def late_in_the_hand(runtime, table):
    """The last tricks of a hand: browsers are slow, and the tricks are alike."""
    while len(table.game.tricks) < 10:
        table.play_first()


def new_cards(page):
    """Every card that came to the page since the last time, as code: those drawn, and those named in words."""
    texts = [response.text() for response in page.came if "/play/" in response.url]
    page.came.clear()
    drawn = {code for text in texts for code in CODE.findall(text)}
    return drawn | {rank.replace("10", "T") + SUITS[suit] for text in texts for rank, suit in FACE.findall(text)}


def test_four_browsers_finish_a_hand_without_loading_a_page(runtime, table, late_in_the_hand, pages):
    game = table.game
    hand = game.hand
    assert {card_text(card) for card in game.held[0]} <= new_cards(pages[0]), "the page receives the new cards"
    while game.hand == hand:
        for seat, page in enumerate(pages):
            assert new_cards(page) <= cards_known_to(game, seat), "somebody else's card"
        (seat,) = game.to_act
        wait_for(pages[seat], f"1 {hand} trick {game.trick}")
        choose_cards(pages[seat])
        game = table.game
    points = sorted(game.scores[-1].points)
    for page in pages:
        page.get_by_role("heading", name=f"Hand {hand} is over").wait_for(timeout=PATIENCE)
        assert [int(shown) for shown in page.locator("#points strong").all_inner_texts()] == points
        assert len(page.loads) == 1


def test_a_turn_page_becomes_the_page_that_follows_the_game(ann, runtime, table):
    choose_cards(ann, cards=3)
    assert "/play/" in ann.url
    assert "You passed" in ann.locator("#done").inner_text()
    play_until_asked(table, 0)
    wait_for(ann, f"1 1 trick {table.game.trick}")
    assert "Your turn" in ann.title()
    assert len(ann.loads) == 1
    ann.reload()
    assert ann.locator("form .act button").is_visible(), "the address is that of the page"


def test_a_turn_is_announced_and_the_focus_stays(ann, runtime, table):
    choose_cards(ann, cards=3)
    ann.locator("#talk-text").focus()
    ann.evaluate(NOTE_TITLES)
    play_until_asked(table, 0)
    wait_for(ann, f"1 1 trick {table.game.trick}")
    assert ann.locator("p[role=status].spoken").inner_text().startswith("Your turn")
    wait_until("the title calls her", lambda: "● Your turn" in ann.evaluate("titles"))
    assert ann.evaluate("document.activeElement.id") == "talk-text"


def test_chosen_cards_typed_text_and_open_sections_survive_an_update(ann, runtime, table):
    for card in ann.locator("label:has(input[name=card])").all()[:2]:
        card.click()
    ann.locator("#talk-phrases > summary").click()
    ann.locator("#talk-text").fill("Wait for")
    ann.evaluate("scrollTo(0, 300)")
    for _ in range(2):
        seat = table.game.to_act[-1]
        talk.add_line(runtime, table.play_link(seat), f"Hello from seat {seat}", runtime.now())
        ann.get_by_text(f"Hello from seat {seat}").first.wait_for(timeout=PATIENCE)
    assert ann.locator("input[name=card]:checked").count() == 2
    assert ann.locator("#talk-text").input_value() == "Wait for"
    assert ann.locator("#talk-phrases").get_attribute("open") is not None
    assert ann.evaluate("scrollY") == 300
    assert ann.locator(".act").inner_text().count("2 of 3 chosen") == 1


def test_text_being_typed_survives_the_start_of_a_turn(ann, runtime, table):
    choose_cards(ann, cards=3)
    ann.locator("#talk-text").press_sequentially("Give me")
    play_until_asked(table, 0)
    wait_for(ann, f"1 1 trick {table.game.trick}")
    ann.keyboard.type(" a minute")
    assert ann.locator("#talk-text").input_value() == "Give me a minute"
    ann.keyboard.press("Enter")
    ann.locator("#talk").get_by_text("Give me a minute").wait_for(timeout=PATIENCE)
    assert ann.locator("#talk-text").input_value() == ""
    assert len(ann.loads) == 1


def test_the_others_see_a_player_come_and_go(browser, runtime, address, table, ann):
    with opened(browser, address + runtime.signer.local_url(table.play_link(1))) as bo:
        ann.get_by_text("Bo is here").wait_for(timeout=PATIENCE)
        bo.get_by_text("Ann is here").wait_for(timeout=PATIENCE)
        bo.goto("about:blank")
        ann.get_by_text("Bo is here").wait_for(state="detached", timeout=PATIENCE)


def test_a_page_left_alone_counts_until_somebody_touches_it(browser, runtime, address, table):
    def is_read():
        seat = table.seats[BO]
        return is_reading(seat, seat.player, runtime.now())

    with opened(browser, "about:blank") as bo:
        bo.clock.install()
        bo.goto(address + runtime.signer.local_url(table.play_link(BO)))
        wait_until("Bo is there", is_read)
        for touch in (lambda: bo.keyboard.press("Shift"), lambda: bo.mouse.move(9, 9)):
            runtime.now.pass_by(READING_FOR)
            bo.clock.fast_forward(READING_FOR.seconds * 1000)
            wait_until("the page is open", lambda: is_present(table.seats[BO], runtime.now()))
            assert not is_read(), "and nobody in front of it"
            touch()
            runtime.now.pass_by(HEARTBEAT_INTERVAL)
            bo.clock.fast_forward(15_000)
            wait_until("Bo is back", is_read)


def test_a_page_that_changes_by_itself_was_touched_by_nobody(browser, runtime, address, table):
    with opened(browser, "about:blank") as bo:
        bo.clock.install()
        bo.goto(address + runtime.signer.local_url(table.play_link(BO)))
        wait_for(bo, "1 1 pass")
        bo.mouse.move(99, 99)
        bo.evaluate("new Promise((done) => { scrollTo(0, 999); setTimeout(done, 500); })")
        bo.clock.fast_forward(READING_FOR.seconds * 1000)
        table.pass_all()
        with bo.expect_request(lambda request: "idle=" in (request.post_data or "")):
            bo.clock.fast_forward(15_000)
        bo.locator("#follow:not([data-kind='1 1 pass'])").wait_for(state="attached", timeout=PATIENCE)
        with bo.expect_request(lambda request: "idle=" in (request.post_data or "")) as told:
            bo.clock.fast_forward(20_000)
        assert int(told.value.post_data.partition("=")[2]) >= READING_FOR.seconds


def test_leaving_is_reported_although_the_last_update_failed(browser, runtime, address, table, ann):
    """The browser cancels the update when a page is left during its request."""
    with opened(browser, address + runtime.signer.local_url(table.play_link(1))) as bo:
        ann.get_by_text("Bo is here").wait_for(timeout=PATIENCE)
        bo.evaluate("() => { window.tried = 0; window.fetch = async () => { tried += 1; throw new TypeError(); }; }")
        wait_until("two looks fail", lambda: bo.evaluate("tried") > 1)
        bo.goto("about:blank")
        ann.get_by_text("Bo is here").wait_for(state="detached", timeout=PATIENCE)


def test_an_illegal_pass_is_rejected_on_the_same_page(ann, runtime, table):
    for card in ann.locator("label:has(input[name=card])").all()[:2]:
        card.click()
    ann.locator("form .act button").click()
    ann.get_by_role("alert").wait_for(timeout=PATIENCE)
    assert "Choose one more card." in ann.get_by_role("alert").inner_text()
    assert ann.locator("input[name=card]:checked").count() == 2
    act_on = ann.locator("label:has(input[name=card]:not(:checked))").first
    act_on.click()
    expect(ann.get_by_role("alert")).to_have_count(0)
    expect(ann.locator("form .act button")).to_contain_text("Pass ")
    ann.locator("form .act button").click()
    wait_for(ann, "waiting")
    assert len(ann.loads) == 1


def test_a_lost_connection_is_shown_and_recovers_by_itself(ann, runtime, table):
    ann.route("**/now", lambda route: route.abort())
    ann.route("**/here", lambda route: route.abort())
    ann.get_by_text("Connection lost").wait_for(timeout=PATIENCE)
    ann.unroute("**/now")
    ann.unroute("**/here")
    ann.get_by_text("Connection lost").wait_for(state="detached", timeout=PATIENCE)


def test_cards_tapped_offline_are_sent_once_connected(ann, runtime, table):
    for card in ann.locator("label:has(input[name=card])").all()[:3]:
        card.click()
    ann.context.set_offline(True)
    ann.locator("main form button").first.click()
    said = ann.get_by_text("Not sent yet: there is no connection.")
    said.wait_for(timeout=PATIENCE)
    ann.wait_for_timeout(1500)
    assert said.is_visible()
    assert table.stored.turns == 1
    ann.context.set_offline(False)
    said.wait_for(state="detached", timeout=PATIENCE)
    wait_until("the pass is played", lambda: table.stored.turns == 2)
    assert len(ann.loads) == 1


def test_a_sound_plays_only_on_request(ann, runtime, table):
    ann.evaluate("""() => {
      window.heard = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function () { window.heard += 1; start.call(this); };
    }""")
    choose_cards(ann, cards=3)
    play_until_asked(table, 0)
    wait_for(ann, f"1 1 trick {table.game.trick}")
    assert ann.evaluate("heard") == 0
    ann.locator("#seldom summary").click()
    sound = ann.get_by_role("button", name="Sound on my turn")
    sound.click()
    assert sound.get_attribute("aria-pressed") == "true"
    assert ann.evaluate("heard") == 1, "so that Ann knows the sound"
    trick = table.game.trick
    table.play_first()
    play_until_asked(table, 0)
    wait_for(ann, f"1 1 trick {table.game.trick}")
    assert trick != table.game.trick
    assert ann.evaluate("heard") == 2


def test_a_table_page_shows_arrivals_without_a_reload(browser, runtime, address, table):
    link = runtime.signer.local_url(seat_link(runtime, table.table_id, 0))
    with opened(browser, address + link) as page:
        table.play_first()
        page.locator("#waiting").get_by_text("you").wait_for(state="detached", timeout=PATIENCE)
        assert len(page.loads) == 1
        assert not [response for response in page.came if response.request.method == "POST"], "it only looks"


def test_the_hosts_typed_text_survives_a_guests_answer(browser, runtime, address, table):
    table_id = open_table(runtime)
    bo = seats(runtime, table_id)[1]
    with opened(browser, address + runtime.signer.local_url(seat_link(runtime, table_id, 0))) as page:
        form = page.locator(".seat-form").filter(has=page.get_by_role("heading", name="Di"))
        form.locator("summary").click()
        form.get_by_text("A friend", exact=True).click()
        form.locator("input[name=name]").fill("Eve")
        seating.accept(runtime, InvitationLink(table_id, 1, bo.player_id), "Bo", "UTC", runtime.now())
        page.locator("#people li", has_text="Bo").get_by_text("plays").wait_for(timeout=PATIENCE)
        assert form.locator("input[name=name]").input_value() == "Eve"


def test_a_page_stays_with_its_chosen_hand_then_moves_on(browser, runtime, address, monkeypatch):
    monkeypatch.setattr(at_table, "POLL_MS", 200)
    beside, rng = start_game(runtime, at_once=4), random.Random(1)
    url = address + runtime.signer.local_url(beside.play_link(0))
    with opened(browser, f"{url}?hand=2") as page:
        choose_cards(page, 3)  # in hand 2
        page.get_by_role("link", name="Play hand 1").click()  # which has waited longest
        wait_for(page, "1 1 pass")
        choose_cards(page, 3)
        passed = {number: beside.hand(number).game.passes[0] for number in (1, 2, 3)}
        assert [number for number, cards in passed.items() if cards is not None] == [1, 2]
        page.get_by_role("link", name="Hand 2").click()
        expect(page.locator("#tabs [aria-current]")).to_have_text(re.compile("2"))
        while beside.hand(2).game.stage is Stage.PASS:
            play_in(runtime, beside.hand(2), rng)
        expect(page.locator("#memory")).to_contain_text("You gave")
        assert "?hand=2&" in page.url
        expect(page.locator("#tabs [aria-current]")).to_have_text(re.compile("2"))


def test_two_who_are_there_go_live_by_tapping(browser, runtime, address):
    slow = start_game(runtime, NAMES[:2], robots=2)
    paths = [runtime.signer.local_url(slow.play_link(seat)) for seat in (ANN, BO)]
    with opened(browser, address + paths[ANN]) as ann, opened(browser, address + paths[BO]) as bo:
        for page in (ann, bo):
            page.get_by_role("button", name="Play on live").click(timeout=PATIENCE)
        for page in (ann, bo):
            expect(page.locator("#play-live")).to_contain_text("You play live", timeout=PATIENCE)
        assert slow.is_live
