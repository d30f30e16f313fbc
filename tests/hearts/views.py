"""Views for tables of cards, and those of whole games."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hearts.cards import Cards, in_suit, parse_code, suit
from hearts.deal import deal
from hearts.game import Game, Stage, apply, legal, new_game
from hearts.play import Trick
from hearts.robot import choose
from hearts.rules import Rules, parse_rules
from hearts.seats import Seat
from hearts.view import View, view
from tests.hearts.builders import random_turn

ME = Seat(0)


def seen(held: str, trick: str = "", *, played: str = "", rules: dict[str, Any] | None = None, **fields: Any) -> View:
    """Returns seat 0's view: `held` is its hand, `trick` is on the table, `played` are the cards of earlier tricks."""
    given = parse_rules(rules or {})
    dealt = apply(new_game(given), deal(given, ME, random.Random(1)))
    cards = [parse_code(code) for code in trick.split()]
    mine, earlier = Cards.parse(held), tuple(parse_code(code) for code in played.split())
    follows = mine & in_suit(suit(cards[0])) if cards else mine
    leader = Seat(-len(cards) % given.players)
    shown = {
        "stage": Stage.PLAY,
        "to_act": (ME,),
        "held": mine,
        "legal": (follows or mine).faces(),
        "trick": Trick(leader, tuple(cards), None) if cards else None,
        "plays": (*earlier, *cards),
        **fields,
    }
    return replace(view(dealt, ME), **shown)


def views_of(rules: Rules, seed: int, *, well: bool = True) -> Iterator[tuple[Game, View]]:
    """The games and views at each choice of a card in a hand that is played by rule, or (not `well`) at random."""
    rng = random.Random(seed)
    game = apply(new_game(rules), deal(rules, Seat(seed % rules.players), rng))
    while not game.scores and game.stage is not Stage.OVER:
        seat = game.to_act[0]
        if game.stage is Stage.PLAY and len(legal(game, seat)) > 1:
            yield game, view(game, seat)
        game = apply(game, choose(view(game, seat), rng) if well else random_turn(game, rng, game.deal.dealer))
