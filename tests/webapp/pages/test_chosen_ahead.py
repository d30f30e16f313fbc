"""A card chosen ahead is chosen on the page of the turn, where one tap plays, if it may be played then."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text, suit
from hearts.game import Stage, apply, legal
from hearts.seats import Seat
from hearts.turns import Play
from tests.cast import load, seats, start_game
from tests.gallery import PHONE
from tests.playing import play_first
from tests.servers import wait_until
from webapp.core.tokens import PlayLink
from webapp.games import following

ANN = Seat(0)
LIVE = timedelta(seconds=60)


@pytest.fixture
def game_id(runtime, monkeypatch):
    """A live game in which others play before Ann, who has a choice."""
    monkeypatch.setattr(following, "POLL_MS", 100)
    monkeypatch.setattr(following, "LIVE_POLL_MS", 100)
    made = start_game(runtime, pace=LIVE)
    while not _follows(load(runtime, made).game):
        play_first(runtime, made)
    return made


def _follows(game):
    """Whether Bo has led, and nobody else has to play the only card that they may."""
    if game.stage is not Stage.PLAY or len(game.on_table) != 1 or game.leader != 1:
        return False
    led = suit(game.on_table[0])
    return all(
        sum(suit(card) is led for card in held) > 1 for seat, held in enumerate(game.held) if seat != game.leader
    )


@pytest.fixture
def phone(browser, runtime, address, game_id):
    context = browser.new_context(viewport=PHONE, has_touch=True)
    page = context.new_page()
    table_id = load(runtime, game_id).row.table_id
    link = PlayLink(table_id, ANN, seats(runtime, table_id)[ANN].player_id)
    page.goto(address + runtime.signer.local_url(link))
    page.locator("#ahead").wait_for()
    yield page
    context.close()


def card_to_follow(runtime, game_id, *, allowed=True):
    """The code of a card of Ann's that she may play to this trick, or may not."""
    game = load(runtime, game_id).game
    cards = [card for card in game.held[ANN] if (card in legal(_before_ann(runtime, game_id), ANN)) == allowed]
    assert game.to_act != (ANN,)
    return card_text(cards[0])


def _before_ann(runtime, game_id):
    """The game as it will be when she is to play, whatever the others play: they follow the lead."""
    game = load(runtime, game_id).game
    while game.to_act != (ANN,):
        (seat,) = game.to_act
        game = apply(game, Play(seat, next(iter(legal(game, seat)))))
    return game


def choose_ahead(page, code):
    page.locator(f"label:has([name=ahead][value='{code}'])").tap(position={"x": 8, "y": 30})


def play_until_asked(runtime, game_id):
    while load(runtime, game_id).game.to_act != (ANN,):
        play_first(runtime, game_id)


def plays_of_ann(runtime, game_id):
    game = load(runtime, game_id).game
    return [card_text(card) for card in game.deal.held[ANN] if card in game.plays] if game.deal else []


def expect_to_wait_for_the_button(page, code):
    """The card is chosen on the page of the turn, and is not on its way."""
    expect(page.locator("[name=card]:checked")).to_have_value(code)
    expect(page.locator("form.undoing")).to_have_count(0)


def expect_no_choice(page):
    """The page of the turn is there, and no card is chosen on it."""
    page.locator(".act button").wait_for()
    expect(page.locator("[name=card]:checked")).to_have_count(0)


def test_cards_chosen_ahead_are_played_three_seconds_into_the_turn(phone, runtime, game_id):
    code = card_to_follow(runtime, game_id)
    choose_ahead(phone, code)
    play_until_asked(runtime, game_id)
    expect(phone.locator(".act button")).to_have_accessible_name("Undo")
    wait_until("the card is played", lambda: code in plays_of_ann(runtime, game_id))


def test_a_card_that_may_not_be_played_then_is_forgotten(phone, runtime, game_id):
    choose_ahead(phone, card_to_follow(runtime, game_id, allowed=False))
    play_until_asked(runtime, game_id)
    expect_no_choice(phone)


def test_a_second_tap_takes_the_choice_back(phone, runtime, game_id):
    code = card_to_follow(runtime, game_id)
    choose_ahead(phone, code)
    expect(phone.locator("[name=ahead]:checked")).to_have_value(code)
    choose_ahead(phone, code)
    play_until_asked(runtime, game_id)
    expect_no_choice(phone)


def test_the_choice_stays_while_others_play(phone, runtime, game_id):
    code = card_to_follow(runtime, game_id)
    choose_ahead(phone, code)
    shown = phone.locator("#follow").get_attribute("data-version")
    play_first(runtime, game_id)
    phone.locator(f"#follow:not([data-version='{shown}'])").wait_for(state="attached")
    expect(phone.locator("[name=ahead]:checked")).to_have_value(code)


def test_a_card_chosen_ahead_by_key_waits_for_the_button(phone, runtime, game_id):
    code = card_to_follow(runtime, game_id)
    phone.locator(f"[name=ahead][value='{code}']").focus()
    phone.keyboard.press("Space")
    play_until_asked(runtime, game_id)
    expect_to_wait_for_the_button(phone, code)


def test_nothing_is_sent_before_the_turn(phone, runtime, game_id):
    sent = []
    phone.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    choose_ahead(phone, card_to_follow(runtime, game_id))
    phone.wait_for_timeout(500)
    assert [url for url in sent if not url.endswith("/here")] == []
