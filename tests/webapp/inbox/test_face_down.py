"""Cards that come by mail and lie face down, at a table that hides how fast they are played."""

import pytest

from hearts.cards import card_text
from hearts.seats import Seat
from tests.answers import answer, answered, mail, question
from tests.cast import letters, load
from tests.playing import following_cards, hide_speed, show_cards, waiting_game
from webapp.games import face_down
from webapp.models import LetterKind, TurnSource
from worker import postman

CY = Seat(2)


@pytest.fixture
def game_id(runtime):
    """Bo has led, Cy is to play and was asked; the table hides how fast cards are played."""
    made = waiting_game(runtime)
    hide_speed(runtime, made)
    postman.deliver(runtime)
    return made


def test_a_card_by_mail_lies_and_its_player_can_ask_what_became_of_it(runtime, game_id):
    letter, (low, *_, high) = question(runtime, "Cy"), map(card_text, following_cards(runtime, game_id, CY))
    assert answer(runtime, letter, mail("Cy", low)).outcome == "It was played."
    laid = face_down.lying(load(runtime, game_id))
    assert (card_text(laid.turn.card), laid.source) == (low, TurnSource.REPLY)
    assert answer(runtime, letter, mail("Cy", low.lower())).outcome == "It was played already."
    assert answered(runtime) == []
    answer(runtime, letter, mail("Cy", high))
    postman.deliver(runtime)
    (said,) = [one.message for one in letters(runtime, LetterKind.ANSWER)]
    assert "lies face down. The others see it in a few minutes." in said
    assert "Your answer came when that turn was over" in said


def test_others_get_no_mail_before_the_card_is_shown(runtime, game_id):
    theirs = others(runtime)
    answer(runtime, question(runtime, "Cy"), mail("Cy", card_text(following_cards(runtime, game_id, CY)[0])))
    postman.deliver(runtime)
    assert others(runtime) == theirs
    show_cards(runtime, game_id)
    assert len(others(runtime)) > len(theirs), "Di is asked"


def others(runtime):
    return [(one.id, one.state, one.next_at) for one in letters(runtime) if one.seat != CY]
