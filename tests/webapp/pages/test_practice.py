"""The pages of a practice hand: played at once, by anybody, without an address, a cookie or a row."""

import random
import re
import time
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from hearts.cards import Cards, parse_card
from hearts.game import why_not
from hearts.view import view
from tests.cast import dump
from tests.sites import site_of
from tests.webapp.practising import played_out, turn_of_chance
from webapp.core.config import read_settings
from webapp.core.runtime import Runtime
from webapp.core.tokens import TurnLink
from webapp.practice import NAMES, YOU, after, hand_of, new_hand

LONGEST_TOKEN = 250
QUICK = 0.06  # seconds of this thread's own time for a turn and the page after it; it takes a sixth of that


@pytest.fixture
def keys(runtime):
    return runtime.settings.keys()


def soup(answer):
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "lxml")


def offered(page):
    """The cards that the form of a page offers."""
    return [field["value"] for field in page.select("form input[name=card]")]


def question(client, runtime, *, trick=0):
    """The address of a practice hand with a question: the pass, or a card after that many tricks."""
    chance = random.Random(trick)
    link = new_hand(runtime.settings.keys(), chance.randbytes)
    while len((hand := hand_of(runtime.settings.keys(), link)).game.tricks) < trick:
        link = after(hand, turn_of_chance(hand.game, chance))
    return runtime.signer.local_url(link)


def test_a_newcomer_plays_a_hand_without_address_or_cookie(runtime, client):
    before = dump(runtime)
    chance = random.Random(7)
    home = soup(client.get("/"))
    answer = client.post(home.form["action"], data={"card": chance.sample(offered(home), 3)})
    while True:
        assert "Set-Cookie" not in answer.headers
        assert len(answer.location.rpartition("/")[2]) <= LONGEST_TOKEN
        page = soup(client.get(answer.location))
        if page.main.form is None:
            break
        cards = chance.sample(offered(page), 3 if page.find("input", type="checkbox") else 1)
        answer = client.post(answer.location, data={"card": cards})
        assert answer.status_code == 303
    assert page.h1.text == "The hand is over"
    points = [int(line.select_one(".value").text) for line in page.select("ol.people li")]
    assert sum(points) in (26, 78)
    assert {line.select("span")[1].text for line in page.select("ol.people li")} == set(NAMES)
    assert page.main.find("a", string="Open a table")["href"] == "/tables/new"
    assert soup(client.get(page.find("a", string="These cards again")["href"])).find(string="Pass to Pip")
    assert client.get(page.find("a", string="Another hand")["href"]).status_code == 302
    assert dump(runtime) == before


def test_practice_needs_no_database(tmp_path):
    bare = Runtime.for_settings(read_settings(data_dir=tmp_path))
    client = site_of(bare).test_client()
    assert client.get(client.get("/practice").location).status_code == 200
    assert [file.name for file in tmp_path.iterdir()] == ["secret_keys"]


def test_a_page_may_be_reopened_and_another_card_chosen_there(runtime, client):
    start = question(client, runtime, trick=2)
    first = client.get(start).text
    assert client.get(start).text == first
    cards = offered(BeautifulSoup(first, "lxml"))
    after_one = client.post(start, data={"card": cards[0]}).location
    assert client.get(start).text == first
    after_other = client.post(start, data={"card": cards[-1]}).location
    assert client.post(start, data={"card": cards[0]}).status_code == 303
    assert soup(client.get(after_one)).main != soup(client.get(after_other)).main


def test_opening_a_page_plays_nothing(runtime, client):
    address = question(client, runtime, trick=1)
    card = offered(soup(client.get(address)))[0]
    assert soup(client.get(f"{address}?card={card}")).h1 == soup(client.get(address)).h1
    assert client.head(address).status_code == 200


@pytest.mark.parametrize(
    ("trick", "cards", "sentence"),
    [
        pytest.param(0, [], "Choose three more cards.", id="nothing is passed"),
        pytest.param(0, ["2C", "2C", "2C"], "You can't pass the same card twice.", id="one card is passed three times"),
        pytest.param(0, ["XX"], "That is not a card.", id="passing something else than a card"),
        pytest.param(3, [], "Choose a card to play.", id="nothing is played"),
        pytest.param(3, ["2C", "3C"], "Choose a card to play.", id="two cards are played"),
        pytest.param(3, ["<b>"], "That is not a card.", id="playing something else than a card"),
    ],
)
def test_an_unplayable_card_gets_a_message_on_the_same_page(runtime, client, trick, cards, sentence):
    address = question(client, runtime, trick=trick)
    answer = client.post(address, data={"card": cards})
    assert answer.status_code == 400
    page = BeautifulSoup(answer.text, "lxml")
    assert sentence in page.find(role="alert").text
    assert page.h1 == soup(client.get(address)).h1


def test_a_forbidden_card_is_rejected_with_the_rules_reason(runtime, client, keys):
    chance = random.Random(3)
    link = new_hand(keys, chance.randbytes)
    while not (barred := _barred(hand := hand_of(keys, link))):
        link = after(hand, turn_of_chance(hand.game, chance))
    card, reason = barred
    answer = client.post(runtime.signer.local_url(link), data={"card": card})
    assert answer.status_code == 400
    assert f"now. {reason}" in BeautifulSoup(answer.text, "lxml").find(role="alert").text


def _barred(hand):
    """A card that the newcomer holds and may not play, and why."""
    refusals = view(hand.game, YOU).refusals
    return next(((str(Cards.of([card])), why_not(hand.game, YOU, card)) for card in refusals), None)


def test_a_turn_after_the_hand_leads_to_its_end(runtime, client, keys):
    link = played_out(keys, new_hand(keys)).link
    answer = client.post(runtime.signer.local_url(link), data={"card": "QS"})
    what, asked = (path.rsplit(".", 2)[0] for path in (urlsplit(answer.location).path, runtime.signer.local_url(link)))
    assert (answer.status_code, what) == (303, asked)  # but for the second in which a link was made, and its signature


def test_an_altered_address_gets_the_plain_page(runtime, client, keys):
    token = runtime.signer.token(new_hand(keys))
    for altered in (token[:-1], token[1:], f"x{token}", "x", runtime.signer.token(TurnLink(1, 0, 1, "pass", 1))):
        for method in (client.get, client.post):
            answer = method(f"/practice/{altered}")
            assert answer.status_code == 403
            assert "This link doesn" in answer.text


def test_a_turn_and_the_next_page_are_fast(runtime, client):
    address = question(client, runtime, trick=10)
    card = offered(soup(client.get(address)))[0]
    took = []
    for _ in range(5):  # the first has its templates to read
        started = time.thread_time()
        client.get(client.post(address, data={"card": card}).location)
        took.append(time.thread_time() - started)
    assert min(took) < QUICK


def test_a_page_shows_only_cards_its_player_has_seen(runtime, client, keys):
    chance = random.Random(11)
    link = new_hand(keys, chance.randbytes)
    while (hand := hand_of(keys, link)).score is None:
        seen = view(hand.game, YOU)
        known = {*seen.held, *seen.plays, *(seen.given or ()), *(seen.received or ())}
        page = BeautifulSoup(client.get(runtime.signer.local_url(link)).data, "lxml")  # with its templates
        shown = {parse_card(code.string) for code in page.find_all(class_="code")} | _minis(page)
        assert shown <= known
        assert set(seen.held) <= shown
        link = after(hand, turn_of_chance(hand.game, chance))


def _minis(page):
    symbols = {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}
    texts = [mini.find("span").string for mini in page.find_all(class_="mini")]
    return {parse_card(text.replace("10", "T")[0] + symbols[text.rstrip("\ufe0e")[-1]]) for text in texts}


@pytest.mark.parametrize(("trick", "cards"), [pytest.param(0, 3, id="to pass"), pytest.param(4, 1, id="to play")])
def test_the_robots_suggestion_has_a_reason_and_stays_the_same(runtime, client, trick, cards):
    address = question(client, runtime, trick=trick)
    page = soup(client.get(address))
    assert page.select_one("#suggestion") is None
    way = page.find("a", string=re.compile("What would the robot"))["href"].partition("#")[0]
    advised = soup(client.get(address + way)).select_one("#suggestion")
    faces = [mini.select_one(".spoken").text for mini in advised.select("summary .mini")]
    spoken = [label.select_one(".spoken").text.partition(",")[0] for label in page.select("form label.held")]
    assert len(faces) == cards
    assert set(faces) <= set(spoken)
    assert len(advised.p.text) > 10
    assert soup(client.get(address + way)).select_one("#suggestion") == advised
    assert soup(client.get(address)).h1 == page.h1


def test_a_hand_can_be_played_on_a_phone_without_scripts(browser, address):
    """From the home page to the score, going back once on the way."""
    phone = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, java_script_enabled=False)
    page = phone.new_page()
    page.goto(f"{address}/")
    for card in page.locator("label:has(input[name=card])").all()[:3]:
        card.tap()
    _press(page, "Pass")
    first = page.inner_text("h1")
    _play_one(page)
    page.go_back()
    assert page.inner_text("h1") == first
    for _ in range(13):
        if page.inner_text("h1") == "The hand is over":
            break
        _play_one(page)
    assert page.inner_text("h1") == "The hand is over"
    assert phone.cookies() == []
    page.get_by_role("main").get_by_role("link", name="Open a table").tap()
    page.wait_for_url("**/tables/new")
    assert page.inner_text("h1") == "Open a table"
    phone.close()


def _play_one(page):
    """Plays the last legal card, which is seldom the best."""
    page.locator("label:has(input[name=card])").last.tap()
    _press(page, "Play")


def _press(page, name):
    before = page.url
    page.get_by_role("button", name=name).tap()
    page.wait_for_url(lambda url: url != before)
