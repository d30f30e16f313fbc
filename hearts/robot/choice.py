"""Chooses a turn in a position, with a reason, the alternatives' expected points, and the means to reproduce it."""

import random
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Final

from hearts.cards import Card, Cards, card_text
from hearts.game import Stage
from hearts.robot import bits
from hearts.robot.claiming import Rest, the_rest
from hearts.robot.engine import points_of, score
from hearts.robot.keeping import cheapest_passes, to_duck, to_shoot
from hearts.robot.knowledge import Knowledge, knowledge
from hearts.robot.passing import pass_weight, pick_pass
from hearts.robot.policy import pick
from hearts.robot.race import Arm, measured, race
from hearts.robot.reading import Position, has_prices, position, replayed, table_numbers
from hearts.robot.reasons import reason, reason_to_claim, with_figures
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View
from hearts.words import Sentence


class Level(StrEnum):
    """The strength of the robot: rules of thumb, or a search with few or with many roll-outs."""

    RULE = "rule"
    STEADY = "steady"
    STRONG = "strong"


PLAYOUTS: Final[Mapping[Level, int]] = {Level.RULE: 0, Level.STEADY: 300, Level.STRONG: 4000}
"""By level, the default limit of roll-outs for the choice of a card at a table of four."""
_FOR_A_PASS: Final = 4
"""How many times as many roll-outs a pass gets: it has many more alternatives, and there is only one in a hand."""
_LEAST_GAIN: Final = 0.04
"""The search for a hurried pass ends once it expects to gain fewer points. For cards, fewer roll-outs are better."""
_AT_OTHER_TABLES: Final = 3
"""How many times as many a card gets where players by prices are no better than by rule, or hardly."""
_MOST_JUDGED: Final = 5
"""The largest table at which they are clearly better."""
_NANOSECONDS_A_CARD: Final = 130
_NANOSECONDS_A_DEAL: Final = 1000
_BESIDE_A_CARD: Final = 1
"""The milliseconds that the choice of a card takes besides its roll-outs."""
_BESIDE_A_PASS: Final = 2
_DUCKING: Final = 10
"""How many passes are considered in order to duck."""
_SHOOTING: Final = 4
"""How many in order to shoot the moon."""
_SPARE: Final = 3
"""How many cards besides those that the rule player would pass are considered."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn and its reasons. From the same position, level, playouts and seed, `consider` makes the same choice."""

    turn: Turn
    why: Sentence
    """The reason as a person would say it, without figures."""
    reason: str
    """The reason with the expected points of this and the next best choice, if they differ noticeably."""
    expected: Mapping[str, float]
    """By alternative (a card, cards or a word): this side's expected points in this hand, if it was considered."""
    level: Level
    playouts: int
    """The number of roll-outs that were played."""
    seed: int


def choose(view: View, rng: random.Random) -> Turn:
    """The rule player's turn for the seat of `view`, whose turn it must be; it does not use `rng`."""
    return _rule_turn(position(view))


def consider(
    seen: View | Position,
    *,
    level: Level = Level.STRONG,
    playouts: int | None = None,
    seed: int = 0,
    hurried: bool = False,
    stop: Callable[[], bool] | None = None,
) -> Choice:
    """The robot's choice for the seat that sees this, whose turn it must be. Raises Contradiction if no deal fits.

    `playouts` limits the roll-outs; None means the level's own limit. A pass that is `hurried` has a lower limit, and
    its search ends as soon as little can be gained: that costs 0.04 points in a hand of the classic game, and saves
    three quarters of the time. The search calls `stop` from time to time, and ends once it returns True. Whatever ended
    it, the number of roll-outs in it reproduces the choice.
    Level `rule` chooses without roll-outs, and uses them only to estimate the alternatives. A claim of the rest needs
    none, either.
    """
    place = position(seen) if isinstance(seen, View) else seen
    budget = _limit(place, level, hurried=hurried) if playouts is None else playouts
    if place.stage is Stage.MOON:
        return _choose_moon(place, level, seed)
    if level is not Level.RULE and (rest := the_rest(place)):
        return _by_claim(place, rest, level, seed)
    if not budget:
        return _by_rule(place, level, seed)
    least_gain = _LEAST_GAIN if hurried and place.stage is Stage.PASS else 0.0
    found = _searched(place, budget, seed, stop, least_gain=least_gain)
    return _by_rule(place, level, seed, found) if level is Level.RULE else _by_search(place, found, level, seed)


def _limit(place: Position, level: Level, *, hurried: bool) -> int:
    """The default limit of roll-outs in this position."""
    if place.stage is Stage.PASS:
        return PLAYOUTS[level] * (1 if hurried else _FOR_A_PASS)
    judged = has_prices(place.rules) and place.rules.players <= _MOST_JUDGED
    return PLAYOUTS[level] * (1 if judged else _AT_OTHER_TABLES)


def weighed(seen: View | Position, turns: Sequence[Turn], *, playouts: int, seed: int) -> tuple[float, ...]:
    """For each of some passes or plays, the expected points of this hand for this side, all over the same deals.

    Unlike the estimates of `consider`, these are not biased towards alternatives that chance has favoured. The turns
    must be legal, and all of the seat that sees this. Raises Contradiction if no deal fits.
    """
    place = position(seen) if isinstance(seen, View) else seen
    alternatives = [_alternative(turn) for turn in turns]
    knows = knowledge(place)
    arms = measured(knows, _arms(knows, alternatives), playouts, seed)
    own = {arm.alternative: arm.own for arm in sorted(arms, key=lambda arm: -arm.cost)}
    return tuple(own[alternative] for alternative in alternatives)


def are_alike(seen: View | Position, one: Turn, other: Turn) -> bool:
    """Whether two turns of the seat that sees this are equivalent: equal, or cards with no unseen card between them."""
    place = position(seen) if isinstance(seen, View) else seen
    if one == other or not (isinstance(one, Play) and isinstance(other, Play)):
        return one == other
    return any(one.card in group and other.card in group for group in _groups(place))


def has_a_choice(seen: View | Position) -> bool:
    """Whether the seat that sees this, whose turn it must be, has alternatives that are not equivalent."""
    place = position(seen) if isinstance(seen, View) else seen
    match place.stage:
        case Stage.PASS:
            return len(place.held) > place.rules.pass_count
        case Stage.PLAY:
            return len(_groups(place)) > 1
        case _:
            return True


def _rule_turn(place: Position) -> Turn:
    rules = table_numbers(place)
    state = replayed(place, rules)
    match place.stage:
        case Stage.PASS:
            mask = pick_pass(state[bits.HELD + place.seat], state[bits.TWICE + place.seat], rules)
            return Pass(place.seat, Cards(mask))
        case Stage.MOON:
            return _choose_moon(place, Level.RULE, 0).turn
        case _:
            return Play(place.seat, Card(pick(state, rules)))


@dataclass(frozen=True, slots=True)
class _Found:
    """The result of a race."""

    arms: tuple[Arm, ...]
    """The best arm of each alternative; the chosen one comes first."""
    expected: Mapping[str, float]
    playouts: int


def _by_rule(place: Position, level: Level, seed: int, found: _Found | None = None) -> Choice:
    turn = _rule_turn(place)
    why = reason(place, turn)
    return Choice(turn, why, str(why), found.expected if found else {}, level, found.playouts if found else 0, seed)


def _by_search(place: Position, found: _Found, level: Level, seed: int) -> Choice:
    best = found.arms[0].alternative
    passes = place.stage is Stage.PASS
    turn: Turn = Pass(place.seat, Cards(best)) if passes else Play(place.seat, Card(best))
    why = reason(place, turn, found.arms)
    return Choice(turn, why, with_figures(place, why, found.arms), found.expected, level, found.playouts, seed)


def _by_claim(place: Position, rest: Rest, level: Level, seed: int) -> Choice:
    turn = Play(place.seat, rest.claim.cards[0])
    alike = place.legal if rest.claim.any_order else (turn.card,)
    expected = {} if rest.own is None else {card_text(card): float(rest.own) for card in alike}
    why = reason_to_claim(rest)
    return Choice(turn, why, str(why), expected, level, 0, seed)


def _searched(
    place: Position,
    budget: int,
    seed: int,
    stop: Callable[[], bool] | None,
    *,
    least_gain: float = 0.0,
) -> _Found:
    """The result for a place; `stop` and `least_gain` as in `race`."""
    knows = knowledge(place)
    passes = place.stage is Stage.PASS
    twins = {} if passes else _twins(place, knows.state, knows.rules)
    if passes:
        arms = pass_arms(place, knows)
        usual = arms[0] >> 1
    else:
        arms = _arms(knows, twins)
        usual = _first_of(twins, pick(knows.state, knows.rules))
    found, used = race(knows, arms, usual, budget, seed, stop, least_gain)
    best: dict[int, Arm] = {}
    for arm in found:
        best.setdefault(arm.alternative, arm)
    if passes:
        expected = {str(Cards(mask)): round(arm.own, 2) for mask, arm in best.items()}
    else:
        expected = {card_text(Card(twin)): round(arm.own, 2) for card, arm in best.items() for twin in twins[card]}
    return _Found(tuple(best.values()), expected, used)


def _arms(knows: Knowledge, alternatives: Iterable[int]) -> list[int]:
    """The alternatives as arms; each a second time with an attempt at the moon, if that is still possible."""
    shooting = (0, 1) if _may_shoot(knows.state, knows.rules) else (0,)
    return [alternative * 2 + shoots for shoots in shooting for alternative in alternatives]


def _alternative(turn: Turn) -> int:
    """A pass or play as an integer for the inner loop."""
    match turn:
        case Play(card=card):
            return card
        case Pass(cards=cards):
            return cards.faces().mask
        case _:
            raise ValueError("only passes and plays are weighed")


def _groups(place: Position) -> Collection[list[int]]:
    rules = table_numbers(place)
    return _twins(place, replayed(place, rules), rules).values()


def _twins(place: Position, state: list[int], rules: list[int]) -> dict[int, list[int]]:
    """The legal cards up to equivalence, each with its equivalents: neighbours of equal worth in the suit."""
    groups: dict[int, list[int]] = {}
    unseen = rules[bits.WHOLE] & ~state[bits.GONE] & ~state[bits.HELD + place.seat] | _on_table(state)
    group: list[int] = []
    for card in sorted(place.legal, reverse=True):
        if group and _same(group[-1], card, unseen, rules):
            group.append(card)
        else:
            group = [card]
            groups[card] = group
    return groups


def _on_table(state: list[int]) -> int:
    return state[bits.TABLE_ONCE]


def _first_of(twins: Mapping[int, list[int]], card: int) -> int:
    return next(first for first, group in twins.items() if card in group)


def _same(high: int, low: int, unseen: int, rules: list[int]) -> bool:
    if rules[bits.PACKS] == 2 or high // 13 != low // 13 or points_of(high, rules) != points_of(low, rules):
        return False
    if rules[bits.JACK_POINTS] and bits.JACK in (high, low):
        return False
    return unseen & ((1 << high) - (2 << low)) == 0


def _may_shoot(state: list[int], rules: list[int]) -> bool:
    """Whether no other side has points."""
    mine = rules[bits.ME]
    return not any(
        state[bits.TAKEN + seat] and (seat & 1 if rules[bits.PARTNERS] else seat) != mine
        for seat in range(rules[bits.PLAYERS])
    )


def _passes(place: Position, rules: list[int]) -> list[int]:
    """Masks of the passes to consider: those of cards that the rule player ranks high, and its own pass."""
    held, count = list(place.held.faces()), place.rules.pass_count
    mask = sum(1 << card for card in held)
    ranked = sorted(held, key=lambda card: (-pass_weight(mask, card, rules), card))[: count + _SPARE]
    own = pick_pass(mask, place.held.mask >> 52, rules)
    others = [sum(1 << card for card in chosen) for chosen in combinations(ranked, count)]
    return [own, *(other for other in others if other != own)]


def pass_arms(place: Position, knows: Knowledge) -> list[int]:
    """The passes to consider, each with or without an attempt at the moon; the first one is without."""
    if not has_prices(place.rules) or place.rules.players != 4:
        return _arms(knows, _passes(place, knows.rules))
    held, number = place.held.mask, place.rules.pass_count
    ducking = cheapest_passes(held, number, to_duck(), _DUCKING)
    shooting = cheapest_passes(held, number, to_shoot(), _SHOOTING)
    return [*(mask * 2 for mask in ducking), *(mask * 2 + 1 for mask in shooting)]


def _choose_moon(place: Position, level: Level, seed: int) -> Choice:
    """The choice that is better for the seat's own side."""
    rules = table_numbers(place)
    state = replayed(place, rules)
    expected: dict[str, float] = {}
    for number, choice in enumerate(MoonChoice):
        rules[bits.MOON] = number
        work = [0] * bits.WORK
        score(state, rules, work)
        expected[str(choice)] = float(work[bits.POINTS + rules[bits.ME]])
    rules[bits.MOON] = 2
    work = [0] * bits.WORK
    score(state, rules, work)
    own = float(work[bits.POINTS + rules[bits.ME]])
    best = next(choice for choice in MoonChoice if expected[str(choice)] == own)
    turn = Moon(place.seat, best)
    why = reason(place, turn)
    return Choice(turn, why, str(why), expected, level, 0, seed)


def playouts_in(place: Position, ms: int) -> int:
    """How many roll-outs an ordinary core can play from this position in `ms` milliseconds."""
    cards = len(place.held) * place.rules.players
    beside = _BESIDE_A_PASS if place.stage is Stage.PASS else _BESIDE_A_CARD
    return max(1, ms - beside) * 1_000_000 // (_NANOSECONDS_A_CARD * cards + _NANOSECONDS_A_DEAL)
