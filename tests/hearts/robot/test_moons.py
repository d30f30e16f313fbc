"""When somebody is about to shoot the moon, the robot gives up a point or two to stop it."""

import json
import random
from pathlib import Path

from hearts.cards import FACES, Cards, parse_code
from hearts.game import Game, apply, new_game
from hearts.robot import choose, consider, weighed
from hearts.rules import Opening, Passing, Rules
from hearts.seats import Seat
from hearts.turns import Deal, Play, Turn
from hearts.view import View, view
from tests.hearts.robot.tables import shoots

HANDS = json.loads(Path(__file__).with_name("moons.json").read_text())
PLAYOUTS = 2000


def robot(seen: View) -> Turn:
    return consider(seen, playouts=PLAYOUTS, seed=1).turn


def the_hand(hand: dict) -> Game:
    held = tuple(Cards.parse(cards) for cards in hand["deal"])
    game = apply(new_game(Rules(passing=Passing.NONE)), Deal(Seat(hand["dealer"]), held, Cards()))
    for code in hand["plays"].split():
        game = apply(game, Play(game.to_act[0], parse_code(code)))
    return game


def test_the_robot_stops_a_moon_that_would_otherwise_succeed():
    games = [(the_hand(hand), Seat(hand["shooter"])) for hand in HANDS]
    assert all(shoots(game, after_it, {}) for game, after_it in games)
    stopped = sum(not shoots(game, after_it, {game.to_act[0]: robot}) for game, after_it in games)
    assert stopped >= 0.95 * len(HANDS)


def test_the_robot_shoots_the_moon_with_the_right_cards():
    rules = Rules(passing=Passing.NONE)
    top = 0
    for seed in range(6):
        game = with_the_top_cards(rules, random.Random(seed))
        hands = len(game.scores)
        while len(game.scores) == hands:
            seat = game.to_act[0]
            game = apply(game, robot(view(game, seat)) if seat == 0 else choose(view(game, seat), random.Random(0)))
        top += game.scores[-1].moon == 0
    assert top >= 5


def test_a_cards_value_is_the_better_with_or_without_moon():
    game = with_the_top_cards(Rules(passing=Passing.NONE, opening=Opening.ELDEST), random.Random(1))
    (points,) = weighed(view(game, Seat(0)), [Play(Seat(0), parse_code("AC"))], playouts=400, seed=1)
    assert points < 3  # with the other it is nearly four


def with_the_top_cards(rules: Rules, rng: random.Random) -> Game:
    """Seat 0 leads with the top of every suit."""
    mine = Cards.parse("AC KC 2C AD AS KS QS JS AH KH QH JH TH")
    rest = [card for card in FACES if card not in mine]
    rng.shuffle(rest)
    held = (mine, *(Cards.of(rest[place * 13 : place * 13 + 13]) for place in range(3)))
    return apply(new_game(rules), Deal(Seat(3), held, Cards()))
