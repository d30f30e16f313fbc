"""A card ahead of one's turn is one tap, at slow and live tables: kept, changed, taken back, played or dropped."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from playwright.sync_api import expect

from hearts.cards import HEARTS, card_text, suit
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import dump, letters, seats
from tests.gallery import PHONE
from tests.playing import waiting_game
from tests.submitting import soup, words
from tests.webapp import chosen_ahead
from tests.webapp.chosen_ahead import with_a_heart_led
from webapp.core.tokens import TurnLink
from webapp.games.asked.running import may_choose
from webapp.models import LetterKind, PlayerRow, SeatState, TableRow, TurnSource
from webapp.pages import at_table
from webapp.pages.waiting import MAY_CHOOSE
from webapp.play.seat_transfer import Occupant, transfer_seat
from webapp.presentation.faces import face

ANN, BO, DI = Seat(0), Seat(1), Seat(3)


@pytest.fixture
def table(runtime, monkeypatch):
    """A slow game in which Bo has led, Cy is to play, and everybody can follow with a choice of cards."""
    monkeypatch.setattr(at_table, "POLL_MS", 100)
    monkeypatch.setattr(at_table, "LIVE_POLL_MS", 100)
    return waiting_game(runtime)


@pytest.fixture(params=["slow", "live"])
def either_pace(request, runtime, table):
    """The same at a slow table and at a live one."""
    if request.param == "live":
        with runtime.database.writing() as session:
            found = session.get_one(TableRow, table.table_id)
            found.pass_seconds = found.play_seconds = 60
    return table


def page_of(table, seat):
    return table.runtime.signer.local_url(table.play_link(seat))


def tap(client, table, seat, card, **more):
    game = table.game
    asked = {"hand": game.hand, "due": f"trick {game.trick}", "seen": len(game.on_table)}
    code = card if isinstance(card, str) else card_text(card)
    return client.post(f"{page_of(table, seat)}/ahead", data={**asked, "ahead": code, **more})


def form_of(client, table, seat):
    return soup(client.get(page_of(table, seat))).select_one("form.taps")


def play_to(table, seat):
    """The others play their lowest cards until the seat has played, or has to."""
    tricks = len(table.game.tricks)
    while len(table.game.tricks) == tricks and table.game.to_act != (seat,):
        table.play_first()


def last_of(table, seat):
    plays = [record for record in table.records if isinstance(record.turn, Play)]
    return next(record for record in reversed(plays) if record.turn.seat == seat)


def test_a_tapped_card_is_played_when_the_turn_comes(client, runtime, either_pace):
    card = either_pace.following_cards(ANN)[-1]
    asked = len(letters(runtime, LetterKind.TURNS))
    assert tap(client, either_pace, ANN, card).status_code == 303
    play_to(either_pace, ANN)
    turn, source, *_ = last_of(either_pace, ANN)
    assert (turn.card, source) == (card, TurnSource.AHEAD)
    mine = letters(runtime, LetterKind.TURNS)[asked:]
    trick = f"trick {len(either_pace.stored.game.won)}"
    assert not [one for one in mine if one.seat == ANN and one.about == trick], "she is not asked by mail"


def test_the_page_offers_the_cards_that_may_follow(client, runtime, either_pace):
    cards = {card_text(card) for card in either_pace.following_cards(ANN)}
    form = form_of(client, either_pace, ANN)
    assert {button["value"] for button in form.select("button[name=ahead]")} == cards
    assert len(form.select(".dead")) == len(either_pace.stored.game.held[ANN]) - len(cards)
    assert form.get_text().count(MAY_CHOOSE) == 1
    assert form_of(client, either_pace, BO) is None, "he has played to it"


def test_the_card_can_be_changed_and_taken_back(client, runtime, either_pace):
    first, *_, last = either_pace.following_cards(ANN)
    for card in (first, last):
        tap(client, either_pace, ANN, card)
        form = form_of(client, either_pace, ANN)
        assert f"{face(card).text} plays at your turn. Tap to take back." in form.text
        (chosen,) = form.select("button[aria-pressed=true]")
        assert (chosen["name"], chosen["value"], card_text(card) in chosen.text) == ("want", "take-back", True)
    tap(client, either_pace, ANN, last, want="take-back")
    assert "plays at your turn" not in form_of(client, either_pace, ANN).text
    play_to(either_pace, ANN)
    assert either_pace.stored.game.to_act == (ANN,)


def test_a_mailed_link_shows_a_new_browser_nothing_to_choose(client, runtime, table):
    stored = table.stored
    player_id, due = stored.seats[ANN].player_id, f"trick {stored.game.trick}"
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id).browser_at = runtime.now()
    url = runtime.signer.local_url(
        TurnLink(table.game_id, ANN, stored.game.hand, due, player_id, stored.seats[ANN].links)
    )
    page = client.get(url)
    assert soup(page).h1.text == "It is not your turn"
    assert "/play/" not in page.text


def test_nobody_else_learns_of_a_card_before_or_after(client, runtime, either_pace):
    others = [page_of(either_pace, seat) for seat in (1, 2, 3)]
    before = [(words(client.get(page)), client.get(f"{page}/now").json) for page in others]
    tap(client, either_pace, ANN, either_pace.following_cards(ANN)[-1])
    after = [(words(client.get(page)), client.get(f"{page}/now").json) for page in others]
    assert after == before
    play_to(either_pace, ANN)
    for page in others:
        assert "before your turn, and we played it" not in words(client.get(page))


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"ahead": ""}, 400, "Choose a card."),
        ({"ahead": "1C"}, 400, "Choose a card."),
        ({"ahead": "another suit"}, 400, "to this trick"),
        ({"hand": ""}, 400, "form on this page"),
        ({"seen": "-1"}, 400, "form on this page"),
        ({"due": "trick 1"}, 409, "look again"),
    ],
)
def test_a_card_that_cannot_be_is_refused_and_changes_nothing(client, runtime, table, fields, status, sentence):
    game = table.game
    card = table.following_cards(ANN)[0]
    if fields.get("ahead") == "another suit":
        fields = {"ahead": card_text(next(one for one in game.held[ANN] if suit(one) is not suit(card)))}
    before = dump(runtime)
    response = tap(client, table, ANN, card, **fields)
    assert response.status_code == status
    assert sentence in words(response)
    assert dump(runtime) == before


@pytest.mark.parametrize("want", ["", "take-back"])
def test_a_tap_that_comes_too_late_changes_nothing(client, runtime, table, want):
    card, trick = table.following_cards(ANN)[-1], table.game.trick
    while table.game.trick == trick:
        table.play_first()
    before = dump(runtime)
    response = tap(client, table, ANN, card, due=f"trick {trick}", want=want)
    assert response.status_code == 409
    assert "look again" in words(response)
    assert dump(runtime) == before


def test_a_card_dropped_by_points_can_be_chosen_again(client, runtime):
    table = with_a_heart_led(runtime)
    card = min(table.game.held[ANN] & HEARTS)
    tap(client, table, ANN, card)
    table.play_first()
    form, stored = form_of(client, table, ANN), table.stored
    assert f"You chose {face(card).text} before your turn, but then the trick got points." in form.text
    assert not form.select("[aria-pressed=true]")
    assert may_choose(stored.game, stored.seats[ANN])
    tap(client, table, ANN, card)
    assert form_of(client, table, ANN).select("[aria-pressed=true]")


def test_the_page_of_the_turn_says_why_it_was_dropped(client, runtime):
    table = with_a_heart_led(runtime)
    tap(client, table, DI, min(table.game.held[DI] & HEARTS))
    play_to(table, DI)
    assert table.game.to_act == (DI,)
    assert "but then the trick got points." in words(client.get(page_of(table, DI)))


def test_who_has_played_to_the_trick_cannot_choose_for_it(client, runtime, table):
    card = next(iter(table.game.held[BO]))
    assert tap(client, table, BO, card).status_code == 409


def test_a_seat_that_passes_on_takes_no_card_with_it(client, runtime, table):
    tap(client, table, ANN, table.following_cards(ANN)[-1])
    row = seats(runtime, table.table_id)[ANN]
    assert row.ahead
    with table.changing() as game:
        transfer_seat(game.transaction, game.seats[ANN], Occupant(None, "Pip", SeatState.ROBOT), game)
    assert seats(runtime, table.table_id)[ANN].ahead is None


def test_a_tap_waits_for_a_turn_that_is_being_taken(either_runtime):
    table = waiting_game(either_runtime)
    card = table.following_cards(ANN)[-1]
    given = (table, ANN, card)
    with ThreadPoolExecutor(1) as pool:
        with table.changing():
            kept = pool.submit(chosen_ahead.choose, *given)
            assert wait([kept], timeout=0.5).not_done
        kept.result()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def phone(request, browser, runtime, address, either_pace):
    """Ann's page on a phone."""
    context = browser.new_context(viewport=PHONE, has_touch=True, java_script_enabled=request.param)
    page = context.new_page()
    page.goto(address + page_of(either_pace, ANN))
    yield page
    context.close()


def tap_on(page, card):
    page.locator(f"button[id='{card_text(card)}1']").tap(position={"x": 8, "y": 30})


def test_one_tap_chooses_changes_and_takes_back(phone, runtime, either_pace):
    first, *_, last = either_pace.following_cards(ANN)
    for card in (first, last):
        tap_on(phone, card)
        expect(phone.get_by_text(f"{face(card).text} plays at your turn. Tap to take back.")).to_be_visible()
        expect(phone.locator("#held [aria-pressed=true]")).to_have_count(1)
    tap_on(phone, last)
    expect(phone.get_by_text(MAY_CHOOSE)).to_be_visible()
    assert not either_pace.stored.seats[ANN].ahead
    tap_on(phone, first)
    expect(phone.locator("#held [aria-pressed=true]")).to_have_count(1)
    play_to(either_pace, ANN)
    assert last_of(either_pace, ANN).turn.card == first


def test_a_card_is_chosen_by_key_and_keeps_the_focus(browser, address, runtime, table):
    page = browser.new_page(viewport=PHONE)
    page.goto(address + page_of(table, ANN))
    card = table.following_cards(ANN)[0]
    page.locator(f"[name=ahead][value='{card_text(card)}']").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("plays at your turn")).to_be_visible()
    expect(page.locator("#held [aria-pressed=true]")).to_be_focused()
    page.close()
