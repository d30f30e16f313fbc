"""The reason for the robot's choice, as a person would say it, in whole sentences without figures.

Of all true statements about a card, the one most likely to have decided comes first. The figures are a sentence apart.
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
            return next(_of_card(_Scene(place), turn.card, arms))
        case Pass():
            return next(_of_pass(place, turn.cards, arms))
        case Moon():
            return _of_moon(turn)
        case Deal():
            raise ValueError("a deal has no reason")
        case _:
            assert_never(turn)


def reason_to_claim(rest: Rest) -> str:
    """A sentence for a claim of the rest."""
    if rest.claim.any_order:
        if rest.moon:
            return "The rest are yours: you win every trick and shoot the moon, whatever you lead."
        return "The rest are yours: you win every trick, whatever you lead."
    cards = _names(rest.claim.cards)
    if rest.moon:
        return f"The rest are yours: lead {cards} in this order, and you win every trick and shoot the moon."
    return f"The rest are yours: lead {cards} in this order, and you win every trick."


def with_figures(place: Position, sentence: str, arms: Sequence[Arm]) -> str:
    """The sentence, and one on the expected points of this and the next best choice, if they differ noticeably."""
    figures = _figures(place, arms)
    return f"{sentence} {figures}" if figures else sentence


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
    if other.own < taken.own:
        return f"About {taken.own:.1f} points this hand; with {instead} {other.own:.1f}, but that helps another more."
    return f"About {taken.own:.1f} points this hand; with {instead} {other.own:.1f}."


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
        yield f"{name(card)} is the only card that you may play."
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield _of_shooting(scene, card)
    if scene.shooter() is not None:
        yield from _against_the_moon(scene, card)
    if scene.led < 0:
        yield from _of_lead(scene, card)
    elif card // 13 == scene.led:
        yield from _of_following(scene, card)
    else:
        yield from _of_discard(scene, card)


def _of_shooting(scene: _Scene, card: int) -> str:
    if scene.place.rules.partnership:
        return f"You and your partner may yet take every point: {name(card)} keeps that open."
    return f"You may yet take every point: {name(card)} keeps that open."


def _against_the_moon(scene: _Scene, card: int) -> Iterator[str]:
    points = mask_points(1 << card, 0, scene.rules)
    taken = (
        "The other side has every point so far."
        if scene.place.rules.partnership
        else "One player has every point so far."
    )
    if scene.led >= 0 and scene.wins(card) and scene.points:
        yield f"{taken} With {name(card)} this trick may be yours, and the moon is off."
    if scene.led >= 0 and scene.wins(card) and not scene.last:
        yield f"{taken} {name(card)} may win this trick, and a point in it stops the moon."
    if scene.led < 0 and card >= 39 and not scene.unseen >> card:
        yield f"{taken} {name(card)} wins a heart, and the moon is off."
    if scene.led >= 0 and card // 13 != scene.led and points and not scene.won_by_shooter():
        if scene.shooter_has_played():
            yield f"{taken} {name(card)} goes to another, and the moon is off."
        yield f"{taken} {name(card)} may go to another."
    if scene.won_by_shooter() and not points and card // 13 != scene.led:
        yield f"{taken} Give {name(card)} and keep what may still stop the moon."


def _of_lead(scene: _Scene, card: int) -> Iterator[str]:
    suit = card // 13
    out = scene.unseen & bits.suit_mask(suit)
    higher, lower = bits.count(out >> card + 1), bits.count(out & ((1 << card) - 1))
    twin = bool(out >> card & 1)
    if suit == 2 and scene.queen_out and card < bits.QUEEN and not scene.held & HIGH_SPADES_MASK:
        yield f"The queen is still out and cannot hurt you under {name(card)}: lead spades until it falls."
    if not out:
        yield f"Nobody else has {_SUITS[suit]}: {name(card)} keeps the lead and costs what the others throw on it."
    if not lower and not twin:
        yield f"All {_SUITS[suit]} still out are higher: {name(card)} wins only if nobody can follow."
    if not higher and twin:
        yield f"Nothing goes over {name(card)}, but the other {name(card)} may cancel it."
    if not higher:
        yield f"{name(card)} wins now, while {lower} of the {_SUITS[suit]} are out and the others can still follow."
    if win_chance(lower, higher, scene.place.rules.players - 1) >= _LIKELY:
        yield (
            f"Only {higher} of the {higher + lower} {_SUITS[suit]} still out would beat {name(card)}: if it must win"
            " once, better now than later."
        )
    yield (
        f"{higher} of the {higher + lower} {_SUITS[suit]} still out would beat {name(card)}: somebody may well go over"
        " it."
    )


def _of_following(scene: _Scene, card: int) -> Iterator[str]:
    wins = scene.wins(card)
    under = scene.place.legal.mask & ((1 << max(scene.best, 0)) - 1)
    if scene.state[bits.TABLE_ONCE] >> card & 1:
        yield f"{name(card)} cancels the other {name(card)}: neither can win."
    if scene.best < 0 and scene.rules[bits.TWO_PAIRS_VOID] and bits.count(scene.state[bits.TABLE_TWICE]) > 1:
        yield f"Two pairs lie on the table, and nobody wins this trick: be rid of {name(card)}."
    if scene.best < 0:
        yield f"What lies on the table cancels out: {name(card)} may win this trick."
    if card == bits.QUEEN and not wins:
        yield f"{name(scene.best)} is on the table: the queen goes to its player."
    if not wins:
        if card == bits.highest(under):
            yield f"{name(card)} stays under {name(scene.best)}: your highest that does not win."
        yield f"{name(card)} stays under {name(scene.best)} and keeps higher ones for later."
    if scene.state[bits.TRICK_JACKS] and scene.rules[bits.JACK_POINTS]:
        yield f"The jack of diamonds is in the trick: {name(card)} goes for it."
    if scene.last and not scene.points:
        yield f"You play last and there are no points in the trick: {name(card)} wins it safely."
    if scene.last and not under:
        yield f"You cannot get under {name(scene.best)}: take the trick with {name(card)} and be rid of a high card."
    if scene.queen_out and scene.led == 2 and card < bits.QUEEN:
        yield f"The queen is still out: {name(card)} does not catch it."
    if not under and card == bits.highest(scene.place.legal.mask):
        yield f"You cannot get under {name(scene.best)}: be rid of {name(card)}, and somebody may still go over it."
    if not under:
        yield f"You cannot get under {name(scene.best)}: it is easiest for the others to go over {name(card)}."
    yield _of_going_over(scene, name(card), name(scene.best))


def _of_going_over(scene: _Scene, card: str, best: str) -> str:
    match scene.points:
        case 0:
            return f"{card} goes over {best}: this trick, without points so far, is cheaper to take than a later one."
        case 1:
            return f"{card} goes over {best}: this trick, with one point in it, is cheaper to take than a later one."
        case points:
            return (
                f"{card} goes over {best}: this trick, with {points} points in it, is cheaper to take than a later one."
            )


def _of_discard(scene: _Scene, card: int) -> Iterator[str]:
    suit, led = card // 13, _SUITS[scene.led]
    if card == bits.QUEEN and scene.rules[bits.QUEEN_POINTS]:
        yield f"You need not follow {led}: the queen goes to the winner of this trick."
    if suit == 2 and card > bits.QUEEN and scene.queen_out:
        yield f"The queen is still out and you hold {name(card)}: get rid of it while {led} are led."
    if bits.count(scene.held & bits.suit_mask(suit)) == 1:
        yield f"{name(card)} is your last of {_SUITS[suit]}: without it you may throw away what you like on them."
    if suit == 3:
        yield f"{name(card)} is a point for the winner of this trick, and one that could cost you more later."
    higher = bits.count((scene.unseen & bits.suit_mask(suit)) >> card)
    if higher <= 2:
        yield f"{name(card)} would win a trick sooner or later: throw it away while {led} are led."
    yield f"{name(card)} is the card that you need least."


def _of_pass(place: Position, cards: Cards, arms: Sequence[Arm]) -> Iterator[str]:
    mask, held = cards.faces().mask, place.held.faces().mask
    low_spades = bits.count(held & bits.SPADES_MASK & (bits.QUEEN_MASK - 1))
    high = mask & bits.SPADES_MASK & ~(bits.QUEEN_MASK - 1)
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield _of_passing_for_a_moon(place, _names(cards))
    if high and place.rules.queen_points:
        yield _of_guards(low_spades, _names(Cards(high)), _names(cards))
    left = held & ~mask
    for suit in range(4):
        if held & bits.suit_mask(suit) and not left & bits.suit_mask(suit):
            yield f"Passing {_names(cards)} leaves you no {_SUITS[suit]}, so that you may throw away points on them."
    if held & bits.QUEEN_MASK and place.rules.queen_points:
        yield f"Your {low_spades} low spades guard the queen: keep it and pass {_names(cards)}."
    yield f"{_names(cards)} would win tricks that you do not want."


def _of_passing_for_a_moon(place: Position, cards: str) -> str:
    if place.rules.partnership:
        return f"With what you keep, you and your partner may take every point: {cards} would be in the way."
    return f"With what you keep, you may take every point: {cards} would be in the way."


def _of_guards(low_spades: int, high: str, cards: str) -> str:
    match low_spades:
        case 0:
            return f"No low spade guards {high}: pass {cards}."
        case 1:
            return f"One low spade does not guard {high} well enough: pass {cards}."
        case _:
            return f"{low_spades} low spades do not guard {high} well enough: pass {cards}."


def _of_moon(turn: Moon) -> str:
    if turn.choice is MoonChoice.ADD:
        return "You shot the moon: what the others get is worth most to you."
    return "You shot the moon: taking the points off your own total is worth most to you."
