"""The choice of a card style, and of what a tap does: on whose pages it shows, and whom it is not open to."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlmodel import SQLModel

from tests.cast import NAMES, dump, seat_link, seats
from tests.gallery import PHONE
from tests.mailing import player_id
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.pages.taps import tap_of_ann
from webapp.core.tokens import PlayLink, PreferencesLink
from webapp.models import PlayerRow, SeatRow
from webapp.players.preferences import CARD_STYLES, USUAL, CardStyle

ANN, BO = 0, 1
DRAWN = """(card) => [getComputedStyle(card).color, parseFloat(getComputedStyle(card).fontSize) / card.offsetWidth,
  getComputedStyle(card.querySelector('.code'), '::after').opacity].join(' ')"""


def look_now(runtime, name="Ann"):
    with runtime.database.reading() as session:
        player = session.get_one(PlayerRow, player_id(runtime, name))
    return CardStyle(player.two_colours, player.large_index)


def play_address(table, seat=ANN):
    table_id = table.table_id
    return table.runtime.signer.local_url(PlayLink(table_id, seat, player_id(table.runtime, NAMES[seat])))


def preferences_address(runtime, name="Ann"):
    return runtime.signer.local_url(PreferencesLink(player_id(runtime, name)))


def shown_look(answer):
    return BeautifulSoup(answer.data, "lxml").html.get("class")


def signed_in(runtime, name):
    return browser_of(runtime, player_id(runtime, name))


def choose(client, address, look):
    return client.post(f"{address}/cards", data={"look": look.name})


@pytest.mark.parametrize("look", CARD_STYLES, ids=[look.name for look in CARD_STYLES])
def test_a_card_style_is_shown_on_its_players_pages_only(runtime, client, table, look):
    play, table_id = play_address(table), table.table_id
    answer = choose(client, play, look)
    assert (answer.status_code, answer.headers["Location"]) == (303, play)
    assert look_now(runtime) == look
    hers = [play, f"{play}/cards", preferences_address(runtime)]
    hers += [runtime.signer.local_url(link) for link in (table.turn_link(ANN), seat_link(runtime, table_id, ANN))]
    assert [shown_look(client.get(address)) for address in hers] == [look.classes.split()] * len(hers)
    mine = signed_in(runtime, "Ann")
    assert [shown_look(mine.get(address)) for address in ("/signed-in", "/games", "/lobby")] == [
        look.classes.split()
    ] * 3
    others = [play_address(table, BO), preferences_address(runtime, "Bo"), "/"]
    assert [shown_look(client.get(address)) for address in others] == [USUAL.classes.split()] * 3


def test_a_page_by_link_shows_its_own_players_card_style(runtime, client, table):
    choose(client, preferences_address(runtime, "Ann"), CardStyle(large_index=True))
    choose(client, preferences_address(runtime, "Bo"), CardStyle(two_colours=True))
    bo = signed_in(runtime, "Bo")
    assert shown_look(bo.get(play_address(table))) == ["four-colours", "large-index"]
    assert shown_look(bo.get("/games")) == ["two-colours", "pictures"]


def test_a_choice_on_the_preferences_page_is_confirmed_there(runtime, client, table):
    preferences = preferences_address(runtime)
    answer = choose(client, preferences, CardStyle(two_colours=True))
    page = BeautifulSoup(client.get(answer.headers["Location"]).data, "lxml")
    assert page.find(role="status").get_text(strip=True) == "That is how your cards look from now on."
    assert page.select_one("input[name=look][checked]")["value"] == "two"


def test_a_card_style_changes_nothing_else(runtime, client, table):
    before = everything(runtime)
    runtime.now.pass_by(timedelta(minutes=1))
    choose(client, play_address(table), CardStyle(two_colours=True, large_index=True))
    after = everything(runtime)
    assert {(*key, name) for key, row in after.items() for name in row if row[name] != before[key][name]} == {
        ("player", player_id(runtime), name) for name in ("two_colours", "large_index", "seen_at")
    }
    assert after.keys() == before.keys()


def everything(runtime):
    """Every row of every table, by the table's name and the row's key."""
    with runtime.database.reading() as session:
        return {
            (table.name, *row[: len(table.primary_key)]): row._asdict()
            for table in SQLModel.metadata.sorted_tables
            for row in session.connection().execute(table.select())
        }


@pytest.mark.parametrize("sent", [{}, {"look": ""}, {"look": "three"}, {"look": "two-large'"}], ids=str)
def test_an_unknown_card_style_is_rejected_with_a_message(runtime, client, table, sent):
    for address in (play_address(table), preferences_address(runtime)):
        before = dump(runtime)
        answer = client.post(f"{address}/cards", data=sent)
        assert answer.status_code == 400
        assert "Choose one of these four looks." in answer.text
        assert dump(runtime) == before


def test_opening_the_choice_of_styles_changes_nothing(runtime, client, table):
    before = dump(runtime)
    for method in (client.get, client.head):
        assert method(f"{play_address(table)}/cards").status_code == 200
    assert dump(runtime) == before


def test_a_player_without_the_seat_chooses_no_card_style(runtime, client, table):
    address, table_id = play_address(table), table.table_id
    stolen = runtime.signer.local_url(table.turn_link(ANN)).replace("/turn/", "/play/")
    with runtime.database.writing() as session:
        eve = PlayerRow(address="eve@example.org", name="Eve", created_at=runtime.now())
        session.add(eve)
        session.flush()
        session.get_one(SeatRow, (table_id, ANN)).player_id = eve.id
    for dead in (address, stolen, "/play/x"):
        assert client.get(f"{dead}/cards").status_code == 403
        assert choose(client, dead, CardStyle(two_colours=True)).status_code == 403
    assert look_now(runtime) == USUAL


def test_a_turn_page_links_to_card_styles_not_to_preferences(runtime, client, table):
    page = client.get(runtime.signer.local_url(table.turn_link(ANN)))
    link = BeautifulSoup(page.data, "lxml").find("a", string="How your cards look")["href"]
    choice = client.get(link)
    assert choice.status_code == 200
    assert "/preferences/" not in page.text + choice.text


def test_each_card_style_is_previewed_with_all_four_suits(runtime, client, table):
    page = BeautifulSoup(client.get(f"{play_address(table)}/cards").data, "lxml")
    for look, label in zip(CARD_STYLES, page.select("label.option"), strict=True):
        assert label.input["value"] == look.name
        assert label.strong.text == look.label
        assert label.select_one(".minis")["class"] == ["minis", *look.classes.split()]
        assert [card["class"][1] for card in label.select(".card")] == ["clubs", "diamonds", "spades", "hearts"]


def test_a_choice_that_is_none_is_refused(client, runtime, table):
    stored = table.stored
    link = PlayLink(stored.row.table_id, ANN, seats(runtime, stored.row.table_id)[ANN].player_id)
    assert client.post(f"{runtime.signer.local_url(link)}/tap", data={"tap": "twice"}).status_code == 400
    assert tap_of_ann(table) is None


# as drawn


def drawn(page, of):
    """Of each card in a section of the page: its colour, its index by its width, and how much of a picture it has."""
    return page.locator(f"{of} .card").evaluate_all(f"(cards) => cards.map({DRAWN})")


@pytest.mark.parametrize("look", CARD_STYLES, ids=[look.name for look in CARD_STYLES])
def test_a_card_style_looks_as_its_preview(browser, runtime, address, table, look):
    play = address + play_address(table)
    page = browser.new_page(viewport=PHONE)
    page.goto(f"{play}/cards")
    before = drawn(page, f".minis.{look.classes.replace(' ', '.')}")
    clubs, diamonds, spades, hearts = (card.rsplit(" ", 2)[0] for card in before)
    assert len({clubs, diamonds, spades, hearts}) == (2 if look.two_colours else 4)
    assert ((clubs, diamonds) == (spades, hearts)) is look.two_colours
    page.get_by_role("radio", name=look.label, exact=True).check()
    page.get_by_role("button", name="Use this look").click()
    page.wait_for_url(play)
    for suit, shown in zip(("Clubs", "Diamonds"), before, strict=False):
        colour, _, picture = shown.rsplit(" ", 2)
        held = [card.rsplit(" ", 2) for card in drawn(page, f".hand .suit[aria-label={suit}]")]
        assert {(one, another) for one, _, another in held} <= {(colour, picture)}
    page.close()


def test_a_device_wanting_more_contrast_gets_the_large_index(browser, runtime, address, table):
    play = address + play_address(table)
    page = browser.new_page(viewport=PHONE, service_workers="block")  # it would still load when the page is closed
    page.goto(play)
    usual = drawn(page, ".hand")
    page.emulate_media(contrast="more")
    asked = drawn(page, ".hand")
    page.emulate_media(contrast="no-preference")
    page.evaluate("document.documentElement.className = 'four-colours large-index'")
    assert drawn(page, ".hand") == asked
    assert asked != usual
    assert {card.rsplit(" ", 1)[1] for card in asked} == {"0"}
    page.close()
