"""Games that are played at random under the real rules, until one of them shows the wanted state."""

import random
from collections.abc import Callable, Iterator
from functools import cache

from hearts.cards import Cards, in_suit, suit
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal, new_game
from hearts.rules import Rules, preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn

CLASSIC = preset_rules("classic")
ELEVEN = preset_rules("cancellation", players=11)
SEVEN = preset_rules("classic", players=7)
KITTY = preset_rules("kitty", players=3, passing="left-right")
PARTNERS = preset_rules("partners")
OMNIBUS = preset_rules("omnibus", fifty_bonus=True, no_tricks_bonus=-5, jack_points=-10)


def games(rules: Rules, seed: int) -> Iterator[Game]:
    """Every state of a random game."""
    rng = random.Random(seed)
    game = new_game(rules)
    while game.stage is not Stage.OVER:
        game = apply(game, _chance(game, rng))
        yield game


def first_game(rules: Rules, wanted: Callable[[Game], bool]) -> Game:
    """The first state with the wanted feature, over all seeds."""
    return next(game for seed in range(500) for game in games(rules, seed) if wanted(game))


def finished_game(rules: Rules, seed: int = 3) -> Game:
    return finished_game_and_turns(rules, seed)[0]


@cache
def finished_game_and_turns(rules: Rules, seed: int) -> tuple[Game, tuple[Turn, ...]]:
    """A random game to its end; as `games` with the same seed."""
    rng = random.Random(seed)
    game, turns = new_game(rules), []
    while game.stage is not Stage.OVER:
        turns.append(_chance(game, rng))
        game = apply(game, turns[-1])
    return game, tuple(turns)


def _chance(game: Game, rng: random.Random) -> Turn:
    match game.stage:
        case Stage.DEAL:
            return deal(game.rules, Seat(game.hand % game.rules.players), rng)
        case Stage.PASS:
            seat = game.to_act[0]
            return Pass(seat, Cards.of(rng.sample(list(game.held[seat]), game.rules.pass_count)))
        case Stage.MOON:
            return Moon(game.to_act[0], MoonChoice.ADD)
        case _:
            seat = game.to_act[0]
            return Play(seat, rng.choice(list(legal(game, seat))))


def following(game: Game, *, trick: int, void: bool) -> bool:
    """Whether a player must choose: in mid-trick, with or without the suit led, some of their cards illegal."""
    if game.stage is not Stage.PLAY or game.trick < trick or not 2 <= len(game.on_table) < game.rules.players:
        return False
    seat = game.to_act[0]
    has = bool(game.held[seat] & in_suit(suit(game.on_table[0])))
    return has is not void and len(legal(game, seat)) > 1


def holds_twins(game: Game, seat: Seat) -> bool:
    return len(game.held[seat]) > len(game.held[seat].faces())


def moon_game() -> Game:
    """A shooter who must choose how the moon counts: they had every high card."""
    rules = preset_rules("classic", moon="choice", passing="none", target=60)
    high = Cards.parse("AC KC QC JC AD KD QD AS KS QS AH KH QH")
    before = first_game(rules, lambda game: game.stage is Stage.DEAL and game.hand == 4)
    rest = list(Cards.of(card for held in deal(rules, Seat(0), random.Random(1)).held for card in held) - high)
    held = (high, *(Cards.of(rest[start::3]) for start in range(3)))
    game = apply(before, Deal(Seat((before.deal.dealer + 1) % 4 if before.deal else 0), held, Cards()))
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        game = apply(game, Play(seat, max(legal(game, seat), key=lambda card: (card % 13, card))))
    return game
