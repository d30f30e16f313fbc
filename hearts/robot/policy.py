"""The rule player's card, by rules of thumb, from what its seat sees.

It ducks, discards high cards and the queen, keeps guards, wins safe tricks, and stops another side's moon; `shooting`
plays for a seat that tries to shoot the moon itself. Plain functions on the lists of `bits`.
"""

from hearts.robot.bits import (
    ASIDE_POINTS,
    BEST,
    BEST_SEAT,
    FIRST,
    FIRST_TRICK_POINTS,
    HEARTS_MASK,
    HELD,
    JACK,
    JACK_MASK,
    JACK_POINTS,
    LED,
    ON_TABLE,
    PARTNERS,
    PENALTY,
    PLAYERS,
    QUEEN,
    QUEEN_MASK,
    QUEEN_POINTS,
    SEAT,
    SHOOTS,
    SPADES_MASK,
    STOP_AT,
    STOPS,
    TAKEN,
    TRICK_JACKS,
    TRICK_POINTS,
    WINNING,
    Numbers,
    count,
    highest,
    lowest,
    suit_mask,
)
from hearts.robot.engine import legal_mask, side_of, unseen_mask
from hearts.robot.shooting import shoot

# The weights of the rules of thumb, in 64ths of a point, found by playing variants against each other.
W_LEAD_LENGTH = 24
W_LEAD_RANK = 1
W_LEAD_QUEEN = 3080
W_LEAD_OVER_QUEEN = 692
W_LEAD_UNDER_QUEEN = 240
W_LEAD_GUARD = 0
W_LEAD_ALONE = 300
W_LEAD_OWN_QUEEN = 27
W_LOAD = 3
W_LOAD_3 = 1
W_LOAD_2 = 12
W_LOAD_1 = 29
W_LOAD_0 = 40
W_HEART_LEAD = 80
W_OVER = 1
W_BURDEN_CHANCE = 3
W_BURDEN_LOWER = 24
W_BURDEN_LENGTH = 40
W_BURDEN_RANK = 11
W_BURDEN_HEART = 63
W_BURDEN_HEART_CHANCE = 48
W_BURDEN_OUT = 80
W_BURDEN_SPADE = 248
W_BURDEN_SPADE_GUARD = 152
W_BURDEN_GUARD = 113

HIGH_SPADES_MASK = SPADES_MASK & ~(2 * QUEEN_MASK - 1)
"""King and ace."""


def pick(state: Numbers, rules: Numbers) -> int:
    """The card that the seat at turn plays."""
    allowed = legal_mask(state, rules)
    if allowed & (allowed - 1) == 0:
        return lowest(allowed)
    seat = state[SEAT]
    others = _side_with_points(state, rules, seat)
    if state[SHOOTS + seat] and others <= 0:
        return shoot(state, rules, allowed)
    threat = others - 1 if others > 0 and state[STOPS + seat] else -1
    if threat >= 0 and _points_out(state, rules) < rules[STOP_AT]:
        threat = -1
    if state[ON_TABLE] == 0:
        return _lead(state, rules, allowed, threat)
    if allowed & suit_mask(state[LED]):
        return _follow(state, rules, allowed, threat)
    return _discard(state, rules, allowed, threat)


def is_threatened(state: Numbers, rules: Numbers, seat: int) -> bool:
    """Whether another side may shoot the moon, and the seat would make a sacrifice to stop it."""
    if not state[STOPS + seat] or _points_out(state, rules) < rules[STOP_AT]:
        return False
    return 0 < _side_with_points(state, rules, seat) < 99


def _side_with_points(state: Numbers, rules: Numbers, seat: int) -> int:
    """0 if no other side has points, 1 + a seat of the only side that has any if it is another one, else 99."""
    mine, found = side_of(seat, rules), -1
    for other in range(rules[PLAYERS]):
        if state[TAKEN + other]:
            if found >= 0 and side_of(other, rules) != side_of(found, rules):
                return 99
            found = other
    if found < 0 or side_of(found, rules) == mine:
        return 0
    return found + 1


def _points_out(state: Numbers, rules: Numbers) -> int:
    points = 0
    for seat in range(rules[PLAYERS]):
        points += state[TAKEN + seat]
    return points


def win_chance(lower: int, higher: int, followers: int) -> int:
    """The probability, in 64ths, that a card wins a trick of its suit, because nobody can or wants to play above it."""
    out = lower + higher
    if higher == 0:
        return 64
    chance, share = 64, lower * 64 // out
    for _ in range(min(followers, out)):
        chance = chance * share >> 6
    return chance


def _trick_worth(rules: Numbers, suit: int, out: int, others: int, queen_out: int) -> int:
    """The expected cost of a trick for its winner, in 64ths of a point; `out` cards of the suit led are unseen."""
    if suit == 3:
        return W_HEART_LEAD * (1 + min(out, others))
    load = W_LOAD + (rules[QUEEN_POINTS] if queen_out else 0)
    if out >= 3 * others:
        return load * W_LOAD_3
    if out >= 2 * others:
        return load * W_LOAD_2
    if out >= others:
        return load * W_LOAD_1
    return load * W_LOAD_0


def _lead(state: Numbers, rules: Numbers, allowed: int, threat: int) -> int:
    seat = state[SEAT]
    held, unseen = state[HELD + seat], unseen_mask(state, rules, seat)
    queen_out = unseen & QUEEN_MASK if rules[QUEEN_POINTS] else 0
    others = rules[PLAYERS] - 1
    best, choice = 1 << 40, lowest(allowed)
    rest = allowed
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        suit = card // 13
        of_suit = suit_mask(suit)
        out = count(unseen & of_suit)
        higher = count((unseen & of_suit) >> card)
        chance = rules[WINNING + (out - higher) * 14 + higher]
        worth = _trick_worth(rules, suit, out, others, queen_out)
        if threat >= 0 and higher == 0 and suit == 3:
            return card
        if rules[JACK_POINTS] and suit == 1 and unseen & JACK_MASK:
            worth += rules[JACK_POINTS] * 8 if card > JACK else 0
        weight = chance * worth // 64 + W_LEAD_LENGTH * count(held & of_suit) - W_LEAD_RANK * (card - suit * 13)
        if suit == 2 and rules[QUEEN_POINTS]:
            weight += _spade_lead(card, held, queen_out)
        if out == 0:
            weight += W_LEAD_ALONE
        if card == JACK and rules[JACK_POINTS]:
            weight += 500
        if weight < best:
            best, choice = weight, card
    return choice


def _spade_lead(card: int, held: int, queen_out: int) -> int:
    """The cost of leading a spade besides that of the trick."""
    if card == QUEEN:
        return W_LEAD_QUEEN
    if queen_out:
        if card > QUEEN:
            return W_LEAD_OVER_QUEEN
        return W_LEAD_GUARD if held & HIGH_SPADES_MASK else -W_LEAD_UNDER_QUEEN
    return W_LEAD_OWN_QUEEN if held & QUEEN_MASK else 0


def _follow(state: Numbers, rules: Numbers, allowed: int, threat: int) -> int:
    seat, best = state[SEAT], state[BEST]
    last = state[ON_TABLE] == rules[PLAYERS] - 1
    under = allowed if best < 0 else allowed & ((1 << best) - 1)
    over = allowed & ~under if best < 0 else allowed & ~((2 << best) - 1)
    value = state[TRICK_POINTS] + state[ASIDE_POINTS] + rules[JACK_POINTS] * state[TRICK_JACKS]
    spoils = allowed & ~QUEEN_MASK if rules[QUEEN_POINTS] else allowed
    shooting = threat >= 0 and best >= 0 and side_of(state[BEST_SEAT], rules) == side_of(threat, rules)
    if shooting and over & spoils and (state[TRICK_POINTS] or not last):
        return lowest(over & spoils) if last else highest(over & spoils)
    if rules[JACK_POINTS] and state[LED] == 1:
        if last and over & JACK_MASK and value + rules[JACK_POINTS] < 0:
            return JACK
        if over and value < 0:
            return highest(over)
        if (allowed & ~JACK_MASK) and not (last and over & JACK_MASK):
            allowed, under, over = allowed & ~JACK_MASK, under & ~JACK_MASK, over & ~JACK_MASK
            spoils = spoils & ~JACK_MASK
    if under & QUEEN_MASK and rules[QUEEN_POINTS] and best >= 0:
        if side_of(state[BEST_SEAT], rules) != side_of(seat, rules):
            return QUEEN
        if under & ~QUEEN_MASK:
            return highest(under & ~QUEEN_MASK)
    if last and value <= 0 and spoils:
        return highest(spoils)
    if under:
        return highest(under)
    if not spoils:
        return QUEEN
    if last:
        return highest(spoils)
    return _over(state, rules, seat, spoils)


def _over(state: Numbers, rules: Numbers, seat: int, allowed: int) -> int:
    """The card of a seat that must play above the best card, with others still to play."""
    led = state[LED]
    unseen = unseen_mask(state, rules, seat)
    if led == 2 and unseen & QUEEN_MASK and rules[QUEEN_POINTS]:
        return lowest(allowed)
    to_play = rules[PLAYERS] - 1 - state[ON_TABLE]
    if state[FIRST] and not rules[FIRST_TRICK_POINTS]:
        return highest(allowed)
    if led != 3 and state[TRICK_POINTS] == 0 and count(unseen & suit_mask(led)) >= W_OVER * to_play + 1:
        return highest(allowed)
    return lowest(allowed)


def _discard(state: Numbers, rules: Numbers, allowed: int, threat: int) -> int:
    seat = state[SEAT]
    winner = side_of(state[BEST_SEAT], rules) if state[BEST] >= 0 else -1
    friend = rules[PARTNERS] and winner == side_of(seat, rules)
    keep_points = friend or (threat >= 0 and (winner < 0 or winner == side_of(threat, rules)))
    if threat >= 0 and not keep_points and allowed & HEARTS_MASK:
        return lowest(allowed & HEARTS_MASK)
    if keep_points:
        allowed = allowed & ~rules[PENALTY] or allowed
    elif allowed & QUEEN_MASK and rules[QUEEN_POINTS]:
        return QUEEN
    held, unseen = state[HELD + seat], unseen_mask(state, rules, seat)
    best, choice = -(1 << 40), lowest(allowed)
    rest = allowed
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        weight = _burden(state, rules, card, held, unseen)
        if threat >= 0 and keep_points:
            weight = -weight
        if card == JACK and rules[JACK_POINTS]:
            weight += 1000 if friend else -1000
        if weight >= best:
            best, choice = weight, card
    return choice


def _burden(state: Numbers, rules: Numbers, card: int, held: int, unseen: int) -> int:
    """The advantage of getting rid of a card, in 64ths of a point."""
    suit = card // 13
    of_suit = suit_mask(suit)
    mine = held & of_suit
    out = count(unseen & of_suit)
    if out == 0:
        return -W_BURDEN_OUT
    higher = count((unseen & of_suit) >> card)
    own_lower = count(mine & ((1 << card) - 1))
    chance = rules[WINNING + (out - higher) * 14 + higher]
    weight = chance * W_BURDEN_CHANCE - W_BURDEN_LOWER * own_lower - W_BURDEN_LENGTH * count(mine)
    weight += W_BURDEN_RANK * (card - 13 * suit)
    if suit == 3:
        weight += W_BURDEN_HEART + (W_BURDEN_HEART_CHANCE * chance >> 6)
    if suit == 2 and rules[QUEEN_POINTS] and (unseen | held) & QUEEN_MASK:
        if card > QUEEN:
            weight += W_BURDEN_SPADE - W_BURDEN_SPADE_GUARD * count(mine & (QUEEN_MASK - 1))
        elif held & ~(QUEEN_MASK - 1) & SPADES_MASK:
            weight -= W_BURDEN_GUARD
    return weight
