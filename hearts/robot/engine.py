"""The rules of play and scoring on flat lists of integers, for the robot's roll-outs.

It duplicates `hearts.play` and `hearts.score`, because those are written to be read, and this plays a million cards per
second; tests play random hands under all rules with both. `bits` defines the layout of the state and the rules.
"""

from hearts.robot.bits import (
    ASIDE_JACKS,
    ASIDE_POINTS,
    BEST,
    BEST_SEAT,
    BROKEN,
    EXTRA_HAND,
    FIFTY,
    FIRST,
    FIRST_TRICK_POINTS,
    GONE,
    GONE_TWICE,
    HEARTS_LEAD_BARRED,
    HEARTS_MASK,
    HELD,
    JACK,
    JACK_MASK,
    JACK_POINTS,
    JACKS,
    KITTY,
    KITTY_DUE,
    LAST_WINNER,
    LEADER,
    LED,
    ME,
    MOON,
    NO_TRICKS_BONUS,
    NOT_WON,
    ON_TABLE,
    OPEN,
    PACK_TOTAL,
    PACKS,
    PARTNERS,
    PENALTY,
    PLAYERS,
    POINTS,
    QUEEN,
    QUEEN_DISCARD_BARRED,
    QUEEN_LEAD_BARRED,
    QUEEN_LED_BREAKS,
    QUEEN_MASK,
    QUEEN_PLAYED_BREAKS,
    QUEEN_POINTS,
    SEAT,
    SIDES,
    SUN,
    TABLE,
    TABLE_ONCE,
    TABLE_TWICE,
    TAKEN,
    TARGET,
    TOTALS,
    TRICK_JACKS,
    TRICK_POINTS,
    TRICKS_LEFT,
    TWICE,
    TWO_PAIRS_VOID,
    VOIDS,
    WEIGHTS,
    WHOLE,
    WIN,
    WON,
    Numbers,
    count,
    highest,
    suit_mask,
)


def legal_mask(state: Numbers, rules: Numbers) -> int:
    """The faces that the seat at turn may play."""
    held = state[HELD + state[SEAT]]
    if state[ON_TABLE] == 0:
        return _may_lead(state, rules, held)
    following = held & suit_mask(state[LED])
    if following:
        return following
    if state[FIRST] and not rules[FIRST_TRICK_POINTS]:
        held = held & ~rules[PENALTY] or held
    if rules[QUEEN_DISCARD_BARRED] and not state[BROKEN]:
        held = held & ~QUEEN_MASK or held
    return held


def _may_lead(state: Numbers, rules: Numbers, held: int) -> int:
    if state[FIRST]:
        return held & state[OPEN] or held
    if state[BROKEN]:
        return held
    barred = 0
    if rules[HEARTS_LEAD_BARRED]:
        barred |= HEARTS_MASK
    if rules[QUEEN_LEAD_BARRED]:
        barred |= QUEEN_MASK
    return held & ~barred or held


def points_of(card: int, rules: Numbers) -> int:
    if card >= 39:
        return 1
    return rules[QUEEN_POINTS] if card == QUEEN else 0


def play(state: Numbers, rules: Numbers, card: int) -> None:
    """The seat at turn, which must hold `card`, plays it; a full trick goes to its winner, who is at turn next."""
    seat, bit = state[SEAT], 1 << card
    if state[TWICE + seat] & bit:
        state[TWICE + seat] ^= bit
    else:
        state[HELD + seat] ^= bit
    lay(state, rules, card)


def lay(state: Numbers, rules: Numbers, card: int) -> None:
    """Does the same as `play`, but does not remove the card from the seat: for cards from an unknown hand."""
    bit = 1 << card
    if state[GONE] & bit:
        state[GONE_TWICE] |= bit
    state[GONE] |= bit
    if state[ON_TABLE] == 0:
        state[LED] = card // 13
        state[LEADER] = state[SEAT]
    elif card // 13 != state[LED]:
        state[VOIDS + state[LED]] |= 1 << state[SEAT]
    queen_breaks = rules[QUEEN_PLAYED_BREAKS] or (rules[QUEEN_LED_BREAKS] and state[ON_TABLE] == 0)
    if card >= 39 or (card == QUEEN and queen_breaks):
        state[BROKEN] = 1
    state[TRICK_POINTS] += points_of(card, rules)
    if card == JACK:
        state[TRICK_JACKS] += 1
    _to_table(state, rules, card, bit)
    seat = state[SEAT] + 1
    state[SEAT] = seat if seat < rules[PLAYERS] else 0
    if state[ON_TABLE] == rules[PLAYERS]:
        _finish_trick(state, rules)


def _to_table(state: Numbers, rules: Numbers, card: int, bit: int) -> None:
    state[TABLE + state[ON_TABLE]] = card
    state[ON_TABLE] += 1
    if state[TABLE_ONCE] & bit:
        state[TABLE_TWICE] |= bit
    state[TABLE_ONCE] |= bit
    if rules[PACKS] == 1:
        if state[BEST] < 0 or (card // 13 == state[LED] and card > state[BEST]):
            state[BEST] = card
            state[BEST_SEAT] = state[SEAT]
        return
    alone = state[TABLE_ONCE] & ~state[TABLE_TWICE] & suit_mask(state[LED])
    if not alone or (rules[TWO_PAIRS_VOID] and count(state[TABLE_TWICE]) >= 2):
        state[BEST] = -1
        return
    best = highest(alone)
    state[BEST] = best
    for place in range(state[ON_TABLE]):
        if state[TABLE + place] == best:
            state[BEST_SEAT] = (state[LEADER] + place) % rules[PLAYERS]


def _finish_trick(state: Numbers, rules: Numbers) -> None:
    state[TRICKS_LEFT] -= 1
    points = state[TRICK_POINTS] + state[ASIDE_POINTS]
    jacks = state[TRICK_JACKS] + state[ASIDE_JACKS]
    if state[BEST] < 0:
        state[ASIDE_POINTS] = points
        state[ASIDE_JACKS] = jacks
        state[NOT_WON] += 1
        state[SEAT] = state[LEADER]
    else:
        seat = state[BEST_SEAT]
        state[TAKEN + seat] += points
        state[JACKS + seat] += jacks
        state[WON + seat] += 1
        state[ASIDE_POINTS] = 0
        state[ASIDE_JACKS] = 0
        state[LAST_WINNER] = seat
        state[SEAT] = seat
        if state[KITTY_DUE] and _kitty_goes(state, rules):
            collect_kitty(state, rules, seat)
    state[TRICK_POINTS] = 0
    state[TRICK_JACKS] = 0
    state[ON_TABLE] = 0
    state[LED] = -1
    state[BEST] = -1
    state[TABLE_ONCE] = 0
    state[TABLE_TWICE] = 0
    state[FIRST] = 0


def _kitty_goes(state: Numbers, rules: Numbers) -> bool:
    """Whether the cards left over go with the trick that was just won."""
    kind = rules[KITTY]
    if kind == 1:
        return state[TABLE_ONCE] & rules[PENALTY] != 0
    if kind == 2:
        return state[TABLE_ONCE] & HEARTS_MASK != 0
    if kind == 4:
        return state[TRICKS_LEFT] == 0
    return kind == 3 or kind == 5


def collect_kitty(state: Numbers, rules: Numbers, seat: int) -> None:
    state[KITTY_DUE] = 0
    once, twice = state[HELD + rules[PLAYERS]], state[TWICE + rules[PLAYERS]]
    state[TAKEN + seat] += mask_points(once, twice, rules)
    state[JACKS + seat] += _jacks_in(once, twice)


def unseen_mask(state: Numbers, rules: Numbers, seat: int) -> int:
    """The faces with a copy that is neither played nor held by `seat`."""
    held = state[HELD + seat]
    if rules[PACKS] == 1:
        return rules[WHOLE] & ~state[GONE] & ~held
    return rules[WHOLE] & ~(state[GONE_TWICE] | state[TWICE + seat] | (state[GONE] & held))


def mask_points(once: int, twice: int, rules: Numbers) -> int:
    points = count(once & HEARTS_MASK) + count(twice & HEARTS_MASK)
    if once & QUEEN_MASK:
        points += rules[QUEEN_POINTS]
    if twice & QUEEN_MASK:
        points += rules[QUEEN_POINTS]
    return points


def _jacks_in(once: int, twice: int) -> int:
    return (once & JACK_MASK) // JACK_MASK + (twice & JACK_MASK) // JACK_MASK


def side_of(seat: int, rules: Numbers) -> int:
    return seat & 1 if rules[PARTNERS] else seat


def score(state: Numbers, rules: Numbers, work: Numbers) -> int:
    """Writes the points of a finished hand, by side, into `work`; returns the side that shot the moon, or -1."""
    sides = rules[SIDES]
    for side in range(sides):
        work[POINTS + side] = 0
    for seat in range(rules[PLAYERS]):
        work[POINTS + side_of(seat, rules)] += state[TAKEN + seat]
    shooter = -1
    for side in range(sides):
        if work[POINTS + side] == rules[PACK_TOTAL]:
            shooter = side
    if shooter < 0:
        for seat in range(rules[PLAYERS]):
            if state[WON + seat] == 0:
                work[POINTS + side_of(seat, rules)] += rules[NO_TRICKS_BONUS]
        _add_jacks(state, rules, work)
        return shooter
    worth = rules[PACK_TOTAL] * 2 if rules[SUN] and _won_all(state, rules, shooter) else rules[PACK_TOTAL]
    _count_moon(rules, work, shooter, worth, rules[MOON] == 1)
    _add_jacks(state, rules, work)
    if rules[MOON] == 2 and _adding_loses(rules, work, shooter):
        _count_moon(rules, work, shooter, worth, True)
        _add_jacks(state, rules, work)
    return shooter


def _add_jacks(state: Numbers, rules: Numbers, work: Numbers) -> None:
    for seat in range(rules[PLAYERS]):
        work[POINTS + side_of(seat, rules)] += rules[JACK_POINTS] * state[JACKS + seat]


def _won_all(state: Numbers, rules: Numbers, shooter: int) -> bool:
    if state[NOT_WON]:
        return False
    strangers = 0
    for seat in range(rules[PLAYERS]):
        if side_of(seat, rules) != shooter:
            strangers += state[WON + seat]
    return strangers == 0


def _count_moon(rules: Numbers, work: Numbers, shooter: int, worth: int, subtract: bool) -> None:
    for side in range(rules[SIDES]):
        work[POINTS + side] = 0 if subtract else worth
    work[POINTS + shooter] = -worth if subtract else 0


def _total(rules: Numbers, work: Numbers, side: int) -> int:
    """A side's total after the hand."""
    total = rules[TOTALS + side] + work[POINTS + side]
    if rules[FIFTY] and total > 0 and total % 50 == 0:
        return total - 50
    return total


def _adding_loses(rules: Numbers, work: Numbers, shooter: int) -> bool:
    """Whether these points end the game with another side below the shooter."""
    mine = _total(rules, work, shooter)
    most, least, lowest_sides = mine, mine, 0
    for side in range(rules[SIDES]):
        total = _total(rules, work, side)
        most = max(most, total)
        least = min(least, total)
    for side in range(rules[SIDES]):
        if _total(rules, work, side) == least:
            lowest_sides += 1
    return mine > least and most >= rules[TARGET] and (not rules[EXTRA_HAND] or lowest_sides == 1)


def cost(rules: Numbers, work: Numbers) -> int:
    """The cost of these points of a hand for the robot's side, in the units of WEIGHTS; less is better."""
    worth, over = 0, False
    mine = _total(rules, work, rules[ME])
    better, equal = 0, 0
    for side in range(rules[SIDES]):
        worth += rules[WEIGHTS + side] * work[POINTS + side]
        total = _total(rules, work, side)
        over = over or total >= rules[TARGET]
        if total < mine:
            better += 1
        elif total == mine and side != rules[ME]:
            equal += 1
    if not over:
        return worth
    if better:
        return worth + rules[WIN]
    return worth - (rules[WIN] // 2 if equal else rules[WIN])
