"""The rule player's pass. It passes unguarded spades from the queen upwards, and high cards.

Weights are in 64ths of a point. Plain functions on the lists of `bits`.
"""

from hearts.robot.bits import (
    JACK,
    JACK_POINTS,
    PASS_COUNT,
    QUEEN,
    QUEEN_MASK,
    QUEEN_POINTS,
    Numbers,
    count,
    lowest,
    suit_mask,
)

W_PASS_QUEEN = 900
W_PASS_GUARDS = 4
W_PASS_SPADE = 623
W_PASS_RANK = 64
W_PASS_LOWER = 90
W_PASS_LENGTH = 20
W_PASS_HEART = 26


def pick_pass(once: int, twice: int, rules: Numbers) -> int:
    """Mask of the faces that a seat passes of its cards, at most one of each face."""
    given = 0
    for _ in range(rules[PASS_COUNT]):
        best, choice = -(1 << 40), -1
        rest = once & ~given
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            weight = pass_weight(once & ~given | twice, card, rules)
            if weight > best:
                best, choice = weight, card
        given |= 1 << choice
    return given


def pass_weight(held: int, card: int, rules: Numbers) -> int:
    """The advantage of passing a card from `held`, in 64ths of a point."""
    suit = card // 13
    mine = held & suit_mask(suit)
    rank = card - 13 * suit
    lower = count(mine & ((1 << card) - 1))
    length = count(mine)
    if suit == 2 and rules[QUEEN_POINTS]:
        guards = count(mine & (QUEEN_MASK - 1))
        if card == QUEEN:
            return W_PASS_QUEEN if guards < W_PASS_GUARDS else -64 * 2
        if card > QUEEN:
            return W_PASS_SPADE if guards < W_PASS_GUARDS and length < 6 else -64
        return -64 * 3
    if card == JACK and rules[JACK_POINTS]:
        return -64 * 4
    weight = W_PASS_RANK * rank - W_PASS_LOWER * lower - W_PASS_LENGTH * (length - 3)
    if suit == 3:
        weight += W_PASS_HEART
    return weight
