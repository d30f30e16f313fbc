"""The rule player's card when it tries to shoot the moon: it leads winners, wins points, and keeps its high cards.

Plain functions on the lists of `bits`.
"""

from hearts.robot.bits import (
    BEST,
    FIRST,
    HELD,
    LED,
    ON_TABLE,
    PENALTY,
    PLAYERS,
    SEAT,
    TRICK_POINTS,
    Numbers,
    count,
    highest,
    lowest,
    suit_mask,
)
from hearts.robot.engine import points_of, unseen_mask


def shoot(state: Numbers, rules: Numbers, allowed: int) -> int:
    """The card of a seat that tries to shoot the moon."""
    seat = state[SEAT]
    held, unseen = state[HELD + seat], unseen_mask(state, rules, seat)
    if state[ON_TABLE] == 0:
        return _lead(held, unseen, allowed)
    following = allowed & suit_mask(state[LED])
    last = state[ON_TABLE] == rules[PLAYERS] - 1
    if not following:
        return _discard(rules, allowed, held, unseen)
    best = state[BEST]
    over = following if best < 0 else following & ~((2 << best) - 1)
    if over:
        if last:
            return lowest(over)
        top = highest(over)
        sure = (unseen & suit_mask(state[LED])) >> top == 0
        if sure or state[TRICK_POINTS] or state[LED] == 3:
            return top
        return lowest(following) if not state[FIRST] and count(following) > 1 and not sure and top % 13 < 9 else top
    spare = following & ~rules[PENALTY] or following
    return lowest(spare)


def _lead(held: int, unseen: int, allowed: int) -> int:
    best, choice = -(1 << 40), lowest(allowed)
    rest = allowed
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        of_suit = suit_mask(card // 13)
        higher = count((unseen & of_suit) >> card)
        weight = 16 * count(held & of_suit) - 40 * higher + (200 if higher == 0 else 0) - (8 if card >= 39 else 0)
        if weight >= best:
            best, choice = weight, card
    return choice


def _discard(rules: Numbers, allowed: int, held: int, unseen: int) -> int:
    best, choice = -(1 << 40), lowest(allowed)
    rest = allowed
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        of_suit = suit_mask(card // 13)
        higher = count((unseen & of_suit) >> card)
        weight = 16 * higher - 4 * count(held & of_suit) - (1000 if points_of(card, rules) else 0)
        if weight > best:
            best, choice = weight, card
    return choice
