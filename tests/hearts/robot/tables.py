"""Random tables of every kind, from a seed, and hands in the middle of play."""

import random
from collections.abc import Callable
from typing import Any

from hearts.cards import Cards
from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, apply, legal, moon_scores
from hearts.robot import bits, choose
from hearts.robot.policy import pick
from hearts.robot.reading import position, replayed, table_numbers
from hearts.rules import OPTIONS, BadRules, Rules, choices, preset_rules
from hearts.score import smart_choice
from hearts.seats import Seat
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View, view

Player = Callable[[View], Turn]


def any_rules(rng: random.Random) -> Rules:
    """Rules of any preset with any options that fit."""
    while True:
        options: dict[str, Any] = {
            name: rng.choice(choices(name)) for name in OPTIONS if name != "preset" and rng.random() < 0.4
        }
        try:
            return preset_rules(rng.choice(choices("preset")), **options)
        except BadRules:
            continue


def dealt(game: Game, rng: random.Random) -> Game:
    dealer = dealer_after(game.deal.dealer, game.rules) if game.deal else Seat(rng.randrange(game.rules.players))
    return apply(game, deal(game.rules, dealer, rng))


def step(game: Game, rng: random.Random) -> Game:
    """The game after one more random turn; overdue moons count the smart way."""
    seat = game.to_act[0] if game.to_act else Seat(0)
    match game.stage:
        case Stage.DEAL:
            return dealt(game, rng)
        case Stage.PASS:
            return apply(game, Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count))))
        case Stage.MOON:
            return apply(game, Moon(seat, smart_choice(game.rules, moon_scores(game)[MoonChoice.ADD])))
        case _:
            return apply(game, Play(seat, rng.choice(list(legal(game, seat)))))


def by_rule(seen: View, flag: int, value: int) -> Turn:
    """The turn of the rule level, set to shoot, or not to stop a shooter."""
    if seen.stage is not Stage.PLAY:
        return choose(seen, random.Random(0))
    place = position(seen)
    rules = table_numbers(place)
    state = replayed(place, rules)
    state[flag + seen.seat] = value
    return Play(seen.seat, pick(state, rules))


def shooter(seen: View) -> Turn:
    return by_rule(seen, bits.SHOOTS, 1)


def careless(seen: View) -> Turn:
    return by_rule(seen, bits.STOPS, 0)


def shoots(game: Game, after_it: Seat, players: dict[Seat, Player]) -> bool:
    """Whether a seat that tries for the moon gets it, all others without a player of their own being careless."""
    hands = len(game.scores)
    while len(game.scores) == hands:
        seat = game.to_act[0]
        player = shooter if seat == after_it else players.get(seat, careless)
        game = apply(game, player(view(game, seat)))
    return game.scores[-1].moon == after_it
