"""Leading and following: a row for each rule of play."""

import pytest

from hearts.cards import Cards, card_text, parse_code
from hearts.game import IllegalTurn, apply, legal, replay, why_not
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Pass, Play
from tests.hearts.builders import game_after, random_turn, rules_of
from tests.hearts.positions import cards, named, table


def hands(text):
    """The hands, as `game_after` takes them."""
    return {f"s{who}" if who.isdigit() else who: cards(held) for who, held in named(text)}


def plays(text):
    """The seat that leads, and the cards from its lead."""
    leader, _, played = text.rpartition(": ")
    return int(leader or 1), cards(played)


def refusals(text):
    """By card: why it may not be played."""
    return {parse_code(code): why for codes, why in named(text) for code in cards(codes).split()}


@table("play", held=hands, played=plays, allowed=cards, refused=refusals)
def test_each_position_allows_exactly_its_legal_cards(options, held, played, allowed, refused):
    leader, codes = played
    game = game_after(codes, rules=rules_of(**options), leader=leader, **held)
    seat = game.to_act[0]
    assert legal(game, seat) == Cards.parse(allowed)
    assert {card: str(why_not(game, seat, card)) for card in refused} == refused
    assert all(why_not(game, seat, card) is None for card in legal(game, seat))


def test_the_highest_card_of_the_suit_wins_and_leads():
    game = game_after("2C 9C AD TC", s3="AD KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D")
    assert game.won == (0,)
    assert game.to_act == (0,)


def test_after_passing_the_holder_of_the_lowest_club_leads_it():
    rules = rules_of(passing="left")
    game = game_after(rules=rules, s1="2C 3C 4C", s0="QS KS AS")
    for seat in (0, 1, 2, 3):
        given = Cards.parse({0: "QS KS AS", 1: "2C 3C 4C"}.get(seat, "")) or Cards.of(list(game.held[seat])[:3])
        game = apply(game, Pass(Seat(seat), given))
    assert game.to_act == (2,)
    assert legal(game, Seat(2)) == Cards.parse("2C")
    assert Cards.parse("QS KS AS") - game.held[1] == Cards()


@pytest.mark.parametrize(
    ("turn", "sentence"),
    [
        (Play(Seat(0), parse_code("QS")), "seat 0 may not play QS: it must follow clubs"),
        (Play(Seat(0), parse_code("2C")), "seat 0 may not play 2C: 2C is not in its hand"),
        (Play(Seat(2), parse_code("3C")), "seat 2 may not play 3C: it is the turn of seat 0"),
        (Play(Seat(7), parse_code("3C")), "seat 7 may not play 3C: it is the turn of seat 0"),
        (Pass(Seat(0), Cards.parse("QS")), "seat 0 may not pass QS: nothing is passed now"),
    ],
)
def test_a_refusal_names_the_seat_and_the_reason(turn, sentence):
    game = game_after("2C 3C 4C", s0="5C QS")
    with pytest.raises(IllegalTurn) as refusal:
        apply(game, turn)
    assert str(refusal.value) == sentence


def test_a_refusal_to_a_player_addresses_them():
    game = game_after("2C 3C 4C", s0="5C QS")
    assert str(why_not(game, Seat(0), parse_code("2C"))) == "2♣ is not in your hand."
    assert str(why_not(game, Seat(1), parse_code("3C"))) == "It is the turn of seat 0."
    assert str(why_not(replay(rules_of(), []), Seat(0), parse_code("2C"))) == "No card is played now."


def test_with_two_packs_a_card_held_twice_is_legal_once(rng):
    rules = preset_rules("cancellation", players=8, passing="none")
    game = replay(rules, [])
    while len(legal(game, game.to_act[0]) if game.to_act else ()) == len(
        set(game.held[game.to_act[0]] if game.to_act else ())
    ):
        game = apply(game, random_turn(game, rng, Seat(0)))
    seat = game.to_act[0]
    assert [card_text(card) for card in legal(game, seat)] == sorted(
        {card_text(card) for card in legal(game, seat)}, key=parse_code
    )
