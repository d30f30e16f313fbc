"""Cards and bulk sets of them.

A `Card` is a face, 0 to 51: suit × 13 + rank, suits in the order clubs, diamonds, spades, hearts, ranks two to ace.
`Cards` is an immutable multiset with up to two of each face, as two packs need it. Only this module shifts bits;
`rules`, `play` and `score` decide what a card is worth and when it may be played.
"""

from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"


class Suit(IntEnum):
    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3


class NotACard(ValueError):
    """The text names no card."""


FACES: Final = tuple(Card(face) for face in range(52))
_SUIT_OF: Final = tuple(Suit(face // 13) for face in FACES)
_CODES: Final = tuple(RANKS[face % 13] + SUITS[face // 13] for face in FACES)
_BY_CODE: Final = {code: Card(face) for face, code in enumerate(_CODES)}

_SUIT_WORDS: Final = {
    **dict.fromkeys(("c", "club", "clubs", "♣", "♧"), "C"),
    **dict.fromkeys(("d", "diamond", "diamonds", "♦", "♢"), "D"),
    **dict.fromkeys(("s", "spade", "spades", "♠", "♤"), "S"),
    **dict.fromkeys(("h", "heart", "hearts", "♥", "♡"), "H"),
}
_NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COURT: Final = ("jack", "queen", "king", "ace")
_RANK_WORDS: Final = {
    "10": "T",
    **{letter.lower(): letter for letter in RANKS},
    **dict(zip(_NUMBERS + _COURT, RANKS, strict=True)),
}
_PRESENTATION: Final = {ord("\ufe0e"): None, ord("\ufe0f"): None}


def suit(card: Card) -> Suit:
    return _SUIT_OF[card]


def rank(card: Card) -> int:
    """The rank, from 0 for a two to 12 for an ace."""
    return card % 13


def card_text(card: Card) -> str:
    """The code of the card in files, `QS`."""
    return _CODES[card]


def parse_code(text: str) -> Card:
    """The card with the code `text`, such as `QS`; no other notation is accepted. Raises NotACard."""
    try:
        return _BY_CODE[text]
    except KeyError:
        raise NotACard(f"{text[:40]!r} is not a card: write it like QS or TD") from None


def parse_card(text: str) -> Card:
    """The card that a person means by `text`: `QS`, `q♠`, `10 ♦`, `queen of spades`. Raises NotACard.

    >>> card_text(parse_card("10♦"))
    'TD'
    """
    words = text.casefold().translate(_PRESENTATION).replace(" of ", " ").split()
    match words:
        case [word] if len(word) > 1:
            pair = (word[:-1], word[-1])
        case [first, second]:
            pair = (first, second)
        case _:
            pair = ("", "")
    rank_letter, suit_letter = _RANK_WORDS.get(pair[0]), _SUIT_WORDS.get(pair[1])
    if rank_letter is None or suit_letter is None:
        raise NotACard(f"{text[:40]!r} is not a card: write it like QS, 10♦ or queen of spades")
    return _BY_CODE[rank_letter + suit_letter]


ONE: Final = tuple(1 << face for face in FACES)
"""By card: the mask with one copy of it."""
TWICE: Final = tuple(1 << face + 52 for face in FACES)
"""By card: the bit for its second copy."""
ONCE_MASK: Final = (1 << 52) - 1
"""Every face once; `&` with it drops second copies."""
_SUIT_MASKS: Final = tuple(8191 << start for start in (0, 13, 26, 39))


class _Listed(dict[int, tuple[Card, ...]]):
    """From a mask of cards of one suit to those cards in order; it grows to at most 4 × 8191 entries."""

    def __missing__(self, mask: int) -> tuple[Card, ...]:
        self[mask] = cards = tuple(card for card in FACES if mask >> card & 1)
        return cards


_LISTED: Final = _Listed()


def highest(mask: int) -> Card:
    """The highest card, by suit and rank, of a non-empty mask that has each face once."""
    return Card(mask.bit_length() - 1)


def lowest(mask: int) -> Card:
    """The lowest card, by suit and rank, of a non-empty mask."""
    return Card((mask & -mask).bit_length() - 1)


class Cards:
    """An immutable multiset of cards with up to two of each face; it iterates by suit and rank.

    `&` keeps the smaller count of each face, `-` subtracts counts, `+` adds them (and raises ValueError over two).
    It is stored as one integer: bit `face` is set if the face is there, and bit `face + 52` if it is there twice.

    >>> Cards.parse("QS QS 2C") - Cards.parse("QS")
    Cards.parse('2C QS')
    """

    __slots__ = ("_mask",)

    def __init__(self, mask: int = 0) -> None:
        """The cards of a mask, which is not checked: use `of` and `parse`."""
        self._mask = mask

    @property
    def mask(self) -> int:
        return self._mask

    @classmethod
    def of(cls, cards: Iterable[Card]) -> "Cards":
        """The multiset of `cards`. Raises ValueError if a card occurs three times."""
        mask = 0
        for card in cards:
            if not mask & ONE[card]:
                mask |= ONE[card]
            elif not mask & TWICE[card]:
                mask |= TWICE[card]
            else:
                raise ValueError(f"{card_text(card)} is there three times")
        return cls(mask)

    @classmethod
    def parse(cls, text: str) -> "Cards":
        """The cards in a text like `2C QS`, in any order. Raises NotACard, or ValueError if one occurs three times."""
        return cls.of(parse_code(code) for code in text.split())

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and 0 <= card < 52 and self._mask >> card & 1 == 1

    def __len__(self) -> int:
        return self._mask.bit_count()

    def __bool__(self) -> bool:
        return self._mask != 0

    def __iter__(self) -> Iterator[Card]:
        mask, twice = self._mask, self._mask >> 52
        clubs, diamonds, spades, hearts = _SUIT_MASKS
        cards = _LISTED[mask & clubs] + _LISTED[mask & diamonds] + _LISTED[mask & spades] + _LISTED[mask & hearts]
        return iter([card for card in cards for _ in range(1 + (twice >> card & 1))] if twice else cards)

    def __and__(self, other: "Cards") -> "Cards":
        return Cards(self._mask & other._mask)

    def __sub__(self, other: "Cards") -> "Cards":
        mine, theirs = self._mask, other._mask
        twice = mine >> 52
        lone = twice & theirs & ~(theirs >> 52)
        left_twice = twice & ~theirs
        return Cards(mine & ONCE_MASK & ~theirs | lone | left_twice << 52)

    def __add__(self, other: "Cards") -> "Cards":
        mine, theirs = self._mask, other._mask
        if mine >> 52 & theirs or theirs >> 52 & mine:
            raise ValueError("a card would be there three times")
        return Cards(mine | theirs | (mine & theirs) << 52)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and self._mask == other._mask

    def __hash__(self) -> int:
        return hash(self._mask)

    def __str__(self) -> str:
        return " ".join(map(card_text, self))

    def __repr__(self) -> str:
        return f"Cards.parse({str(self)!r})"

    def count(self, card: Card) -> int:
        """How many copies of a face there are: 0, 1 or 2."""
        return (self._mask >> card & 1) + (self._mask >> card + 52 & 1)

    def faces(self) -> "Cards":
        """Each face once."""
        return Cards(self._mask & ONCE_MASK)

    def without(self, card: Card) -> "Cards":
        """Returns these cards without one copy of `card`, which must be among them."""
        return Cards(self._mask ^ (self._mask & TWICE[card] or ONE[card]))


NONE: Final = Cards()
EVERY_CARD: Final = Cards((1 << 104) - 1)
"""Every card twice, so that `&` and `-` with subsets of it work for one pack and for two."""
_IN_SUIT: Final = tuple(Cards.of([*FACES[start : start + 13]] * 2) for start in (0, 13, 26, 39))
HEARTS: Final = _IN_SUIT[Suit.HEARTS]
QUEEN_OF_SPADES: Final = _BY_CODE["QS"]
JACK_OF_DIAMONDS: Final = _BY_CODE["JD"]
QUEENS_OF_SPADES: Final = Cards.parse("QS QS")

SUIT_MASK: Final = tuple(_IN_SUIT[suit(card)].mask & ONCE_MASK for card in FACES)
"""By card: the mask of its suit, each face once."""


def in_suit(of: Suit) -> Cards:
    """Both copies of every card of a suit."""
    return _IN_SUIT[of]
