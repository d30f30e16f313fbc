"""The reason for the robot's choice, as a person would say it, in whole sentences without figures.

Of all true statements about a card, the one most likely to have decided comes first. The figures are a sentence apart.
"""

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from hearts.cards import Card, Cards, Suit, card_text
from hearts.game import Stage
from hearts.robot import bits
from hearts.robot.claiming import Rest
from hearts.robot.engine import mask_points, side_of, unseen_mask
from hearts.robot.policy import HIGH_SPADES_MASK, win_chance
from hearts.robot.race import Arm
from hearts.robot.reading import Position, replayed, table_numbers
from hearts.turns import Deal, Moon, MoonChoice, Pass, Play, Turn
from hearts.words import Sentence, codes, in_words, later, later_many

# A sentence for each suit: languages differ in what follows from its word.
_NOBODY_ELSE: Final = (
    later("Nobody else has clubs: {card} keeps the lead and costs what the others throw on it."),
    later("Nobody else has diamonds: {card} keeps the lead and costs what the others throw on it."),
    later("Nobody else has spades: {card} keeps the lead and costs what the others throw on it."),
    later("Nobody else has hearts: {card} keeps the lead and costs what the others throw on it."),
)
_ALL_HIGHER: Final = (
    later("All clubs still out are higher: {card} wins only if nobody can follow."),
    later("All diamonds still out are higher: {card} wins only if nobody can follow."),
    later("All spades still out are higher: {card} wins only if nobody can follow."),
    later("All hearts still out are higher: {card} wins only if nobody can follow."),
)
_WINS_NOW: Final = (
    later("{card} wins now, while {lower} of the clubs are out and the others can still follow."),
    later("{card} wins now, while {lower} of the diamonds are out and the others can still follow."),
    later("{card} wins now, while {lower} of the spades are out and the others can still follow."),
    later("{card} wins now, while {lower} of the hearts are out and the others can still follow."),
)
_BETTER_NOW: Final = (
    later("Only {higher} of the {out} clubs still out would beat {card}: if it must win once, better now than later."),
    later(
        "Only {higher} of the {out} diamonds still out would beat {card}: if it must win once, better now than later."
    ),
    later("Only {higher} of the {out} spades still out would beat {card}: if it must win once, better now than later."),
    later("Only {higher} of the {out} hearts still out would beat {card}: if it must win once, better now than later."),
)
_MAY_BE_BEATEN: Final = (
    later("{higher} of the {out} clubs still out would beat {card}: somebody may well go over it."),
    later("{higher} of the {out} diamonds still out would beat {card}: somebody may well go over it."),
    later("{higher} of the {out} spades still out would beat {card}: somebody may well go over it."),
    later("{higher} of the {out} hearts still out would beat {card}: somebody may well go over it."),
)
_QUEEN_AWAY: Final = {
    Suit.CLUBS: later("You need not follow clubs: the queen goes to the winner of this trick."),
    Suit.DIAMONDS: later("You need not follow diamonds: the queen goes to the winner of this trick."),
    Suit.HEARTS: later("You need not follow hearts: the queen goes to the winner of this trick."),
}
_HIGH_SPADE_AWAY: Final = {
    Suit.CLUBS: later("The queen is still out and you hold {card}: get rid of it while clubs are led."),
    Suit.DIAMONDS: later("The queen is still out and you hold {card}: get rid of it while diamonds are led."),
    Suit.HEARTS: later("The queen is still out and you hold {card}: get rid of it while hearts are led."),
}
_LAST_OF: Final = (
    later("{card} is your last of clubs: without it you may throw away what you like on them."),
    later("{card} is your last of diamonds: without it you may throw away what you like on them."),
    later("{card} is your last of spades: without it you may throw away what you like on them."),
    later("{card} is your last of hearts: without it you may throw away what you like on them."),
)
_HIGH_AWAY: Final = (
    later("{card} would win a trick sooner or later: throw it away while clubs are led."),
    later("{card} would win a trick sooner or later: throw it away while diamonds are led."),
    later("{card} would win a trick sooner or later: throw it away while spades are led."),
    later("{card} would win a trick sooner or later: throw it away while hearts are led."),
)
_LEAVES_NO: Final = (
    later("Passing {cards} leaves you no clubs, so that you may throw away points on them."),
    later("Passing {cards} leaves you no diamonds, so that you may throw away points on them."),
    later("Passing {cards} leaves you no spades, so that you may throw away points on them."),
    later("Passing {cards} leaves you no hearts, so that you may throw away points on them."),
)
_LIKELY: Final = 24
"""The probability, in 64ths, from which a card "may well win"."""
_CLOSE: Final = 0.2
"""A negligible difference in points, for means of some hundred roll-outs."""


def reason(place: Position, turn: Turn, arms: Sequence[Arm] = ()) -> Sentence:
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


def reason_to_claim(rest: Rest) -> Sentence:
    """A sentence for a claim of the rest."""
    if rest.claim.any_order and rest.moon:
        return later("The rest are yours: you win every trick and shoot the moon, whatever you lead.")
    if rest.claim.any_order:
        return later("The rest are yours: you win every trick, whatever you lead.")
    cards = codes(rest.claim.cards)
    if rest.moon:
        return later(
            "The rest are yours: lead {cards} in this order, and you win every trick and shoot the moon.", cards=cards
        )
    return later("The rest are yours: lead {cards} in this order, and you win every trick.", cards=cards)


def with_figures(place: Position, sentence: Sentence, arms: Sequence[Arm]) -> str:
    """The sentence, and one on the expected points of this and the next best choice, if they differ noticeably."""
    figures = _figures(place, arms)
    return f"{sentence} {figures}" if figures else str(sentence)


def _figures(place: Position, arms: Sequence[Arm]) -> str:
    if len(arms) < 2:
        return ""
    taken, other = arms[0], arms[1]
    if abs(other.own - taken.own) < _CLOSE:
        return ""
    instead = in_words(
        map(card_text, Cards(other.alternative) if place.stage is Stage.PASS else [Card(other.alternative)])
    )
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


def _of_card(scene: _Scene, card: Card, arms: Sequence[Arm]) -> Iterator[Sentence]:
    """All reasons for a card, the most important first; never empty."""
    code = card_text(card)
    if len(scene.place.legal) == 1:
        yield later("{card} is the only card that you may play.", card=code)
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield _of_shooting(scene, code)
    if scene.shooter() is not None:
        yield from _against_the_moon(scene, card, code)
    if scene.led < 0:
        yield from _of_lead(scene, card, code)
    elif card // 13 == scene.led:
        yield from _of_following(scene, card, code)
    else:
        yield from _of_discard(scene, card, code)


def _of_shooting(scene: _Scene, code: str) -> Sentence:
    if scene.place.rules.partnership:
        return later("You and your partner may yet take every point: {card} keeps that open.", card=code)
    return later("You may yet take every point: {card} keeps that open.", card=code)


def _against_the_moon(scene: _Scene, card: int, code: str) -> Iterator[Sentence]:
    points, team = mask_points(1 << card, 0, scene.rules), scene.place.rules.partnership
    if scene.led >= 0 and scene.wins(card) and scene.points:
        yield (
            later(
                "The other side has every point so far. With {card} this trick may be yours, and the moon is off.",
                card=code,
            )
            if team
            else later(
                "One player has every point so far. With {card} this trick may be yours, and the moon is off.",
                card=code,
            )
        )
    if scene.led >= 0 and scene.wins(card) and not scene.last:
        yield (
            later(
                "The other side has every point so far. {card} may win this trick, and a point in it stops the moon.",
                card=code,
            )
            if team
            else later(
                "One player has every point so far. {card} may win this trick, and a point in it stops the moon.",
                card=code,
            )
        )
    if scene.led < 0 and card >= 39 and not scene.unseen >> card:
        yield (
            later("The other side has every point so far. {card} wins a heart, and the moon is off.", card=code)
            if team
            else later("One player has every point so far. {card} wins a heart, and the moon is off.", card=code)
        )
    if scene.led >= 0 and card // 13 != scene.led and points and not scene.won_by_shooter():
        if scene.shooter_has_played():
            yield (
                later("The other side has every point so far. {card} goes to another, and the moon is off.", card=code)
                if team
                else later("One player has every point so far. {card} goes to another, and the moon is off.", card=code)
            )
        yield (
            later("The other side has every point so far. {card} may go to another.", card=code)
            if team
            else later("One player has every point so far. {card} may go to another.", card=code)
        )
    if scene.won_by_shooter() and not points and card // 13 != scene.led:
        yield (
            later(
                "The other side has every point so far. Give {card} and keep what may still stop the moon.", card=code
            )
            if team
            else later(
                "One player has every point so far. Give {card} and keep what may still stop the moon.", card=code
            )
        )


def _of_lead(scene: _Scene, card: int, code: str) -> Iterator[Sentence]:
    suit = card // 13
    out = scene.unseen & bits.suit_mask(suit)
    higher, lower = bits.count(out >> card + 1), bits.count(out & ((1 << card) - 1))
    twin = bool(out >> card & 1)
    if suit == 2 and scene.queen_out and card < bits.QUEEN and not scene.held & HIGH_SPADES_MASK:
        yield later("The queen is still out and cannot hurt you under {card}: lead spades until it falls.", card=code)
    if not out:
        yield _NOBODY_ELSE[suit].about(card=code)
    if not lower and not twin:
        yield _ALL_HIGHER[suit].about(card=code)
    if not higher and twin:
        yield later("Nothing goes over {card}, but the other {card} may cancel it.", card=code)
    if not higher:
        yield _WINS_NOW[suit].about(card=code, lower=lower)
    if win_chance(lower, higher, scene.place.rules.players - 1) >= _LIKELY:
        yield _BETTER_NOW[suit].about(card=code, higher=higher, out=higher + lower)
    yield _MAY_BE_BEATEN[suit].about(card=code, higher=higher, out=higher + lower)


def _of_following(scene: _Scene, card: int, code: str) -> Iterator[Sentence]:
    wins = scene.wins(card)
    under = scene.place.legal.mask & ((1 << max(scene.best, 0)) - 1)
    best = card_text(Card(scene.best))
    if scene.state[bits.TABLE_ONCE] >> card & 1:
        yield later("{card} cancels the other {card}: neither can win.", card=code)
    if scene.best < 0 and scene.rules[bits.TWO_PAIRS_VOID] and bits.count(scene.state[bits.TABLE_TWICE]) > 1:
        yield later("Two pairs lie on the table, and nobody wins this trick: be rid of {card}.", card=code)
    if scene.best < 0:
        yield later("What lies on the table cancels out: {card} may win this trick.", card=code)
    if card == bits.QUEEN and not wins:
        yield later("{best} is on the table: the queen goes to its player.", best=best)
    if not wins:
        if card == bits.highest(under):
            yield later("{card} stays under {best}: your highest that does not win.", card=code, best=best)
        yield later("{card} stays under {best} and keeps higher ones for later.", card=code, best=best)
    if scene.state[bits.TRICK_JACKS] and scene.rules[bits.JACK_POINTS]:
        yield later("The jack of diamonds is in the trick: {card} goes for it.", card=code)
    if scene.last and not scene.points:
        yield later("You play last and there are no points in the trick: {card} wins it safely.", card=code)
    if scene.last and not under:
        yield later(
            "You cannot get under {best}: take the trick with {card} and be rid of a high card.", card=code, best=best
        )
    if scene.queen_out and scene.led == 2 and card < bits.QUEEN:
        yield later("The queen is still out: {card} does not catch it.", card=code)
    if not under and card == bits.highest(scene.place.legal.mask):
        yield later(
            "You cannot get under {best}: be rid of {card}, and somebody may still go over it.", card=code, best=best
        )
    if not under:
        yield later(
            "You cannot get under {best}: it is easiest for the others to go over {card}.", card=code, best=best
        )
    yield _of_going_over(scene, code, best)


def _of_going_over(scene: _Scene, code: str, best: str) -> Sentence:
    if not scene.points:
        return later(
            "{card} goes over {best}: this trick, without points so far, is cheaper to take than a later one.",
            card=code,
            best=best,
        )
    return later_many(
        scene.points,
        "{card} goes over {best}: this trick, with one point in it, is cheaper to take than a later one.",
        "{card} goes over {best}: this trick, with {number} points in it, is cheaper to take than a later one.",
        card=code,
        best=best,
    )


def _of_discard(scene: _Scene, card: int, code: str) -> Iterator[Sentence]:
    suit = card // 13
    if card == bits.QUEEN and scene.rules[bits.QUEEN_POINTS]:
        yield _QUEEN_AWAY[Suit(scene.led)]
    if suit == 2 and card > bits.QUEEN and scene.queen_out:
        yield _HIGH_SPADE_AWAY[Suit(scene.led)].about(card=code)
    if bits.count(scene.held & bits.suit_mask(suit)) == 1:
        yield _LAST_OF[suit].about(card=code)
    if suit == 3:
        yield later(
            "{card} is a point for the winner of this trick, and one that could cost you more later.", card=code
        )
    higher = bits.count((scene.unseen & bits.suit_mask(suit)) >> card)
    if higher <= 2:
        yield _HIGH_AWAY[scene.led].about(card=code)
    yield later("{card} is the card that you need least.", card=code)


def _of_pass(place: Position, cards: Cards, arms: Sequence[Arm]) -> Iterator[Sentence]:
    mask, held = cards.faces().mask, place.held.faces().mask
    low_spades = bits.count(held & bits.SPADES_MASK & (bits.QUEEN_MASK - 1))
    high = mask & bits.SPADES_MASK & ~(bits.QUEEN_MASK - 1)
    passed = str(cards)
    if arms and arms[0].shoots and arms[0].moons >= 0.1:
        yield _of_passing_for_a_moon(place, cards)
    if high and place.rules.queen_points:
        yield _of_guards(low_spades, str(Cards(high)), passed)
    left = held & ~mask
    for suit in range(4):
        if held & bits.suit_mask(suit) and not left & bits.suit_mask(suit):
            yield _LEAVES_NO[suit].about(cards=passed)
    if held & bits.QUEEN_MASK and place.rules.queen_points:
        yield later_many(
            low_spades,
            "Your {number} low spades guard the queen: keep it and pass {cards}.",
            "Your {number} low spades guard the queen: keep it and pass {cards}.",
            cards=passed,
        )
    yield later_many(
        len(cards),
        "{cards} would win tricks that you do not want.",
        "{cards} would win tricks that you do not want.",
        cards=passed,
    )


def _of_passing_for_a_moon(place: Position, cards: Cards) -> Sentence:
    if place.rules.partnership:
        return later_many(
            len(cards),
            "With what you keep, you and your partner may take every point: {cards} would be in the way.",
            "With what you keep, you and your partner may take every point: {cards} would be in the way.",
            cards=str(cards),
        )
    return later_many(
        len(cards),
        "With what you keep, you may take every point: {cards} would be in the way.",
        "With what you keep, you may take every point: {cards} would be in the way.",
        cards=str(cards),
    )


def _of_guards(low_spades: int, high: str, passed: str) -> Sentence:
    if not low_spades:
        return later("No low spade guards {high}: pass {cards}.", high=high, cards=passed)
    return later_many(
        low_spades,
        "One low spade does not guard {high} well enough: pass {cards}.",
        "{number} low spades do not guard {high} well enough: pass {cards}.",
        high=high,
        cards=passed,
    )


def _of_moon(turn: Moon) -> Sentence:
    if turn.choice is MoonChoice.ADD:
        return later("You shot the moon: what the others get is worth most to you.")
    return later("You shot the moon: taking the points off your own total is worth most to you.")
