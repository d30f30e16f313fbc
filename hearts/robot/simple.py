"""A rule player: ducks, sheds high cards and the queen, keeps guards, stops a moon, takes late tricks safely."""

import random
from collections.abc import Iterable

from hearts.cards import HEARTS, QUEEN_OF_SPADES, Card, Cards, Suit, in_suit, rank, suit
from hearts.game import Stage
from hearts.rules import Rules
from hearts.score import smart_choice
from hearts.seats import Seat, side_of
from hearts.turns import Moon, MoonChoice, Pass, Play, Turn
from hearts.view import View

_GUARDS = 4


def choose(view: View, rng: random.Random) -> Turn:
    """The turn of the seat of `view`, which must be awaited; `rng` breaks ties."""
    if view.stage is Stage.PASS:
        return Pass(view.seat, _passed(view, rng))
    if view.stage is Stage.MOON:
        return Moon(view.seat, smart_choice(view.rules, view.moon[MoonChoice.ADD]))
    return Play(view.seat, _played(view, rng))


def _passed(view: View, rng: random.Random) -> Cards:
    ranked = sorted(view.held, key=lambda card: (_burden(view.held, card, view.rules), rng.random()), reverse=True)
    return Cards.of(ranked[: view.rules.pass_count])


def _burden(held: Cards, card: Card, rules: Rules) -> float:
    """How much better off the seat would be without a card."""
    if suit(card) is Suit.SPADES and rules.queen_points:
        guards = sum(1 for guard in held & in_suit(Suit.SPADES) if guard < QUEEN_OF_SPADES)
        if card >= QUEEN_OF_SPADES:
            return -1 if guards >= _GUARDS else 20 + (card == QUEEN_OF_SPADES)
        return -2
    return rank(card) - 1.5 * len(held & in_suit(suit(card)) & _below(card)) + 2 * (card in HEARTS)


def _below(card: Card) -> Cards:
    return Cards.of(Card(face) for face in range(card - rank(card), card))


def _played(view: View, rng: random.Random) -> Card:
    cards = list(view.legal)
    if len(cards) == 1:
        return cards[0]
    if view.trick is None:
        return min(cards, key=lambda card: (_lead_risk(view, card), rng.random()))
    if suit(cards[0]) is suit(view.trick.cards[0]):
        return _follow(view, cards)
    return _discard(view, cards, rng)


def _lead_risk(view: View, card: Card) -> float:
    out = _unseen(view, suit(card))
    higher = sum(1 for other in out if other > card)
    risk = 3.0 * (not higher) + rank(card) / (1 + higher)
    if suit(card) is Suit.SPADES and _queen_out(view):
        risk += 13 if card > QUEEN_OF_SPADES else -2
    if card == QUEEN_OF_SPADES:
        risk += 20
    return risk + (0 if out else 30)


def _unseen(view: View, of: Suit) -> list[Card]:
    gone = Cards.of(view.plays) + view.held
    both = view.rules.packs == 2
    return [card for card in in_suit(of).faces() if gone.count(card) <= both]


def _queen_out(view: View) -> bool:
    return QUEEN_OF_SPADES in _unseen(view, Suit.SPADES)


def _follow(view: View, cards: list[Card]) -> Card:
    assert view.trick is not None
    led = suit(view.trick.cards[0])
    best = max(card for card in view.trick.cards if suit(card) is led)
    penalty = _points(view.rules, view.trick.cards)
    low = [card for card in cards if card < best]
    if _threat(view) and penalty:
        taking = [card for card in cards if card > best and card != QUEEN_OF_SPADES]
        if taking:
            return max(taking)
    if low and QUEEN_OF_SPADES in low:
        return QUEEN_OF_SPADES
    last = len(view.trick.cards) == view.rules.players - 1
    if last and not penalty:
        return max((card for card in cards if card != QUEEN_OF_SPADES), default=cards[0])
    if low:
        return max(low)
    safe = [card for card in cards if card != QUEEN_OF_SPADES] or cards
    return max(safe) if last else min(safe)


def _discard(view: View, cards: list[Card], rng: random.Random) -> Card:
    if _threat(view):
        plain = [card for card in cards if not _points(view.rules, [card])]
        return min(plain or cards, key=rank)
    if QUEEN_OF_SPADES in cards and view.rules.queen_points:
        return QUEEN_OF_SPADES
    return max(cards, key=lambda card: (_burden(view.held, card, view.rules), rng.random()))


def _threat(view: View) -> bool:
    """Whether another side has taken every point so far, and enough of them to be after the moon."""
    sides = {side_of(Seat(seat), partnership=view.rules.partnership) for seat, taken in enumerate(view.taken) if taken}
    mine = side_of(view.seat, partnership=view.rules.partnership)
    return len(sides) == 1 and mine not in sides and sum(view.taken) * 3 >= view.rules.pack_total


def _points(rules: Rules, cards: Iterable[Card]) -> int:
    return sum(1 if card in HEARTS else rules.queen_points * (card == QUEEN_OF_SPADES) for card in cards)
