"""The play of a card that was chosen ahead, and the cases in which it is dropped."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.ahead import (
    Ahead,
    BadAhead,
    ahead_mapping,
    choices_ahead,
    follows_ahead,
    has_points_since,
    is_for,
    parse_ahead,
)
from hearts.cards import card_text, parse_code
from hearts.game import Stage, apply, legal
from hearts.rules import preset_rules
from hearts.seats import every_seat
from hearts.view import view
from tests.hearts.builders import random_turn
from tests.hearts.views import seen, views_of


def chosen(card, *, seen_cards=1, trick=1, hand=1):
    return Ahead(hand=hand, trick=trick, seen=seen_cards, card=parse_code(card))


@pytest.mark.parametrize(
    ("view", "ahead", "card"),
    [
        pytest.param(seen("9C KC", "TC"), chosen("9C"), "9C", id="nothing has come"),
        pytest.param(seen("9C KC", "TC"), chosen("KC"), "KC", id="also if it would win"),
        pytest.param(seen("9C KC", "TC QS"), chosen("9C"), None, id="the queen fell"),
        pytest.param(seen("9C KC", "TC QS"), chosen("9C", seen_cards=2), "9C", id="the queen lay there before"),
        pytest.param(seen("9C KC", "TC 2H"), chosen("9C"), None, id="points fell"),
        pytest.param(seen("9C 2D", "TC"), chosen("2D"), None, id="it may not be played"),
        pytest.param(seen("9C", "TC QS", rules={"queen_points": 0}), chosen("9C"), "9C", id="she does not count"),
    ],
)
def test_the_card_is_played_if_legal_and_without_points(view, ahead, card) -> None:
    found = follows_ahead(ahead, view)
    assert (None if found is None else card_text(found)) == card
    assert has_points_since(ahead, view) == (card is None and ahead.card in view.legal)


@pytest.mark.parametrize(("hand", "trick", "there"), [(1, 1, True), (1, 2, False), (2, 1, False)])
def test_a_card_ahead_is_for_one_trick(hand, trick, there) -> None:
    assert is_for(chosen("9C", hand=hand, trick=trick), seen("9C KC", "TC")) is there


def test_a_card_ahead_survives_its_json_form() -> None:
    ahead = chosen("QS")
    assert parse_ahead(json.loads(json.dumps(ahead_mapping(ahead)))) == ahead


@given(st.integers(0, 999), st.data())
@settings(max_examples=25)
def test_whatever_is_chosen_ahead_no_illegal_card_is_played(seed, data) -> None:
    games = list(views_of(preset_rules("classic"), seed, well=False))
    game, _ = data.draw(st.sampled_from(games))
    later = [seat for seat in every_seat(4) if choices_ahead(view(game, seat))]
    if not later:
        return
    seat = data.draw(st.sampled_from(later))
    card = data.draw(st.sampled_from(sorted(choices_ahead(view(game, seat)))))
    ahead = Ahead(hand=game.hand, trick=game.trick, card=card, seen=len(game.on_table))
    rng = random.Random(seed)
    while game.stage is Stage.PLAY and game.to_act != (seat,):
        game = apply(game, random_turn(game, rng, game.deal.dealer))
    played = follows_ahead(ahead, view(game, seat))
    assert played is None or played in legal(game, seat)


@pytest.mark.parametrize("change", [{"card": "1C"}, {"trick": None}, {"seen": "all"}])
def test_what_is_no_card_ahead_is_refused(change) -> None:
    with pytest.raises(BadAhead):
        parse_ahead({**ahead_mapping(chosen("9C")), **change})
