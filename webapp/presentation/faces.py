"""Cards as people see and hear them: `QS`, Q♠, queen of spades. A view says which are legal, and why."""

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from hearts.cards import Card, Cards, Suit, card_text, parse_card, rank, suit
from hearts.seats import Seat
from webapp.core.names import bare

TEXT_STYLE = "\ufe0e"  # after a suit symbol, so that phones do not show an emoji
SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.HEARTS: "♥"}
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_RANK_WORDS = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_SUIT_HEADINGS = {"clubs": "Clubs", "diamonds": "Diamonds", "spades": "Spades", "hearts": "Hearts"}
_COPIES = ("", "first of two", "second of two")
LONGEST_ROW: Final = 9  # cards, of which each keeps a strip as wide as a finger on a small phone


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One card. There is one object for each, which `face` returns, so that they are quickly compared and looked up."""

    code: str  # "QS": in links, forms, records, and typed replies
    rank: str  # "Q", "10"
    symbol: str  # "♠" in text style
    suit: str  # "spades"
    name: str  # "queen of spades"

    @property
    def text(self) -> str:
        return self.rank + self.symbol


@dataclass(frozen=True, slots=True)
class HeldFace:
    """A card in a player's hand."""

    face: Face
    legal: bool  # may be chosen now
    refusal: str | None  # why it may not be played, if it is the player's turn
    received: bool  # came with the pass
    copy: int  # 1, or 2 for the second of two equal cards
    copies: int

    @property
    def spoken(self) -> str:
        """For screen readers, name first to be skimmed: "queen of spades. Not now: You must follow clubs."."""
        parts = [self.face.name]
        if self.copies > 1:
            parts.append(_COPIES[self.copy])
        if self.received:
            parts.append("new from the pass")
        spoken = ", ".join(parts)
        return f"{spoken}. Not now: {self.refusal}" if self.refusal else spoken


@dataclass(frozen=True, slots=True)
class SuitRow:
    """The cards of one suit in a hand."""

    suit: str
    symbol: str
    cards: tuple[HeldFace, ...]

    @property
    def heading(self) -> str:
        return _SUIT_HEADINGS[self.suit]


class Fold(NamedTuple):
    """The place between two suits at which a hand breaks into two rows."""

    suit: int  # as many suits are in the first row
    longest: int  # as many cards are in the longer row
    cards: int  # as many are held

    @property
    def is_long(self) -> bool:
        """Whether a row has more than half of the cards."""
        return 2 * self.longest > self.cards + 1


@dataclass(frozen=True, slots=True)
class SuitFaces:
    """Cards of one suit, wherever they are."""

    suit: str
    symbol: str
    faces: tuple[Face, ...]

    @property
    def heading(self) -> str:
        return _SUIT_HEADINGS[self.suit]


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason, and all the cards that may not be played because of it."""

    sentence: str
    faces: tuple[Face, ...]


def face(card: Card) -> Face:
    """
    >>> from hearts.cards import parse_card
    >>> face(parse_card("TD")).name
    'ten of diamonds'
    """
    return _FACES[card]


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    return tuple(face(card) for card in cards)


def suit_word(of: Suit) -> str:
    return of.name.lower()


def suit_symbol(of: Suit) -> str:
    return SYMBOLS[of] + TEXT_STYLE


def _face(card: Card) -> Face:
    of, number = suit(card), rank(card)
    return Face(
        card_text(card), _RANKS[number], suit_symbol(of), suit_word(of), f"{_RANK_WORDS[number]} of {suit_word(of)}"
    )


_FACES = tuple(_face(Card(number)) for number in range(52))
EXAMPLE: Final = faces(map(parse_card, ("4C", "QS", "KH")))  # what somebody might hold who has no cards yet


def by_suit(cards: Cards) -> tuple[SuitFaces, ...]:
    """Clubs, diamonds, spades, hearts; a suit without cards is left out."""
    grouped = [(of, faces(group)) for of, group in groupby(cards, suit)]
    return tuple(SuitFaces(suit_word(of), suit_symbol(of), row) for of, row in grouped)


def held_by_suit(held: Cards, legal: Cards, refusals: Mapping[Card, str], received: Cards) -> tuple[SuitRow, ...]:
    """The held cards, sorted. Of two equal cards, one of which came with the pass, the second is marked as received."""
    rows: dict[Suit, list[HeldFace]] = {}
    for card in held.faces():
        copies, new = held.count(card), received.count(card)
        for copy in range(1, copies + 1):
            came = copy > copies - new
            drawn = HeldFace(face(card), card in legal, refusals.get(card), came, copy, copies)
            rows.setdefault(suit(card), []).append(drawn)
    return tuple(SuitRow(suit_word(of), suit_symbol(of), tuple(row)) for of, row in rows.items())


def fold_of(rows: Sequence[SuitRow]) -> Fold | None:
    """Finds the break of a hand into two rows between suits; None if one of the rows would be too long."""
    ends = list(accumulate(len(row.cards) for row in rows))
    folds = [Fold(number, max(end, ends[-1] - end), ends[-1]) for number, end in enumerate(ends[:-1], 1)]
    best = min(folds, key=lambda fold: fold.longest, default=None)
    return best if best and best.longest <= LONGEST_ROW else None


def refused(refusals: Mapping[Card, str]) -> tuple[Refusal, ...]:
    """The cards that may not be played, grouped by reason."""
    reasons: dict[str, list[Card]] = {}
    for card, sentence in refusals.items():
        reasons.setdefault(sentence, []).append(card)
    return tuple(Refusal(sentence, faces(sorted(cards))) for sentence, cards in reasons.items())


# Avatars: a letter on a color and a shape, drawn from a name, so that one tells a table's players at a glance.

TINTS = 8  # colors in the style sheet
ROBOT = "hexagon"
SHAPES = ("disc", "square", "leaf")  # of people


@dataclass(frozen=True, slots=True)
class Avatar:
    letter: str
    tint: int  # a color of the style sheet, from 1 to TINTS
    shape: str


def avatars(names: Sequence[str], robots: Collection[Seat] = ()) -> tuple[Avatar, ...]:
    """The avatar of each player, by seat.

    Two players of a table have the same color only if it has more than TINTS.
    """
    drawn: list[Avatar] = []
    for seat, name in enumerate(names):
        number = zlib.crc32(name.casefold().encode())
        tint = _free_tint(number % TINTS, [other.tint for other in drawn])
        shape = ROBOT if seat in robots else SHAPES[number // TINTS % len(SHAPES)]
        drawn.append(Avatar(bare(name)[:1].upper()[:1], tint, shape))
    return tuple(drawn)


def _free_tint(first: int, taken: Collection[int]) -> int:
    tints = [1 + (first + step) % TINTS for step in range(TINTS)]
    return next((tint for tint in tints if tint not in taken), tints[0])
