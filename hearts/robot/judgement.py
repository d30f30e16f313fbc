"""The card of a player in a roll-out: the cheapest by a table of prices, which were fitted to the ends of many hands.

The price of a card is the sum of some entries of the table, in 64ths of a point. Prices count only in comparison with
those of the other cards of the same decision, and depend only on what the seat sees. Where a moon is in question, and
at tables for which no prices were fitted, the rule player decides. Plain functions on the lists of `bits`.
"""

from hearts.robot.bits import (
    BEST,
    HELD,
    JUDGES,
    LED,
    ON_TABLE,
    PLAYERS,
    QUEEN,
    QUEEN_MASK,
    QUEEN_POINTS,
    SEAT,
    SHOOTS,
    SPADES_MASK,
    TABLE_ONCE,
    TRICK_POINTS,
    TRICKS_LEFT,
    VOIDS,
    Numbers,
    count,
    highest,
    lowest,
    suit_mask,
)
from hearts.robot.engine import legal_mask, unseen_mask
from hearts.robot.policy import is_threatened, pick

# Where the parts of the table begin, and what each depends on. Every suit has a class: 0 clubs or diamonds; 1 spades
# whose queen is gone, 2 held, 3 out; 4 hearts. Numbers are cut off at the highest that is told apart.
LEAD = 0
"""Class × higher × lower unseen."""
LEAD_LOWER = LEAD + 5 * 6 * 6
"""Class × own lower × higher unseen."""
LEAD_VOIDS = LEAD_LOWER + 5 * 5 * 6
"""Class × whether the queen is out × seats without the suit × higher unseen."""
LEAD_SUIT = LEAD_VOIDS + 5 * 2 * 4 * 6
"""Class × phase × unseen of the suit."""
LEAD_LENGTH = LEAD_SUIT + 5 * 3 * 13
"""Class × phase × own length."""
LEAD_SPADE = LEAD_LENGTH + 5 * 3 * 7
"""Kind of spade × own low spades."""
FOLLOW = LEAD_SPADE + 4 * 5
"""Class × seats to play × points × place among the own cards."""
FOLLOW_OVER = FOLLOW + 5 * 3 * 3 * 10
"""Class × seats to play × points × higher unseen, for cards above the best."""
FOLLOW_UNDER = FOLLOW_OVER + 5 * 3 * 3 * 6
"""Seats to play × points × unseen between the card and the best, for cards below it."""
FOLLOW_LOWER = FOLLOW_UNDER + 3 * 3 * 6
"""Class × whether over × phase × own lower."""
FOLLOW_SUIT = FOLLOW_LOWER + 5 * 2 * 3 * 5
"""Class × whether over × whether last × unseen of the suit."""
FOLLOW_LENGTH = FOLLOW_SUIT + 5 * 2 * 2 * 13
"""Class × whether over × seats to play × own length."""
FOLLOW_VOIDS = FOLLOW_LENGTH + 5 * 2 * 3 * 7
"""Class × whether over × seats to play without the suit × whether the queen is out."""
DISCARD = FOLLOW_VOIDS + 5 * 2 * 4 * 2
"""Class × higher × lower unseen."""
DISCARD_LOWER = DISCARD + 5 * 6 * 6
"""Class × own lower × higher unseen × phase."""
DISCARD_LENGTH = DISCARD_LOWER + 5 * 5 * 6 * 3
"""Class × own length × own lower."""
DISCARD_POINTS = DISCARD_LENGTH + 5 * 7 * 5
"""Class × points × higher unseen."""
DISCARD_SUIT = DISCARD_POINTS + 5 * 3 * 6
"""Class × phase × unseen of the suit."""
DISCARD_SPADE = DISCARD_SUIT + 5 * 3 * 13
"""Kind of spade × own low spades."""
ENTRIES = DISCARD_SPADE + 4 * 5


def judge(state: Numbers, rules: Numbers, prices: Numbers) -> int:
    """The card that the seat at turn plays."""
    if not rules[JUDGES]:
        return pick(state, rules)
    allowed = legal_mask(state, rules)
    if allowed & (allowed - 1) == 0:
        return lowest(allowed)
    if state[SHOOTS + state[SEAT]] or is_threatened(state, rules, state[SEAT]):
        return pick(state, rules)
    spades = _under_the_queen(state, rules, allowed) if state[ON_TABLE] == 0 else 0
    return lowest(spades) if spades else cheapest(state, rules, prices, allowed)


def _under_the_queen(state: Numbers, rules: Numbers, allowed: int) -> int:
    """Mask of the low spades to lead where no other spade is out but the queen: whoever holds it must take it.

    That is too rare for the table to have learnt.
    """
    if rules[QUEEN_POINTS] and unseen_mask(state, rules, state[SEAT]) & SPADES_MASK == QUEEN_MASK:
        return allowed & SPADES_MASK & (QUEEN_MASK - 1)
    return 0


def cheapest(state: Numbers, rules: Numbers, prices: Numbers, allowed: int) -> int:
    """The cheapest of the cards `allowed`; of neighbours, which are worth the same, the highest is judged."""
    least, choice = 1 << 40, -1
    while allowed:
        suit = highest(allowed) // 13
        of_suit = allowed & suit_mask(suit)
        allowed &= ~of_suit
        sight = see(state, rules, suit)
        before = -1
        while of_suit:
            card = highest(of_suit)
            of_suit ^= 1 << card
            if before < 0 or tell_apart(sight, before, card):
                price = price_of(sight, card, prices)
                if price < least:
                    least, choice = price, card
            before = card
    return choice


Sight = tuple[int, int, int, int, int, int, int, int, int, int, int]
"""A suit as a seat sees it: the situation (0 lead, 1 follow, 2 discard), the class of the suit, the seat's cards, all
unseen ones, the best card of the trick, how many seats play after it, the class of the trick's points, the phase of the
hand, how many of those seats are known to be without the suit, whether the queen is out, and the cards on the table."""


def see(state: Numbers, rules: Numbers, suit: int) -> Sight:
    seat, on_table = state[SEAT], state[ON_TABLE]
    held, unseen = state[HELD + seat], unseen_mask(state, rules, seat)
    to_play = rules[PLAYERS] - 1 - on_table
    points, left = state[TRICK_POINTS], state[TRICKS_LEFT]
    queen_out = 1 if unseen & QUEEN_MASK and rules[QUEEN_POINTS] else 0
    return (
        0 if on_table == 0 else 1 if state[LED] == suit else 2,
        _class(suit, held, queen_out, rules),
        held,
        unseen,
        state[BEST],
        to_play,
        0 if points <= 0 else 1 if points < 4 else 2,
        0 if left > 8 else 1 if left > 4 else 2,
        _voids(state[VOIDS + suit], seat, to_play, rules[PLAYERS]),
        queen_out,
        state[TABLE_ONCE],
    )


def tell_apart(sight: Sight, high: int, low: int) -> bool:
    """Whether two cards of a suit are worth different things: another's is between them, or one is the queen."""
    return (sight[3] | sight[10]) & ((1 << high) - (2 << low)) != 0 or high == QUEEN or low == QUEEN


def price_of(sight: Sight, card: int, prices: Numbers) -> int:
    one, two, three, four, five, six = entries(sight, card)
    return prices[one] + prices[two] + prices[three] + prices[four] + prices[five] + prices[six]


def entries(sight: Sight, card: int) -> tuple[int, int, int, int, int, int]:
    """The places in the table whose sum is the price of a card."""
    situation, kind, held, unseen, best, to_play, points, phase, voids, queen_out, _ = sight
    of_suit = suit_mask(card // 13)
    theirs, mine = unseen & of_suit, held & of_suit
    out, length = min(12, count(theirs)), min(6, count(mine) - 1)
    higher, own_lower = min(5, count(theirs >> card)), min(4, count(mine & ((1 << card) - 1)))
    if situation == 1:
        over, later = int(card > best), min(2, to_play)
        side, trick = kind * 2 + over, later * 3 + points
        return (
            FOLLOW + (kind * 9 + trick) * 10 + _place(mine, card, best),
            FOLLOW_OVER + (kind * 9 + trick) * 6 + higher
            if over
            else FOLLOW_UNDER + trick * 6 + min(5, count(theirs & ((1 << best) - (2 << card)))),
            FOLLOW_LOWER + (side * 3 + phase) * 5 + own_lower,
            FOLLOW_SUIT + (side * 2 + int(to_play == 0)) * 13 + out,
            FOLLOW_LENGTH + (side * 3 + later) * 7 + length,
            FOLLOW_VOIDS + (side * 4 + voids) * 2 + queen_out,
        )
    lower = min(5, count(theirs & ((1 << card) - 1)))
    spade = _spade(card, kind) * 5 + min(4, count(held & SPADES_MASK & (QUEEN_MASK - 1)))
    if situation == 0:
        return (
            LEAD + (kind * 6 + higher) * 6 + lower,
            LEAD_LOWER + (kind * 5 + own_lower) * 6 + higher,
            LEAD_VOIDS + ((kind * 2 + queen_out) * 4 + voids) * 6 + higher,
            LEAD_SUIT + (kind * 3 + phase) * 13 + out,
            LEAD_LENGTH + (kind * 3 + phase) * 7 + length,
            LEAD_SPADE + spade,
        )
    return (
        DISCARD + (kind * 6 + higher) * 6 + lower,
        DISCARD_LOWER + ((kind * 5 + own_lower) * 6 + higher) * 3 + phase,
        DISCARD_LENGTH + (kind * 7 + length) * 5 + own_lower,
        DISCARD_POINTS + (kind * 3 + points) * 6 + higher,
        DISCARD_SUIT + (kind * 3 + phase) * 13 + out,
        DISCARD_SPADE + spade,
    )


def _class(suit: int, held: int, queen_out: int, rules: Numbers) -> int:
    if suit < 2:
        return 0
    if suit == 3:
        return 4
    if held & QUEEN_MASK and rules[QUEEN_POINTS]:
        return 2
    return 3 if queen_out else 1


def _voids(seats: int, seat: int, to_play: int, players: int) -> int:
    """How many of the `to_play` seats after `seat` are in the mask `seats`, three at most."""
    return min(3, count((seats | seats << players) >> seat + 1 & (1 << to_play) - 1))


def _spade(card: int, kind: int) -> int:
    """0 no high spade, 1 the queen, 2 one above it that is out, 3 one above it that is held."""
    if card // 13 != 2 or card < QUEEN or kind == 1:
        return 0
    return 1 if card == QUEEN else 2 if kind == 3 else 3


def _place(mine: int, card: int, best: int) -> int:
    """Ranks a card among the seat's own: 0 to 2 below the best (8 the queen), 3 and 4 above it by choice, 5 to 7 by
    need (9 the queen).
    """
    under = mine & ((1 << best) - 1)
    if card < best:
        return 8 if card == QUEEN else min(2, count(under >> card) - 1)
    if card == QUEEN:
        return 9
    over = mine & ~under
    if under:
        return 3 if over >> card == 1 else 4
    if over >> card == 1:
        return 6
    return 5 if card == lowest(over) else 7
