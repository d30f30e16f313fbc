"""Prices: the cards that players choose in the robot's roll-outs."""

import random
from bisect import bisect

from hearts.cards import parse_code
from hearts.game import Game, Stage, new_game
from hearts.robot import bits, judgement
from hearts.robot.engine import legal_mask, play, score, unseen_mask
from hearts.robot.judgement import ENTRIES, entries, judge, see, tell_apart
from hearts.robot.prices import prices
from hearts.robot.reading import position, replayed, table_numbers
from hearts.robot.search import play_out
from hearts.rules import Rules
from hearts.view import view
from tests.every import of_every
from tests.hearts.robot.tables import any_rules, dealt, step

PRICES = prices()
PARTS = sorted(getattr(judgement, name) for name in vars(judgement) if name.startswith(("LEAD", "FOLLOW", "DISCARD")))


def in_play(seed: int, rules: Rules | None = None) -> tuple[list[int], list[int]]:
    """A random hand somewhere in its play, every card known, in the layout of the inner loop."""
    rng = random.Random(seed)
    while True:
        game = dealt(new_game(rules or any_rules(rng)), rng)
        while game.stage is Stage.PASS:
            game = step(game, rng)
        for _ in range(rng.randrange(1, 40)):
            game = game if game.stage is not Stage.PLAY else step(game, rng)
        if game.stage is Stage.PLAY and game.plays:
            return lists(game)


def lists(game: Game) -> tuple[list[int], list[int]]:
    place = position(view(game, game.to_act[0]))
    rules = table_numbers(place)
    state = replayed(place, rules)
    for slot, cards in enumerate((*game.held, game.deal.kitty)):
        state[bits.HELD + slot] = cards.faces().mask
        state[bits.TWICE + slot] = cards.mask >> 52
    state[bits.KITTY_TO] = -1
    return state, rules


@of_every(range(40))
def test_a_player_by_prices_plays_legal_cards_at_any_table(seed: int):
    state, rules = in_play(seed)
    while state[bits.TRICKS_LEFT] > 0:
        card = judge(state, rules, PRICES)
        assert legal_mask(state, rules) >> card & 1
        play(state, rules, card)


@of_every(range(40))
def test_a_shortened_roll_out_has_the_whole_hands_points(seed: int):
    state, rules = in_play(seed)
    whole, work, points = list(state), [0] * bits.WORK, []
    for one, settles in ((state, rules[bits.SETTLES]), (whole, 0)):
        rules[bits.SETTLES] = settles
        play_out(one, rules, PRICES)
        points.append((score(one, rules, work), work[bits.POINTS : bits.POINTS + rules[bits.SIDES]]))
    assert points[0] == points[1]
    assert whole[bits.TRICKS_LEFT] == 0


def test_some_roll_outs_end_early():
    left = 0
    for seed in range(20):
        state, rules = in_play(seed, Rules())
        play_out(state, rules, PRICES)
        left += state[bits.TRICKS_LEFT] > 0
    assert left > 1, left


@of_every(range(40))
def test_a_player_by_prices_knows_no_more_than_its_seat(seed: int):
    state, rules = in_play(seed, Rules())
    seat, other = state[bits.SEAT], list(state)
    unseen = unseen_mask(state, rules, seat)
    for slot in range(4):
        if slot != seat:
            other[bits.HELD + slot] = unseen
    assert judge(other, rules, PRICES) == judge(state, rules, PRICES)


@of_every(range(40))
def test_every_price_adds_entries_of_different_parts_of_the_table(seed: int):
    state, rules = in_play(seed)
    rest = legal_mask(state, rules)
    while rest:
        card = bits.lowest(rest)
        rest &= rest - 1
        places = entries(see(state, rules, card // 13), card)
        assert len({bisect(PARTS, place) for place in places}) == len(places)
        assert all(0 <= place < ENTRIES for place in places)
    assert len(PRICES) == ENTRIES


def test_neighbours_are_equal_unless_the_table_has_the_card_between():
    state, rules = in_play(1, Rules())
    eight, nine, ten = (parse_code(code) for code in ("8C", "9C", "TC"))
    seat = state[bits.SEAT]
    for held in range(4):
        state[bits.HELD + held] &= ~(1 << nine)
    state[bits.HELD + seat] |= 1 << eight | 1 << ten
    state[bits.GONE], state[bits.TABLE_ONCE] = state[bits.GONE] | 1 << nine, 0
    assert not tell_apart(see(state, rules, 0), ten, eight)
    state[bits.TABLE_ONCE] = 1 << nine
    assert tell_apart(see(state, rules, 0), ten, eight)
