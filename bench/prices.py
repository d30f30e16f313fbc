"""Fits the table of prices, by which players in the robot's roll-outs choose their cards, to the ends of random hands.

    python -m bench.prices --hands 8000 > found.py     a step from the present table, some minutes; then
                                                       replace hearts/robot/prices.py by found.py
    python -m bench.prices --compare found.py          hands without search, one seat by found.py
    python -m bench.prices --compare rule              the same, one seat by prices and the others by rule

A step plays hands with the present table. At some decisions it plays each card once, and the hand to its end: what that
costs is an estimate of the card's price. The new table has the least squared error. Each step makes the players of the
next one better, so repeat it until `--compare` finds no difference.
"""

import argparse
import runpy
import sys
from base64 import b64encode
from collections.abc import Iterator
from statistics import fmean, stdev
from textwrap import wrap

import numpy as np
from numba import njit

from bench.robot import dealt, report, table
from hearts.robot import bits, engine, judgement, passing, policy, search
from hearts.robot.compiled import numbers
from hearts.robot.prices import prices
from hearts.robot.reading import fresh_state, position, table_numbers
from hearts.view import view

PLACES = 6
"""How many entries of the table make a price."""
MOST = 20
"""The most cards that differ in a decision."""
SHARE = 0.5
"""At how many of the decisions all cards are tried."""
CURIOSITY = 16.0
"""How much prices are disturbed when cards are chosen, in 64ths of a point, so that hands vary."""
NEAR = 3.0
"""By how many points dearer cards count less, by a factor of e."""
RIDGE = 20.0

HEAD = '''"""The table of prices, fitted by `python -m bench.prices`."""

from base64 import b64decode
from struct import unpack
from typing import Final

from hearts.robot.judgement import ENTRIES


def prices() -> list[int]:
    """By entry, its share of a price, in 64ths of a point."""
    return list(unpack(f"<{ENTRIES}h", b64decode(_TABLE)))


_TABLE: Final = """
'''


def text_of(found: list[int]) -> str:
    """The source of `hearts/robot/prices.py` with this table."""
    packed = b64encode(np.array(found, dtype="<i2").tobytes()).decode()
    return HEAD + "\n".join(wrap(packed, 116)) + '\n"""\n'


# The inner loop's functions as globals of this module, where numba finds them.
legal_mask, play, score = engine.legal_mask, engine.play, engine.score
pick, is_threatened = policy.pick, policy.is_threatened
see, tell_apart, entries, judge = judgement.see, judgement.tell_apart, judgement.entries, judgement.judge
pick_pass, exchange, open_hand, play_out = passing.pick_pass, search._exchange, search.open_hand, search.play_out
highest = bits.highest


@njit
def begin(base, state, rules, work):
    """Copies a deal, passes by rule, and opens the hand."""
    state[:] = base
    if rules[bits.TO]:
        for seat in range(rules[bits.PLAYERS]):
            work[bits.GIVEN + seat] = pick_pass(state[bits.HELD + seat], state[bits.TWICE + seat], rules)
        exchange(state, rules, work, -1, 0)
    open_hand(state, rules)


@njit
def alternatives(state, rules, places, cards):
    """Writes the cards that differ, and the entries of each; returns how many there are."""
    allowed, found, before, suit = legal_mask(state, rules), 0, -1, -1
    sight = see(state, rules, 0)
    while allowed:
        card = highest(allowed)
        allowed ^= 1 << card
        if card // 13 != suit:
            suit, before = card // 13, -1
            sight = see(state, rules, suit)
        if before < 0 or tell_apart(sight, before, card):
            one, two, three, four, five, six = entries(sight, card)
            places[found] = np.array([one, two, three, four, five, six])
            cards[found] = card
            found += 1
        before = card
    return found


@njit
def advantage(state, rules, work, seat):
    """How much more the seat has got in a finished hand than the others on average, in points."""
    score(state, rules, work)
    whole, players = 0, rules[bits.PLAYERS]
    for side in range(players):
        whole += work[bits.POINTS + side]
    mine = work[bits.POINTS + seat]
    return mine - (whole - mine) / (players - 1)


@njit
def observe(base, rules, state, copy, work, weights, notes, costs, shares, groups, sizes):
    """Plays a hand, and notes for some decisions what each card cost; `sizes` counts the decisions and the cards."""
    places, cards = np.zeros((MOST, PLACES), np.int64), np.zeros(MOST, np.int64)
    price, cost = np.zeros(MOST), np.zeros(MOST)
    begin(base, state, rules, work)
    while state[bits.TRICKS_LEFT] > 0:
        seat = state[bits.SEAT]
        found = alternatives(state, rules, places, cards)
        if found < 2 or is_threatened(state, rules, seat):
            play(state, rules, pick(state, rules))
            continue
        for one in range(found):
            price[one] = 0
            for place in places[one]:
                price[one] += weights[place]
        if np.random.random() < SHARE and sizes[1] + found <= len(costs):
            for one in range(found):
                copy[:] = state
                play(copy, rules, cards[one])
                play_out(copy, rules, weights)
                cost[one] = advantage(copy, rules, work, seat)
            near = np.exp((price[:found].min() - price[:found]) / 64 / NEAR)
            near /= near.sum()
            mean = (near * cost[:found]).sum()
            for one in range(found):
                at = sizes[1]
                notes[at], costs[at], shares[at], groups[at] = places[one], cost[one] - mean, near[one], sizes[0]
                sizes[1] += 1
            sizes[0] += 1
        for one in range(found):
            price[one] += CURIOSITY * np.log(-np.log(np.random.random()))
        play(state, rules, cards[price[:found].argmin()])


@njit
def hand(base, rules, state, work, mine, others, judges, seat):
    """Plays a hand without search, one seat by the prices `mine`; returns how much more it got than the others.

    They play by the prices `others` or, if `judges` is 0, by rule.
    """
    begin(base, state, rules, work)
    while state[bits.TRICKS_LEFT] > 0:
        if state[bits.SEAT] == seat:
            card = judge(state, rules, mine)
        else:
            card = judge(state, rules, others) if judges else pick(state, rules)
        play(state, rules, card)
    return advantage(state, rules, work, seat)


def lists(name: str, hands: int, first: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Deals in the layout of the inner loop, each with its rules."""
    for number in range(first, first + hands):
        game = dealt(table(name), number)
        place = position(view(game, game.to_act[0]))
        rules = table_numbers(place)
        state = fresh_state(place, rules)
        for slot, cards in enumerate((*game.held, game.deal.kitty)):
            state[bits.HELD + slot] = cards.faces().mask
        state[bits.OPEN] = 0
        yield numbers(state), numbers(rules)


def step(name: str, hands: int, first: int) -> list[int]:
    """The table after one step."""
    weights, room = numbers(prices()), hands * 80
    notes, groups = np.zeros((room, PLACES), np.int16), np.zeros(room, np.int32)
    costs, shares, sizes = np.zeros(room, np.float32), np.zeros(room, np.float32), numbers([0, 0])
    state, copy, work = (numbers([0] * size) for size in (bits.STATE, bits.STATE, bits.WORK))
    for base, rules in lists(name, hands, first):
        observe(base, rules, state, copy, work, weights, notes, costs, shares, groups, sizes)
    noted = sizes[1]
    return [round(64 * entry) for entry in fitted(notes[:noted], costs[:noted], shares[:noted], groups[:noted])]


def fitted(notes: np.ndarray, costs: np.ndarray, shares: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The entries with the least squared error within decisions, by conjugate gradients."""

    def gather(values: np.ndarray) -> np.ndarray:
        spread = np.repeat(values * shares, PLACES)
        return np.bincount(notes.ravel(), weights=spread, minlength=judgement.ENTRIES)

    def curved(entry: np.ndarray) -> np.ndarray:
        price = entry[notes].sum(axis=1)
        mean = np.bincount(groups, weights=shares * price)
        return gather(price - mean[groups]) + RIDGE * entry

    entry, rest = np.zeros(judgement.ENTRIES), gather(costs)
    way, left = rest.copy(), rest @ rest
    enough = 1e-8 * left
    while left > enough:
        bent = curved(way)
        length = left / (way @ bent)
        entry, rest = entry + length * way, rest - length * bent
        left, before = rest @ rest, left
        way = rest + left / before * way
    return entry


def compare(name: str, hands: int, file: str) -> str:
    """The advantage of the table in a file over the present one, or of that over the rule player if `file` is `rule`.

    In points a hand, ± one standard error over deals.
    """
    judges, others = int(file != "rule"), numbers(prices())
    mine = numbers(runpy.run_path(file)["prices"]()) if judges else others
    state, work = (numbers([0] * size) for size in (bits.STATE, bits.WORK))
    edges = [
        -fmean(hand(base, rules, state, work, mine, others, judges, seat) for seat in range(rules[bits.PLAYERS]))
        for base, rules in lists(name, hands, 0)
    ]
    return f"{name}: {fmean(edges):+.3f} ± {stdev(edges) / len(edges) ** 0.5:.3f} in {hands} deals, every seat in turn"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.prices")
    parser.add_argument("--table", default="classic", help="a preset, with :players where that is not four")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--first", type=int, default=10**7, help="the number of the first deal of a step")
    parser.add_argument("--compare", metavar="FILE", help="a table to compare with the present one")
    asked = parser.parse_args()
    if asked.compare:
        report(compare(asked.table, asked.hands, asked.compare))
    else:
        sys.stdout.write(text_of(step(asked.table, asked.hands, asked.first)))


if __name__ == "__main__":
    main()
