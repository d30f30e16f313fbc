"""Roll-outs: the results of each card, or each pass, over many random deals, played to the end as `judgement` judges.

An arm is an alternative × 2, plus 1 if the seat then tries to shoot the moon. All arms are played over the same deals.
Plain functions on the lists of `bits`.
"""

from hearts.robot.bits import (
    CHOOSER,
    CLUBS_MASK,
    DOUBT,
    ELDEST,
    FEAR,
    GIVEN,
    HELD,
    KITTY_TO,
    ME,
    ON_TABLE,
    OPEN,
    OPENING,
    PACK_TOTAL,
    PAID,
    PASSES,
    PLAYERS,
    POINT,
    POINTS,
    RANDOM,
    SEAT,
    SETTLES,
    SHOOTER,
    SHOOTS,
    STATE,
    STOPS,
    SURE_THREAT,
    TAKEN,
    THREAT,
    TO,
    TRICKS_LEFT,
    TWICE,
    Numbers,
    below,
)
from hearts.robot.engine import collect_kitty, cost, play, score, side_of
from hearts.robot.judgement import judge
from hearts.robot.passing import pick_pass
from hearts.robot.sampling import deal_unseen

# The sums for each arm, RESULTS integers.
COST = 0
SQUARES = 1
"""The sum of the squares of the cost in whole points."""
OWN = 2
"""The points of the robot's side."""
MOONS = 3
"""How often its side shot the moon."""
RIVALS = 4
"""How often another side did."""
APART = 5
"""How much more it cost than the arms of its race on average in the same deal, in FINE parts of POINT: the sum over
the deals, each by its `weight`."""
SPREAD = 6
"""The weighted sum of the squares of that."""
RESULTS = 7
FINE = 15


def roll(
    base: Numbers,
    rules: Numbers,
    known: Numbers,
    unseen: Numbers,
    groups: Numbers,
    prices: Numbers,
    arms: Numbers,
    results: Numbers,
    work: Numbers,
    dealt: Numbers,
    state: Numbers,
    deals: int,
) -> None:
    """Adds `deals` deals to the `results` of each arm, and advances the random generator in `base`.

    An alternative is a card to play or, if PASSES is set in `base`, the mask of the cards to pass.
    """
    for _ in range(deals):
        _draw_deal(base, rules, known, unseen, groups, work, dealt)
        if base[PASSES]:
            for seat in range(rules[PLAYERS]):
                work[GIVEN + seat] = pick_pass(dealt[HELD + seat], dealt[TWICE + seat], rules)
        for arm in range(len(arms)):
            for index in range(STATE):
                state[index] = dealt[index]
            _set_out(state, rules, base[CHOOSER], arms[arm] & 1)
            if base[PASSES]:
                _exchange(state, rules, work, base[CHOOSER], arms[arm] >> 1)
                open_hand(state, rules)
            else:
                play(state, rules, arms[arm] >> 1)
            play_out(state, rules, prices)
            work[PAID + arm] = _add(state, rules, work, results, arm * RESULTS)
        _spread(work, results, len(arms))


def play_out(state: Numbers, rules: Numbers, prices: Numbers) -> None:
    """Plays a hand by prices in every seat, until nothing more can change its points."""
    while state[TRICKS_LEFT] > 0 and not (state[ON_TABLE] == 0 and _is_settled(state, rules)):
        play(state, rules, judge(state, rules, prices))


def _is_settled(state: Numbers, rules: Numbers) -> bool:
    """Whether no points are left, and tricks without points do not count."""
    if not rules[SETTLES]:
        return False
    points = 0
    for seat in range(rules[PLAYERS]):
        points += state[TAKEN + seat]
    return points == rules[PACK_TOTAL]


def open_hand(state: Numbers, rules: Numbers) -> None:
    """Gives the turn to the seat that leads to the first trick; if that is the eldest, OPEN does not change."""
    state[SEAT] = rules[ELDEST]
    if rules[OPENING] == 2:
        return
    opening = 0
    for seat in range(rules[PLAYERS]):
        clubs = state[HELD + seat] & CLUBS_MASK
        if clubs and (opening == 0 or clubs & -clubs < opening):
            opening = clubs & -clubs
            state[SEAT] = seat
    state[OPEN] = opening if rules[OPENING] == 0 else CLUBS_MASK


def _draw_deal(
    base: Numbers, rules: Numbers, known: Numbers, unseen: Numbers, groups: Numbers, work: Numbers, dealt: Numbers
) -> None:
    """Draws a deal into `dealt`, and at random who tries to shoot the moon and which seats stop moons."""
    for index in range(STATE):
        dealt[index] = base[index]
    deal_unseen(dealt, rules, known, unseen, groups, work)
    if base[KITTY_TO] >= 0:
        collect_kitty(dealt, rules, base[KITTY_TO])
    threat = base[THREAT] > below(dealt, SURE_THREAT)
    for seat in range(rules[PLAYERS]):
        dealt[SHOOTS + seat] = int(threat and side_of(seat, rules) == base[SHOOTER])
        dealt[STOPS + seat] = int(not threat and below(dealt, 4) > 0)
    dealt[THREAT] = int(threat)
    base[RANDOM] = dealt[RANDOM]


def _set_out(state: Numbers, rules: Numbers, seat: int, shoots: int) -> None:
    """Sets whether the robot's side tries to shoot the moon; it stops other moons in any case."""
    for other in range(rules[PLAYERS]):
        if side_of(other, rules) == side_of(seat, rules):
            state[SHOOTS + other] = shoots
            state[STOPS + other] = 1 - state[THREAT]


def _exchange(state: Numbers, rules: Numbers, work: Numbers, me: int, mine: int) -> None:
    """Moves every seat's pass to its receiver; the seat `me` passes `mine`."""
    players = rules[PLAYERS]
    for seat in range(players):
        given = mine if seat == me else work[GIVEN + seat]
        state[HELD + seat] &= ~given | state[TWICE + seat]
        state[TWICE + seat] &= ~given
    for seat in range(players):
        given = mine if seat == me else work[GIVEN + seat]
        to = (seat + rules[TO]) % players
        state[TWICE + to] |= state[HELD + to] & given
        state[HELD + to] |= given


def weight(arms: int) -> float:
    """The weight of a deal with `arms` arms, by which the variances of two arms add up to that of their difference."""
    return arms / (arms - 1) if arms > 1 else 0.0


def _spread(work: Numbers, results: Numbers, arms: int) -> None:
    """Adds what the arms cost in a deal, compared with each other."""
    whole = 0
    for arm in range(arms):
        whole += work[PAID + arm]
    if arms < 2:
        return
    for arm in range(arms):
        apart = (arms * work[PAID + arm] - whole) // arms
        results[arm * RESULTS + APART] += apart * arms // (arms - 1)
        results[arm * RESULTS + SPREAD] += apart * apart * arms // (arms - 1)


def _add(state: Numbers, rules: Numbers, work: Numbers, results: Numbers, at: int) -> int:
    """Adds a finished roll-out to the results that begin at `at`; returns its cost in FINE parts of POINT."""
    shooter = score(state, rules, work)
    paid = cost(rules, work)
    if shooter >= 0:
        paid += rules[DOUBT] if shooter == rules[ME] else rules[FEAR]
    results[at + COST] += paid
    results[at + SQUARES] += (paid // POINT) * (paid // POINT)
    results[at + OWN] += work[POINTS + rules[ME]]
    if shooter == rules[ME]:
        results[at + MOONS] += 1
    elif shooter >= 0:
        results[at + RIVALS] += 1
    return paid * FINE // POINT
