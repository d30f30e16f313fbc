"""Our rules against OpenSpiel's game `hearts`, where it has the same option: random hands of both, move by move.

OpenSpiel plays one hand of four players. Its options in our words: `can_lead_any_club` is `opening`,
`no_pts_on_first_trick` is `first_trick_points`, `must_break_hearts` is `hearts_lead`, `qs_breaks_hearts` is
`queen_breaks` (no or played), `jd_bonus` is `jack_points` -10, `avoid_all_tricks_bonus` is `no_tricks_bonus` -5,
`pass_cards` is `passing`. `can_lead_hearts_instead_of_qs` is no option of ours: our `queen_lead` after-broken bars QS
from every lead before hearts are broken.
"""

import random
from dataclasses import replace
from itertools import product

import pyspiel
import pytest

from hearts.cards import FACES, ONE, Cards, rank, suit
from hearts.game import Stage, apply, legal, new_game
from hearts.rules import Opening, Passing, QueenBreaks, Rules, When
from hearts.score import hand_score, outcome
from hearts.turns import Deal, Pass, Play

HANDS = 24  # of each combination, each from a seed of its own: 768 in all
PASSED_TO = {Passing.NONE: 0, Passing.LEFT: 1, Passing.RIGHT: 3}
# OpenSpiel counts cards by rank, then by suit in the order clubs, diamonds, hearts, spades.
ACTION = [4 * rank(card) + (0, 1, 3, 2)[suit(card)] for card in FACES]
MASK = {action: ONE[card] for card, action in zip(FACES, ACTION, strict=True)}
NAMES = ("any-club", "points", "break", "queen", "pass")
COMBINATIONS = [
    pytest.param(*options, id=" ".join(name for name, on in zip(NAMES, options, strict=True) if on))
    for options in product((False, True), repeat=5)
]
SCORING = list(product((0, -10), (0, -5)))


def theirs(rules):
    return pyspiel.load_game(
        "hearts",
        {
            "can_lead_any_club": rules.opening is Opening.ANY_CLUB,
            "no_pts_on_first_trick": not rules.first_trick_points,
            "must_break_hearts": rules.hearts_lead is When.AFTER_BROKEN,
            "qs_breaks_hearts": rules.queen_breaks is QueenBreaks.PLAYED,
            "pass_cards": rules.passing is not Passing.NONE,
            "jd_bonus": rules.jack_points == -10,
            "avoid_all_tricks_bonus": rules.no_tricks_bonus == -5,
        },
    )


@pytest.mark.parametrize(("any_club", "points", "must_break", "queen_breaks", "passing"), COMBINATIONS)
def test_random_hands_have_the_same_legal_cards_and_points(any_club, points, must_break, queen_breaks, passing):
    """How a hand scores does not change its play, so each hand is scored in all four ways."""
    rng = random.Random(f"{any_club} {points} {must_break} {queen_breaks} {passing}")
    rules = Rules(
        opening=Opening.ANY_CLUB if any_club else Opening.LOW_CLUB,
        first_trick_points=points,
        hearts_lead=When.AFTER_BROKEN if must_break else When.ANYTIME,
        queen_breaks=QueenBreaks.PLAYED if queen_breaks else QueenBreaks.NO,
        passing=Passing.LEFT if passing else Passing.NONE,
        target=500,
    )
    ways = [rules, replace(rules, passing=Passing.RIGHT)] if passing else [rules]
    scorings = [replace(rules, jack_points=jack, no_tricks_bonus=bonus) for jack, bonus in SCORING]
    spiels = list(map(theirs, scorings))
    for number in range(HANDS):
        game, actions = played(ways[number % len(ways)], spiels[0].new_initial_state(), rng)
        for scoring, spiel in zip(scorings, spiels, strict=True):
            assert our_points(scoring, game) == their_points(spiel, actions)


def played(rules, state, rng):
    """A random hand, played in both at once: our game after it, and their actions."""
    cards = rng.sample(FACES, 52)
    actions = [PASSED_TO[rules.passing], *(ACTION[card] for card in cards)]
    game = apply(new_game(rules), Deal(rng.randrange(4), tuple(Cards.of(cards[seat::4]) for seat in range(4)), Cards()))
    if game.stage is Stage.PASS:
        for seat in range(4):
            given = rng.sample(list(game.held[seat]), 3)
            game = apply(game, Pass(seat, Cards.of(given)))
            actions += [ACTION[card] for card in given]
    for action in actions:
        state.apply_action(action)
    while game.stage is Stage.PLAY:
        seat = game.to_act[0]
        allowed = legal(game, seat)
        assert state.current_player() == seat
        assert sum(MASK[action] for action in state.legal_actions()) == allowed.mask
        card = rng.choice(list(allowed))
        game = apply(game, Play(seat, card))
        state.apply_action(ACTION[card])
        actions.append(ACTION[card])
    assert state.is_terminal()
    return game, actions


def our_points(rules, game):
    return list(hand_score(outcome(rules, 1, (0, 0, 0, 0), game.deal, game.plays, game.won)).points)


def their_points(spiel, actions):
    state = spiel.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return [26 - returned for returned in state.returns()]
