"""Tables of every kind, drawn by a seed, and hands in the middle of play."""

import random
from typing import Any

from hearts.cards import Cards
from hearts.deal import deal, dealer_after
from hearts.game import Game, Stage, apply, legal, smart_moon
from hearts.rules import OPTIONS, BadRules, Rules, choices, preset_rules
from hearts.seats import Seat
from hearts.turns import Moon, Pass, Play


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
    """The game after one more turn, taken by chance; overdue moons count the smart way."""
    seat = game.to_act[0] if game.to_act else Seat(0)
    match game.stage:
        case Stage.DEAL:
            return dealt(game, rng)
        case Stage.PASS:
            return apply(game, Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count))))
        case Stage.MOON:
            return apply(game, Moon(seat, smart_moon(game)))
        case _:
            return apply(game, Play(seat, rng.choice(list(legal(game, seat)))))
