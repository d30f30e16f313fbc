"""The play of an answer ahead, and the moments when its player is asked again."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts.cards import card_text, parse_code
from hearts.game import Stage, apply, legal
from hearts.play import Trick
from hearts.robot import foresee
from hearts.robot.reading import position
from hearts.rules import preset_rules
from hearts.seats import Seat, every_seat
from hearts.turns import Play
from hearts.view import view
from hearts.waits.ahead import (
    Ahead,
    BadAhead,
    Unless,
    ahead_mapping,
    came,
    choices_ahead,
    follows_ahead,
    foreseen,
    is_for,
    leads_ahead,
    parse_ahead,
)
from tests.hearts.builders import game_after, random_turn, rules_of
from tests.hearts.waits.views import seen, views_of

ALL = frozenset(Unless)
WON = Trick(Seat(1), tuple(map(parse_code, ["2C", "3C", "4C", "9C"])), Seat(0))
LOST = Trick(Seat(1), tuple(map(parse_code, ["2C", "KC", "4C", "9C"])), Seat(2))


def answer(card, *, seen_cards=1, unless=ALL, trick=1, hand=1, lead=None, instead=None):
    cards = {"card": parse_code(card), "lead": lead and parse_code(lead), "instead": instead and parse_code(instead)}
    return Ahead(hand=hand, trick=trick, seen=seen_cards, unless=unless, **cards)


@pytest.mark.parametrize(
    ("view", "ahead", "card", "again"),
    [
        pytest.param(seen("9C KC", "TC"), answer("9C"), "9C", [], id="nothing has come"),
        pytest.param(seen("9C KC", "TC QS"), answer("9C"), None, ["queen", "points"], id="the queen fell"),
        pytest.param(seen("9C KC", "TC QS"), answer("9C", seen_cards=2), "9C", [], id="the queen lay there before"),
        pytest.param(seen("9C KC", "TC 2H"), answer("9C"), None, ["points"], id="points fell"),
        pytest.param(seen("9C KC", "TC 2H"), answer("9C", unless=frozenset()), "9C", [], id="whatever comes"),
        pytest.param(seen("9C KC", "TC"), answer("KC"), None, ["win"], id="it would win"),
        pytest.param(seen("9C KC", "TC AC"), answer("KC"), "KC", [], id="it does not win any more"),
        pytest.param(seen("9C 2D", "TC"), answer("2D"), None, [], id="it may not be played"),
        pytest.param(
            seen("9C", "TC QS", rules={"queen_points": 0}), answer("9C"), "9C", [], id="the queen does not count"
        ),
    ],
)
def test_the_card_is_played_unless_something_came(view, ahead, card, again) -> None:
    found = follows_ahead(ahead, view)
    assert (None if found is None else card_text(found)) == card
    assert came(ahead, view) == again


@pytest.mark.parametrize(
    ("view", "card"),
    [
        pytest.param(seen("9C KC", "TC"), "9C", id="nothing has come"),
        pytest.param(seen("9C KC", "TC 2H"), "KC", id="points fell"),
        pytest.param(seen("9C 2D", "TC 2H"), None, id="points fell, and the second card may not be played"),
    ],
)
def test_a_second_card_is_played_if_something_came(view, card) -> None:
    found = follows_ahead(answer("9C", instead="KC"), view)
    assert (None if found is None else card_text(found)) == card


@pytest.mark.parametrize(("hand", "trick", "there"), [(1, 1, True), (1, 2, False), (2, 1, False)])
def test_an_answer_is_to_one_trick_of_one_hand(hand, trick, there) -> None:
    assert is_for(answer("9C", hand=hand, trick=trick), seen("9C KC", "TC")) is there


@pytest.mark.parametrize(
    ("tricks", "ahead", "led"),
    [
        pytest.param((WON,), answer("9C", lead="4D"), "4D", id="the trick was won"),
        pytest.param((LOST,), answer("9C", lead="4D"), None, id="it was lost"),
        pytest.param((WON,), answer("9C"), None, id="no lead was chosen"),
        pytest.param((WON, WON), answer("9C", lead="4D"), None, id="of an earlier trick"),
        pytest.param((WON,), answer("9C", lead="7D"), None, id="a card that is gone"),
    ],
)
def test_a_lead_is_played_only_right_after_winning_the_trick(tricks, ahead, led) -> None:
    found = leads_ahead(ahead, seen("4D 5D", tricks=tricks))
    assert (None if found is None else card_text(found)) == led


def test_an_answer_survives_its_json_form() -> None:
    for ahead in (answer("9C"), answer("QS", lead="4D", unless=frozenset()), answer("QS", instead="AS")):
        assert parse_ahead(json.loads(json.dumps(ahead_mapping(ahead)))) == ahead


def test_an_answer_kept_before_second_cards_existed_can_be_read() -> None:
    kept = ahead_mapping(answer("9C"))
    del kept["instead"]
    assert parse_ahead(kept) == answer("9C")


@given(st.integers(0, 999), st.data())
@settings(max_examples=25)
def test_whatever_is_answered_ahead_no_illegal_card_is_played(seed, data) -> None:
    games = list(views_of(preset_rules("classic"), seed, well=False))
    game, _ = data.draw(st.sampled_from(games))
    later = [seat for seat in every_seat(4) if choices_ahead(view(game, seat))]
    if not later:
        return
    seat = data.draw(st.sampled_from(later))
    choices = st.sampled_from(sorted(choices_ahead(view(game, seat))))
    ahead = Ahead(
        hand=game.hand,
        trick=game.trick,
        card=data.draw(choices),
        seen=len(game.on_table),
        unless=data.draw(st.frozensets(st.sampled_from(list(Unless)))),
        instead=data.draw(st.none() | choices),
        lead=data.draw(st.none() | st.sampled_from(sorted(game.held[seat]))),
    )
    rng = random.Random(seed)
    while game.stage is Stage.PLAY and game.to_act != (seat,):
        game = apply(game, random_turn(game, rng, game.deal.dealer))
    card = follows_ahead(ahead, view(game, seat))
    assert card is None or card in legal(game, seat)
    if card is not None:
        while game.stage is Stage.PLAY and game.trick == ahead.trick:
            turn = Play(seat, card) if game.to_act == (seat,) else random_turn(game, rng, game.deal.dealer)
            game = apply(game, turn)
        lead = leads_ahead(ahead, view(game, seat))
        assert lead is None or (game.to_act == (seat,) and lead in legal(game, seat))


@pytest.mark.parametrize("change", [{"card": "1C"}, {"trick": None}, {"unless": ["rain"]}, {"lead": 7}])
def test_what_is_no_answer_is_refused(change) -> None:
    with pytest.raises(BadAhead):
        parse_ahead({**ahead_mapping(answer("9C")), **change})


def test_a_soon_barred_card_counts_as_the_rule_players_card() -> None:
    """Void in the first trick: neither the queen of spades nor a heart may be discarded once it is the turn."""
    game = game_after("2C", s3="QS AH 2H 5D 6D 7D 8D 9D TD JD QD KD AD", rules=rules_of())
    place = position(foreseen(view(game, Seat(3))))
    expected, *_ = foresee(place, parse_code("AD"), playouts=1, seed=1)
    assert expected["QS"] == expected["AH"] == expected["2H"]
