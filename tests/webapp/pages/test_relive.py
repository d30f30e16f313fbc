"""The page of a finished hand: whom it opens for, and how it is stepped through by keys, thumbs and without scripts."""

import re

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from hearts.turns import Pass, Play
from tests.browser import wait_for_paint
from tests.cast import dump, seat_link, seats, start_game
from tests.runtimes import make_runtime
from tests.servers import site_server
from tests.submitting import words_of
from tests.table import Table
from tests.webapp.accounts.signed_in import let_in
from webapp.core.tokens import ReliveLink, SeatLink
from webapp.games.record.finished import finished_hand
from webapp.games.record.links import relive_link
from webapp.models import ReviewRow, TalkRow

PHONE = {"width": 360, "height": 740}
LEAST_TAP = 44  # pixels each way, so that a thumb hits it


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    made = make_runtime(tmp_path_factory.mktemp("relive"))
    yield made
    made.database.engine.dispose()


@pytest.fixture(scope="module")
def table(runtime):
    """A game whose first hand is finished; the next turn belongs to another."""
    table = start_game(runtime)
    table.play_hand()
    return table


def path(table, hand=1, step=None, reader=None):
    """The path of the page; `reader` is the seat of the player whom the link names."""
    link = ReliveLink(table.game_id, hand)
    if reader is not None:
        link = relive_link(seats(table.runtime, table.table_id)[reader], table.game_id, hand)
    return table.runtime.signer.local_url(link) + ("" if step is None else f"?step={step}")


def words(page):
    return " ".join(words_of(page).split())


def test_anybody_with_the_link_can_step_through_the_hand(runtime, table, client):
    found = client.get(path(table))
    assert found.status_code == 200
    seen, page = [], BeautifulSoup(found.data, "lxml")
    while following := page.select_one(".ways a[rel=next]"):
        seen.append(page.h2.get_text(" ", strip=True))
        page = BeautifulSoup(client.get(path(table) + following["href"]).data, "lxml")
    assert len(seen) == 54
    assert page.h2.get_text(" ", strip=True).startswith("The score")


def test_opening_a_step_changes_nothing_and_is_not_indexed(runtime, table, client):
    before = dump(runtime)
    found = client.get(path(table, step=20))
    assert dump(runtime) == before
    assert (found.headers["X-Robots-Tag"], found.headers["Cache-Control"]) == ("noindex", "no-store")


def test_asking_the_robot_stores_opinions_and_returns_to_the_step(runtime, table, client):
    table.allow_advice()
    url = path(table, reader=0)
    page = BeautifulSoup(client.get(f"{url}?step=20").data, "lxml")
    answer = client.post(url + page.form["action"])
    assert (answer.status_code, answer.location) == (303, f"{url}?step=20")
    with runtime.database.reading() as session:
        assert session.get_one(ReviewRow, (table.game_id, 1)).opinions
    assert BeautifulSoup(client.get(answer.location).data, "lxml").main.form is None


@pytest.mark.parametrize("step", ["", "x", "-1", "0", "1e3", "²", "99999999999999999999", "7", "٣"])
def test_any_step_in_the_address_opens_a_page(runtime, table, client, step):
    assert client.get(path(table, step=step)).status_code == 200


def test_the_table_page_leads_to_every_finished_hand(runtime, table, client):
    table_id = table.table_id
    url = runtime.signer.local_url(seat_link(runtime, table_id, 0))
    links = BeautifulSoup(client.get(url).data, "lxml").select(".numbers a")
    assert [link.get_text(strip=True) for link in links] == ["Relive hand1"]
    assert words(client.get(links[0]["href"]).data).count("The deal") == 2, "in the title, and as a heading"


# unfinished hands


def test_no_step_of_an_unfinished_hand_shows_anything(runtime, client):
    table = start_game(runtime)
    for hand in (1, 2):
        for turn in range(200):
            if turn % 14 == 0:
                for step in ("", 1, 20, 55):
                    found = client.get(path(table, hand=hand, step=step))
                    assert found.status_code == 409
                    assert not re.search("[♣♦♠♥]", words(found.data))
                assert client.post(path(table, hand=hand)).status_code == 409
            if len(table.play_first().game.scores) == hand:
                break
        assert client.get(path(table, hand=hand)).status_code == 200, "now it is finished"


def test_a_finished_hands_page_does_not_depend_on_later_deals(runtime, client):
    table = start_game(runtime)
    table.play_hand()
    paths = [path(table, step=step) for step in (1, 2, 30, 55)]
    pages = [client.get(one).data for one in paths]
    for _ in range(20):
        table.play_first()
    stored = table.stored
    assert stored.game.hand == 2
    assert [client.get(one).data for one in paths] == pages
    assert {type(record.turn) for record in finished_hand(stored, 1).records[1:]} == {Pass, Play}


# what is said about tricks


@pytest.fixture
def talked(runtime, client):
    """A game whose first hand is over, in the browser of its second player, who has signed in."""
    table = start_game(runtime)
    table.play_hand()
    let_in(client, runtime, table.seats[1].player_id)
    return table


def test_a_line_about_a_trick_stands_there_for_all(runtime, client, talked):
    page = BeautifulSoup(client.get(path(talked, reader=1) + "?trick=3").data, "lxml")
    assert page.h2.get_text(" ", strip=True).startswith("Trick 3 step 14")
    said = client.post(page.select_one("form.say")["action"], data={"text": "Brave, that king"})
    assert said.status_code == 303
    assert "Brave, that king" in words(client.get(said.location).data)
    others = path(talked, reader=2)
    shown = words(client.get(f"{others}?step=12").data)
    assert "Said about trick 3 Bo Brave, that king" in shown
    assert "Trick 3 Bo Brave, that king" in words(client.get(others).data), "in the list of the hand"
    assert "Said about trick 4" not in words(client.get(f"{others}?step=16").data)
    anybodys = words(client.get(path(talked, step=12)).data)
    assert "Brave, that king" not in anybodys, "a link that names nobody"
    with runtime.database.reading() as session:
        (row,) = session.exec(select(TalkRow).where(TalkRow.table_id == talked.stored.row.table_id))
    assert (row.name, row.game_number, row.hand, row.trick) == ("Bo", 1, 1, 3)


@pytest.mark.parametrize(
    ("step", "text", "status", "why"),
    [
        pytest.param(12, "", 400, "Please write what you want to say.", id="nothing"),
        pytest.param(12, "x" * 281, 400, "281 letters", id="too long"),
        pytest.param(1, "Ouch", 400, "not over yet", id="about the deal"),
        pytest.param("x", "Ouch", 400, "not over yet", id="about no step"),
        pytest.param(9999, "Ouch", 400, "not over yet", id="about the score"),
    ],
)
def test_what_cannot_be_said_about_a_trick_is_refused(runtime, client, talked, step, text, status, why):
    before = dump(runtime)
    answer = client.post(path(talked, reader=1) + f"/say?step={step}", data={"text": text})
    assert (answer.status_code, dump(runtime)) == (status, before)
    assert why in words(answer.data)


@pytest.mark.parametrize("reader", [None, 0, 2])
def test_nobody_speaks_by_a_link_that_was_forwarded(runtime, client, talked, reader):
    before = dump(runtime)
    page = BeautifulSoup(client.get(path(talked, step=12, reader=reader)).data, "lxml")
    assert not page.select("form.say, form.phrases")
    url = path(talked, reader=reader)
    assert client.post(f"{url}/say?step=12", data={"text": "Ouch"}).status_code == 403
    assert dump(runtime) == before


def test_nothing_is_said_about_a_hand_that_is_played(runtime, client, talked):
    for _ in range(12):
        talked.play_first()
    before = dump(runtime)
    url = path(talked, hand=2, reader=1)
    assert client.post(f"{url}/say?step=5", data={"text": "Ouch"}).status_code == 409
    assert dump(runtime) == before


# other links


@pytest.mark.parametrize("hand", [0, -1])
def test_an_impossible_hand_opens_nothing(runtime, table, client, hand):
    for method in (client.get, client.post):
        assert method(path(table, hand=hand)).status_code == 403


def test_eve_opens_nothing_with_another_kind_or_games_token(runtime, table, client):
    other = runtime.signer.local_url(SeatLink(1, 0, 1)).replace("/seat/", "/relive/")
    altered = path(table)[:-2] + "xx"
    for url in (other, altered, "/relive/nonsense", path(Table(runtime, 999))):
        for method in (client.get, client.post):
            assert method(url).status_code == 403


# in a browser


@pytest.fixture(scope="module")
def relived(runtime, table):
    """The address of a finished hand."""
    with site_server(runtime) as address:
        yield address + runtime.signer.local_url(ReliveLink(table.game_id, 1))


def step_shown(page):
    return int(re.search(r"step (\d+) of", page.locator("#step").inner_text())[1])


def test_the_arrow_keys_step_through_a_finished_hand(browser, relived):
    page = browser.new_page(viewport=PHONE)
    page.goto(relived)
    wait_for_paint(page)
    for key, step in (("ArrowLeft", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2)):
        page.keyboard.press(key)
        page.wait_for_function(f"document.querySelector('#step').innerText.includes('step {step} of')")
    page.close()


def test_a_finished_hand_is_stepped_through_by_keyboard_without_scripts(browser, relived):
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{relived}?step=20#film")
    wait_for_paint(page)
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Back", "the ways on are the first thing after the trick"
    page.keyboard.press("Tab")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert step_shown(page) == 21
    context.close()


def test_the_links_through_a_hand_stay_within_a_thumbs_reach(browser, relived):
    page = browser.new_page(viewport=PHONE)
    for step in (1, 2, 30, 54, 55):
        page.goto(f"{relived}?step={step}#film")
        assert step_shown(page) == step
        boxes = [way.bounding_box() for way in page.locator(".ways a").all()]
        assert boxes
        assert all(box["height"] >= LEAST_TAP and box["y"] + box["height"] <= PHONE["height"] for box in boxes)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.close()
