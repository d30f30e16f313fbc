"""Hands in which somebody may claim, and how they end."""

from hearts.cards import rank
from hearts.claim import claim
from hearts.game import Stage, apply, legal, new_game
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from tests.hearts.builders import random_turn, top_heavy


def claims_in(rules, rng):
    """Every state of a hand in which a seat may claim, with the claim; leads are mostly high cards."""
    game = apply(new_game(rules), top_heavy(rules, Seat(rng.randrange(rules.players)), rng))
    while not game.scores:
        if game.stage is Stage.PLAY:
            seat = game.to_act[0]
            if claimed := claim(view(game, seat)):
                yield game, claimed
            high = not game.on_table and rng.random() < 0.8
            card = max(legal(game, seat), key=rank) if high else rng.choice(list(legal(game, seat)))
            game = apply(game, Play(seat, card))
        else:
            game = apply(game, random_turn(game, rng, Seat(0)))


def by_claim(game, claimed, rng):
    """The game after all cards are played, the claimer leading as claimed and the others at random.

    If any order will do, the claimer leads at random as well.
    """
    leads = iter(claimed.cards)
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        as_said = seat == claimed.seat and not claimed.any_order
        card = next(leads) if as_said else rng.choice(list(legal(game, seat)))
        game = apply(game, Play(seat, card))
    return game
