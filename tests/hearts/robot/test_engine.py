"""The inner loop plays by the rules of `hearts.game`: the same legal cards, winners and points at any table."""

import random
from dataclasses import replace

from hearts.cards import Cards, rank
from hearts.deal import cards_each, dealer_after, pack
from hearts.game import Game, Stage, apply, legal, new_game
from hearts.robot import bits
from hearts.robot.engine import legal_mask, play, score
from hearts.robot.reading import position, table_numbers
from hearts.robot.search import open_hand
from hearts.rules import Kitty, Passing, Rules
from hearts.score import HandScore
from hearts.seats import Seat
from hearts.turns import Deal, Play
from hearts.view import view
from tests.every import of_every
from tests.hearts.robot.tables import any_rules, step

SEEDS = range(150)


def lists(game: Game) -> tuple[list[int], list[int]]:
    """A hand about to be opened, every card known, as the inner loop represents it."""
    place = position(view(game, game.to_act[0]))
    rules = table_numbers(place)
    state = [0] * bits.STATE
    state[bits.LED] = state[bits.BEST] = state[bits.KITTY_TO] = -1
    state[bits.FIRST] = 1
    state[bits.TRICKS_LEFT] = len(game.held[0])
    state[bits.KITTY_DUE] = int(rules[bits.KITTY] > 0)
    banned = bits.HEARTS_MASK if game.rules.opening_ban == "hearts" else rules[bits.PENALTY]
    state[bits.OPEN] = rules[bits.WHOLE] & ~banned
    for slot, cards in enumerate((*game.held, game.deal.kitty)):
        state[bits.HELD + slot] = cards.faces().mask
        state[bits.TWICE + slot] = cards.mask >> 52
    open_hand(state, rules)
    return state, rules


def play_both(game: Game, rng: random.Random) -> tuple[list[int], list[int], HandScore]:
    """Plays a random hand in both, comparing at each card."""
    state, rules = lists(game)
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        assert state[bits.SEAT] == seat
        assert Cards(legal_mask(state, rules)) == legal(game, seat), game.rules
        assert state[bits.BROKEN] == game.broken
        card = rng.choice(list(legal(game, seat)))
        game = apply(game, Play(seat, card))
        play(state, rules, card)
    game = step(game, rng) if game.stage is Stage.MOON else game
    return state, rules, game.scores[-1]


def opened(game: Game, rng: random.Random, hands: int = 0) -> Game:
    """The game at the opening of a hand, after that many others unless it ends before."""
    while game.stage is not Stage.OVER and (game.stage is not Stage.PLAY or len(game.scores) < hands):
        game = step(game, rng)
    return opened(new_game(game.rules), rng) if game.stage is Stage.OVER else game


def assert_alike(game: Game, rng: random.Random) -> HandScore:
    state, rules, expected = play_both(game, rng)
    assert state[bits.TAKEN : bits.TAKEN + game.rules.players] == list(expected.taken), game.rules
    assert state[bits.WON : bits.WON + game.rules.players] == list(expected.tricks_won)
    work = [0] * bits.WORK
    shooter = score(state, rules, work)
    assert (None if shooter < 0 else shooter) == expected.moon
    assert work[bits.POINTS : bits.POINTS + game.rules.sides] == list(expected.points), game.rules
    return expected


@of_every(SEEDS)
def test_both_engines_play_and_score_a_random_hand_alike(seed: int):
    rng = random.Random(seed)
    assert_alike(opened(new_game(any_rules(rng)), rng, hands=seed % 4), rng)


def top_heavy(game: Game, dealer: Seat) -> Deal:
    """A deal that gives the seat left of the dealer the highest cards of the pack."""
    cards = sorted(pack(game.rules), key=lambda card: (-rank(card), card))
    each, players = cards_each(game.rules), game.rules.players
    held = [Cards.of(cards[place * each : (place + 1) * each]) for place in range(players)]
    turned = [held[(seat - dealer - 1) % players] for seat in range(players)]
    return Deal(dealer, tuple(turned), Cards.of(cards[players * each :]))


def test_moons_score_the_same_in_both_engines():
    moons = suns = subtracted = 0
    for seed in range(300):
        rng = random.Random(seed)
        rules = replace(any_rules(rng), passing=Passing.NONE, kitty=Kitty.OFF, target=rng.choice((10, 26, 30)))
        scored = assert_alike(rigged(rules, rng), rng)
        moons += scored.moon is not None
        suns += scored.sun
        subtracted += scored.moon is not None and min(scored.points) < -12
    assert min(moons, suns, subtracted) > 5


def rigged(rules: Rules, rng: random.Random) -> Game:
    """A game at the opening of a hand that one seat must win, after other random hands."""
    game = new_game(rules)
    for _ in range(rng.randrange(3)):
        after = step(game, rng)
        while after.stage not in (Stage.DEAL, Stage.OVER):
            after = step(after, rng)
        game = game if after.stage is Stage.OVER else after
    dealer = dealer_after(game.deal.dealer, rules) if game.deal else Seat(0)
    return apply(game, top_heavy(game, dealer))
