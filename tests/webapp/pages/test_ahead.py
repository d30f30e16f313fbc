"""An answer ahead lies sealed until it is a card: its player can change it, and nobody else learns of it."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from playwright.sync_api import expect

from hearts.cards import card_text, suit
from hearts.seats import Seat
from hearts.turns import Play
from hearts.waits.ahead import Unless
from tests.cast import dump, letters, load, play_link, seats
from tests.gallery import PHONE
from tests.playing import following_cards, play_first, waiting_game
from tests.submitting import soup, words
from tests.webapp import asked_ahead
from webapp.core.tokens import TurnLink
from webapp.games import following
from webapp.games.record import changing
from webapp.kinds import QUESTIONS
from webapp.models import PlayerRow, SeatRow, SeatState, TurnSource, Wait
from webapp.play import due_games
from webapp.play.seat_transfer import Occupant, transfer_seat
from webapp.presentation.faces import face

ANN, BO = Seat(0), Seat(1)


@pytest.fixture
def game_id(runtime, monkeypatch):
    """A slow game in which Bo has led, Cy is to play, and everybody can follow with a choice of cards."""
    monkeypatch.setattr(following, "POLL_MS", 100)
    return waiting_game(runtime)


def page_of(runtime, game_id, seat):
    return runtime.signer.local_url(play_link(runtime, game_id, seat))


def answer(client, runtime, game_id, seat, card, *unless, **more):
    game = load(runtime, game_id).game
    asked = {"hand": game.hand, "due": f"trick {game.trick}"}
    fields = {"sealed": card if isinstance(card, str) else card_text(card), "unless": list(unless), **asked, **more}
    return client.post(f"{page_of(runtime, game_id, seat)}/ahead", data=fields)


def play_to(runtime, game_id, seat):
    """The others play their lowest cards until the seat has played, or has to."""
    tricks = len(load(runtime, game_id).game.tricks)
    while len(load(runtime, game_id).game.tricks) == tricks and load(runtime, game_id).game.to_act != (seat,):
        play_first(runtime, game_id)


def last_of(runtime, game_id, seat):
    plays = [record for record in load(runtime, game_id).records if isinstance(record.turn, Play)]
    return next(record for record in reversed(plays) if record.turn.seat == seat)


def test_a_new_browser_answers_ahead_by_its_mail_alone(client, runtime, game_id):
    stored, card = load(runtime, game_id), following_cards(runtime, game_id, ANN)[-1]
    player_id, due = stored.seats[ANN].player_id, f"trick {stored.game.trick}"
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player_id).browser_at = runtime.now()
    url = runtime.signer.local_url(TurnLink(game_id, ANN, stored.game.hand, due, player_id, stored.seats[ANN].links))
    page = client.get(url)
    assert "/play/" not in page.text
    assert "This browser is new to us" in words(page)
    form = soup(page).select_one("form.sealing")
    assert form["action"] == f"{url}/ahead"
    fields = {box["name"]: box["value"] for box in form.select("input[type=hidden]")}
    refused = client.post(form["action"], data={**fields, "sealed": "cat"})
    assert (refused.status_code, "Choose a card." in words(refused)) == (400, True)
    kept = client.post(form["action"], data={**fields, "sealed": card_text(card)}, follow_redirects=True)
    assert "Change my card" in words(kept)
    assert "/play/" not in kept.text
    dropped = client.post(form["action"], data={**fields, "want": "take-back"}, follow_redirects=True)
    assert "Choose now" in words(dropped)
    play_to(runtime, game_id, ANN)
    play_first(runtime, game_id)
    late = client.post(form["action"], data={**fields, "sealed": card_text(card)}, follow_redirects=True)
    assert soup(late).h1.text.startswith("You played")
    assert "/play/" not in late.text


def test_an_answer_that_the_table_has_overtaken_is_a_conflict(client, runtime, game_id):
    game, card = load(runtime, game_id).game, following_cards(runtime, game_id, ANN)[-1]
    play_to(runtime, game_id, ANN)
    before = dump(runtime)
    page = answer(client, runtime, game_id, ANN, card, Unless.WIN, hand=game.hand, due=f"trick {game.trick}")
    assert page.status_code == 409
    assert "would win the trick" in words(page)
    assert dump(runtime) == before


def test_the_answer_is_played_as_soon_as_the_turn_comes(client, runtime, game_id):
    card = following_cards(runtime, game_id, ANN)[-1]
    asked = len([one for one in letters(runtime) if one.kind in QUESTIONS])
    assert answer(client, runtime, game_id, ANN, card).status_code == 303
    play_to(runtime, game_id, ANN)
    turn, source, *_ = last_of(runtime, game_id, ANN)
    assert (turn.card, source) == (card, TurnSource.AHEAD)
    mine = [one for one in letters(runtime) if one.kind in QUESTIONS][asked:]
    trick = f"trick {len(load(runtime, game_id).game.won)}"
    assert not [one for one in mine if one.seat == ANN and one.about == trick], "she is not asked by mail"


def test_the_answer_can_be_changed_and_taken_back(client, runtime, game_id):
    first, *_, last = following_cards(runtime, game_id, ANN)
    for card in (first, last):
        answer(client, runtime, game_id, ANN, card)
        assert f"Your card is {face(card).text}" in words(client.get(page_of(runtime, game_id, ANN)))
    client.post(f"{page_of(runtime, game_id, ANN)}/ahead", data={"want": "take-back"})
    assert "Your card is" not in words(client.get(page_of(runtime, game_id, ANN)))
    play_to(runtime, game_id, ANN)
    assert load(runtime, game_id).game.to_act == (ANN,)


def test_nobody_else_learns_of_an_answer_before_or_after(client, runtime, game_id):
    others = [page_of(runtime, game_id, seat) for seat in (1, 2, 3)]
    before = [(words(client.get(page)), client.get(f"{page}/now").json) for page in others]
    answer(client, runtime, game_id, ANN, following_cards(runtime, game_id, ANN)[-1])
    after = [(words(client.get(page)), client.get(f"{page}/now").json) for page in others]
    assert after == before
    play_to(runtime, game_id, ANN)
    for page in others:
        assert "before your turn, and we played it" not in words(client.get(page))


@pytest.mark.parametrize(
    ("unless", "is_played"), [((), True), ((Unless.WIN,), False), ((Unless.QUEEN, Unless.POINTS), True)]
)
def test_an_answer_whose_condition_comes_is_asked_again(client, runtime, game_id, unless, is_played):
    card = following_cards(runtime, game_id, ANN)[-1]
    game = load(runtime, game_id).game
    assert card > max(game.on_table), "it would win"
    answer(client, runtime, game_id, ANN, card, *unless)
    play_to(runtime, game_id, ANN)
    if is_played:
        assert last_of(runtime, game_id, ANN).turn.card == card
    else:
        assert load(runtime, game_id).game.to_act == (ANN,)
        assert "before your turn, but it would win the trick." in words(client.get(page_of(runtime, game_id, ANN)))
        assert [one.seat for one in letters(runtime) if one.kind in QUESTIONS][-1] == ANN


def test_an_answer_ahead_is_stronger_than_a_wait(client, runtime, game_id):
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (load(runtime, game_id).row.table_id, ANN))
        seat.wait = Wait.NONE
    card = following_cards(runtime, game_id, ANN)[-1]
    answer(client, runtime, game_id, ANN, card, Unless.WIN)
    play_to(runtime, game_id, ANN)
    assert due_games.play_for_absent(runtime, game_id) == 0
    assert load(runtime, game_id).game.to_act == (ANN,)


def test_a_lead_chosen_ahead_follows_a_trick_that_is_won(client, runtime, game_id):
    game = load(runtime, game_id).game
    card = following_cards(runtime, game_id, ANN)[-1]
    lead = next(one for one in game.held[ANN] if suit(one) is not suit(card) and card_text(one)[1] != "H")
    asked_ahead.answer(runtime, game_id, ANN, card, lead=lead)
    tricks = len(game.tricks)
    play_to(runtime, game_id, ANN)
    now = load(runtime, game_id).game
    assert len(now.tricks) == tricks + 1
    won = now.tricks[-1].winner == ANN
    assert (now.on_table[:1] == (lead,)) is won
    assert won, "the cards of this game let her win"


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"sealed": ""}, 400, "Choose a card."),
        ({"sealed": "1C"}, 400, "Choose a card."),
        ({"sealed": "another suit"}, 400, "to this trick"),
        ({"unless": ["rain"]}, 400, "boxes on this page"),
        ({"hand": ""}, 400, "form on this page"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_changes_nothing(client, runtime, game_id, fields, status, sentence):
    game = load(runtime, game_id).game
    card = following_cards(runtime, game_id, ANN)[0]
    if fields.get("sealed") == "another suit":
        fields = {"sealed": card_text(next(one for one in game.held[ANN] if suit(one) is not suit(card)))}
    before = dump(runtime)
    response = answer(client, runtime, game_id, ANN, card, **fields)
    assert response.status_code == status
    assert sentence in words(response)
    assert dump(runtime) == before


def test_an_answer_that_comes_too_late_changes_nothing(client, runtime, game_id):
    card, trick = following_cards(runtime, game_id, ANN)[-1], load(runtime, game_id).game.trick
    while load(runtime, game_id).game.trick == trick:
        play_first(runtime, game_id)
    before = dump(runtime)
    response = answer(client, runtime, game_id, ANN, card, due=f"trick {trick}")
    assert response.status_code == 409
    assert "look again" in words(response)
    assert dump(runtime) == before


def test_who_has_played_to_the_trick_cannot_answer_it_again(client, runtime, game_id):
    card = next(iter(load(runtime, game_id).game.held[BO]))
    assert answer(client, runtime, game_id, BO, card).status_code == 409


def test_a_page_offers_once_to_choose_ahead(client, runtime, game_id):
    hint = "Tap a card to choose it before your turn."
    assert words(client.get(page_of(runtime, game_id, ANN))).count(hint) == 1
    has_played = soup(client.get(page_of(runtime, game_id, BO)))
    assert hint not in has_played.text
    assert has_played.select("#held .held")
    assert not has_played.select("#held input")


def test_a_seat_that_passes_on_takes_no_answer_with_it(client, runtime, game_id):
    answer(client, runtime, game_id, ANN, following_cards(runtime, game_id, ANN)[-1])
    row = seats(runtime, load(runtime, game_id).row.table_id)[ANN]
    assert row.ahead
    with changing.game(runtime, game_id, runtime.now()) as game:
        transfer_seat(game.transaction, game.seats[ANN], Occupant(None, "Pip", SeatState.ROBOT), game)
    assert seats(runtime, load(runtime, game_id).row.table_id)[ANN].ahead is None


def test_an_answer_waits_for_a_turn_that_is_being_taken(either_runtime):
    game_id = waiting_game(either_runtime)
    card = following_cards(either_runtime, game_id, ANN)[-1]
    answer_now = (either_runtime, game_id, ANN, card)
    with ThreadPoolExecutor(1) as pool:
        with changing.game(either_runtime, game_id, either_runtime.now()):
            kept = pool.submit(asked_ahead.answer, *answer_now)
            assert wait([kept], timeout=0.5).not_done
        kept.result()


def test_a_card_chosen_on_the_page_is_played_by_itself(browser, address, runtime, game_id):
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(address + page_of(runtime, game_id, ANN))
    card = following_cards(runtime, game_id, ANN)[-1]
    expect(page.get_by_role("button", name="Choose now")).to_be_hidden()
    page.locator(f"label:has([name=sealed][value='{card_text(card)}'])").click(position={"x": 8, "y": 30})
    page.get_by_label("Ask me again if this trick gets points").uncheck()
    page.get_by_role("button", name="Choose now").click()
    expect(page.get_by_role("button", name="Change my card")).to_be_visible()
    context.close()
    play_to(runtime, game_id, ANN)
    assert last_of(runtime, game_id, ANN).source is TurnSource.AHEAD
