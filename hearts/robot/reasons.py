"""The reason for the robot's choice, in one sentence as a person would say it.

Of all true statements about a card, the one most likely to have decided comes first, and then the figures.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from hearts.cards import RANKS, Card, Cards
from hearts.game import Stage
from hearts.robot import bits
from hearts.robot.claiming import Rest
from hearts.robot.engine import mask_points, side_of, unseen_mask
from hearts.robot.policy import HIGH_SPADES_MASK, win_chance
from hearts.robot.race import Arm
from hearts.robot.reading import Position, replayed, table_numbers
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn

_SYMBOLS: Final = "♣♦♠♥"
_SUITS: Final = ("clubs", "diamonds", "spades", "hearts")
_LIKELY: Final = 24
"""The probability, in 64ths, from which a card "may well win"."""
_CLOSE: Final = 0.2
"""A negligible difference in points, for means of some hundred roll-outs."""


def reason(place: Position, turn: Turn, arms: Sequence[Arm] = ()) -> str:
    """A sentence for `turn`; `arms` are the best of each alternative, the chosen one first, or empty."""
    match turn:
        case Play():
            return _sentence(next(_of_card(_Scene(place), turn.card, arms)))
        case Pass():
            return _sentence(next(_of_pass(place, turn.cards, arms)))
        case Moon():
            return _sentence(_of_moon(turn))
        case Deal():
            raise ValueError("a deal has no reason")
        case _:
            assert_never(turn)


def reason_to_claim(rest: Rest) -> str:
    """A sentence for a claim of the rest."""
    cards = rest.claim.cards
    in_order = "" if rest.claim.any_order else f"lead {_names(cards)} in this order, and "
    ends = ", whatever you lead" if rest.claim.any_order else ""
    moon = " and shoot the moon" if rest.moon else ""
    return _sentence(f"the rest are yours: {in_order}you win every trick{moon}{ends}")


def with_figures(place: Position, sentence: str, arms: Sequence[Arm]) -> str:
    """The sentence with the expected points of this and the next best choice, if they differ noticeably."""
    return f"{sentence.removesuffix('.')}{_figures(place, arms)}."


def _sentence(why: str) -> str:
    return f"{why[0].upper()}{why[1:]}."


def name(card: int) -> str:
    """A card as people write it, `10♦`."""
    rank = RANKS[card % 13]
    return ("10" if rank == "T" else rank) + _SYMBOLS[card // 13]


def _names(cards: Iterable[int]) -> str:
    names = [name(card) for card in cards]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _figures(place: Position, arms: Sequence[Arm]) -> str:
    if len(arms) < 2:
        return ""
    taken, other = arms[0], arms[1]
    if abs(other.own - taken.own) < _CLOSE:
        return ""
    instead = _names(Cards(other.alternative)) if place.stage is Stage.PASS else name(other.alternative)
    ends = ", but that helps another more" if other.own < taken.own else ""
    return f" (about {taken.own:.1f} points this hand; with {instead} {other.own:.1f}{ends})"


class _Scene:
    """The present trick as the seat sees it."""

    def __init__(self, place: Position) -> None:
        self.place = place
        self.rules = table_numbers(place)
        self.state = replayed(place, self.rules)
        self.held = place.held.faces().mask
        self.led = self.state[bits.LED]
        self.best = self.state[bits.BEST]
        self.last = self.state[bits.ON_TABLE] == place.rules.players - 1
        self.points = self.state[bits.TRICK_POINTS] + self.state[bits.ASIDE_POINTS]
        self.unseen = unseen_mask(self.state, self.rules, place.seat)
        self.queen_out = bool(self.rules[bits.QUEEN_POINTS] and self.unseen & bits.QUEEN_MASK)

    def shooter(self) -> int | None:
        """A seat of the only side that has points, if it is another one and they are enough to fear a moon."""
        taken = self.state[bits.TAKEN : bits.TAKEN + self.place.rules.players]
        sides = {side_of(seat, self.rules) for seat, points in enumerate(taken) if points}
        if len(sides) != 1 or self.rules[bits.ME] in sides or sum(taken) < self.rules[bits.PACK_TOTAL] // 2:
            return None
        return next(seat for seat, points in enumerate(taken) if points)

    def shooter_has_played(self) -> bool:
        """Whether all players of the shooter's side have played to this trick."""
        shooter, players = self.shooter(), self.place.rules.players
        if shooter is None:
            return False
        to_play = [(self.place.seat + step) % players for step in range(1, players - self.state[bits.ON_TABLE])]
        return all(side_of(seat, self.rules) != side_of(shooter, self.rules) for seat in to_play)

    def wins(self, card: int) -> bool:
        return card // 13 == self.led and card > self.best

    def won_by_shooter(self) -> bool:
        shooter = self.shooter()
        if shooter is None or self.best < 0:
            return False
        return side_of(self.state[bits.BEST_SEAT], self.rules) == side_of(shooter, self.rules)


def _of_card(scene: _Scene, card: Card, arms: Sequence[Arm]) -> Iterator[str]:
    """All reasons for a card, the most important first; never empty."""
    if len(scene.place.legal) == 1:
        yield f"{name(card)} is the only card that you may play"
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield f"{_you(scene.place)} may yet take every point: {name(card)} keeps that open{_tries(arms[0])}"
    if scene.shooter() is not None:
        yield from _against_the_moon(scene, card)
    if scene.led < 0:
        yield from _of_lead(scene, card)
    elif card // 13 == scene.led:
        yield from _of_following(scene, card)
    else:
        yield from _of_discard(scene, card)


def _you(place: Position) -> str:
    return "you and your partner" if place.rules.partnership else "you"


def _tries(arm: Arm) -> str:
    return f", and it comes off in {arm.moons:.0%} of tries"


def _against_the_moon(scene: _Scene, card: int) -> Iterator[str]:
    points = mask_points(1 << card, 0, scene.rules)
    who = "the other side" if scene.place.rules.partnership else "one player"
    if scene.led >= 0 and scene.wins(card) and scene.points:
        yield f"{who} has every point so far: with {name(card)} this trick may be yours, and the moon is off"
    if scene.led >= 0 and scene.wins(card) and not scene.last:
        yield f"{who} has every point so far: {name(card)} may win this trick, and a point in it stops the moon"
    if scene.led < 0 and card >= 39 and not scene.unseen >> card:
        yield f"{who} has every point so far: {name(card)} wins a heart, and the moon is off"
    if scene.led >= 0 and card // 13 != scene.led and points and not scene.won_by_shooter():
        ends = "goes to another, and the moon is off" if scene.shooter_has_played() else "may go to another"
        yield f"{who} has every point so far: {name(card)} {ends}"
    if scene.won_by_shooter() and not points and card // 13 != scene.led:
        yield f"{who} has every point so far: give {name(card)} and keep what may still stop the moon"


def _of_lead(scene: _Scene, card: int) -> Iterator[str]:
    suit = card // 13
    out = scene.unseen & bits.suit_mask(suit)
    higher, lower = bits.count(out >> card + 1), bits.count(out & ((1 << card) - 1))
    twin = bool(out >> card & 1)
    if suit == 2 and scene.queen_out and card < bits.QUEEN and not scene.held & HIGH_SPADES_MASK:
        yield f"the queen is still out and cannot hurt you under {name(card)}: lead spades until it falls"
    if not out:
        yield f"nobody else has {_SUITS[suit]}: {name(card)} keeps the lead and costs what the others throw on it"
    if not lower and not twin:
        yield f"every {_SUITS[suit][:-1]} still out is higher: {name(card)} wins only if nobody can follow"
    if not higher and twin:
        yield f"nothing goes over {name(card)}, but the other {name(card)} may cancel it"
    if not higher:
        yield f"{name(card)} wins now, while {lower} of the {_SUITS[suit]} are out and the others can still follow"
    if win_chance(lower, higher, scene.place.rules.players - 1) >= _LIKELY:
        over = f"only {higher} of the {higher + lower} {_SUITS[suit]} still out"
        yield f"{over} would beat {name(card)}: if it must win once, better now than later"
    many = f"{higher} of the {higher + lower} {_SUITS[suit]} still out"
    yield f"{many} would beat {name(card)}: somebody may well go over it"


def _of_following(scene: _Scene, card: int) -> Iterator[str]:
    wins = scene.wins(card)
    under = scene.place.legal.mask & ((1 << max(scene.best, 0)) - 1)
    if scene.state[bits.TABLE_ONCE] >> card & 1:
        yield f"{name(card)} cancels the other {name(card)}: neither can win"
    if scene.best < 0 and scene.rules[bits.TWO_PAIRS_VOID] and bits.count(scene.state[bits.TABLE_TWICE]) > 1:
        yield f"two pairs lie on the table, and nobody wins this trick: be rid of {name(card)}"
    if scene.best < 0:
        yield f"what lies on the table cancels out: {name(card)} may win this trick"
    if card == bits.QUEEN and not wins:
        yield f"{name(scene.best)} is on the table: the queen goes to whoever played it"
    if not wins:
        top = ": your highest that does not win" if card == bits.highest(under) else " and keeps higher ones for later"
        yield f"{name(card)} stays under {name(scene.best)}{top}"
    if scene.state[bits.TRICK_JACKS] and scene.rules[bits.JACK_POINTS]:
        yield f"the jack of diamonds is in the trick: {name(card)} goes for it"
    if scene.last and not scene.points:
        yield f"you play last and there are no points in the trick: {name(card)} wins it safely"
    if scene.last and not under:
        yield f"you cannot get under {name(scene.best)}: take the trick with {name(card)} and be rid of a high card"
    if scene.queen_out and scene.led == 2 and card < bits.QUEEN:
        yield f"the queen is still out: {name(card)} does not catch it"
    if not under and card == bits.highest(scene.place.legal.mask):
        yield f"you cannot get under {name(scene.best)}: be rid of {name(card)}, and somebody may still go over it"
    if not under:
        yield f"you cannot get under {name(scene.best)}: it is easiest for the others to go over {name(card)}"
    cost = f"with {_count(scene.points)} in it" if scene.points else "without points so far"
    yield f"{name(card)} goes over {name(scene.best)}: this trick, {cost}, is cheaper to take than a later one"


def _count(points: int) -> str:
    return "one point" if points == 1 else f"{points} points"


def _of_discard(scene: _Scene, card: int) -> Iterator[str]:
    suit, led = card // 13, _SUITS[scene.led]
    if card == bits.QUEEN and scene.rules[bits.QUEEN_POINTS]:
        yield f"you need not follow {led}: the queen goes to whoever wins this trick"
    if suit == 2 and card > bits.QUEEN and scene.queen_out:
        yield f"the queen is still out and you hold {name(card)}: get rid of it while {led} are led"
    if bits.count(scene.held & bits.suit_mask(suit)) == 1:
        yield f"{name(card)} is your last of {_SUITS[suit]}: without it you may throw away what you like on them"
    if suit == 3:
        yield f"{name(card)} is a point for whoever wins this trick, and one that could cost you more later"
    higher = bits.count((scene.unseen & bits.suit_mask(suit)) >> card)
    if higher <= 2:
        yield f"{name(card)} would win a trick sooner or later: throw it away while {led} are led"
    yield f"{name(card)} is the card that you need least"


def _of_pass(place: Position, cards: Cards, arms: Sequence[Arm]) -> Iterator[str]:
    mask, held = cards.faces().mask, place.held.faces().mask
    low_spades = bits.count(held & bits.SPADES_MASK & (bits.QUEEN_MASK - 1))
    high = mask & bits.SPADES_MASK & ~(bits.QUEEN_MASK - 1)
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield f"with what you keep {_you(place)} may take every point: {_names(cards)} would be in the way"
    if high and place.rules.queen_points:
        guards = {0: "no low spade guards", 1: "one low spade does not guard"}
        words = guards.get(low_spades, f"{low_spades} low spades do not guard")
        yield f"{words} {_names(Cards(high))} well enough: pass {_names(cards)}"
    left = held & ~mask
    for suit in range(4):
        if held & bits.suit_mask(suit) and not left & bits.suit_mask(suit):
            yield f"passing {_names(cards)} leaves you no {_SUITS[suit]}, so that you may throw away points on them"
    if held & bits.QUEEN_MASK and place.rules.queen_points:
        yield f"your {low_spades} low spades guard the queen: keep it and pass {_names(cards)}"
    yield f"{_names(cards)} would win tricks that you do not want"


def _of_moon(turn: Moon) -> str:
    if turn.choice is MoonChoice.ADD:
        return "you shot the moon: what the others get is worth most to you"
    return "you shot the moon: taking the points off your own total is worth most to you"
