"""Cards as people see and hear them: `QS`, Q♠, queen of spades, in the language that is spoken. A view says which are
legal, and why.
"""

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from gettext import NullTranslations
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from hearts.cards import FACES, Card, Cards, Suit, card_text, parse_code, rank, suit
from hearts.seats import Seat
from hearts.words import NUMBER, Sentence
from webapp.core.names import bare
from webapp.core.say import catalogue, later, say, say_many, spoken
from webapp.presentation.phrasing import listed
from webapp.replies.grammar import code_to_teach

TEXT_STYLE = "\ufe0e"  # after a suit symbol, so that phones do not show an emoji
SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.SPADES: "♠", Suit.HEARTS: "♥"}
_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
# A card as people write it; in some languages, the suit comes first.
_WRITTEN = (
    *(later("{rank}{suit}"),) * 9,
    *(later("J{suit}"), later("Q{suit}"), later("K{suit}"), later("A{suit}")),
)
# As people say it: each name whole, as languages make one word of both, or have the suit first.
_NAMES = (
    *(
        later("two of clubs"),
        later("three of clubs"),
        later("four of clubs"),
        later("five of clubs"),
        later("six of clubs"),
        later("seven of clubs"),
        later("eight of clubs"),
        later("nine of clubs"),
        later("ten of clubs"),
        later("jack of clubs"),
        later("queen of clubs"),
        later("king of clubs"),
        later("ace of clubs"),
    ),
    *(
        later("two of diamonds"),
        later("three of diamonds"),
        later("four of diamonds"),
        later("five of diamonds"),
        later("six of diamonds"),
        later("seven of diamonds"),
        later("eight of diamonds"),
        later("nine of diamonds"),
        later("ten of diamonds"),
        later("jack of diamonds"),
        later("queen of diamonds"),
        later("king of diamonds"),
        later("ace of diamonds"),
    ),
    *(
        later("two of spades"),
        later("three of spades"),
        later("four of spades"),
        later("five of spades"),
        later("six of spades"),
        later("seven of spades"),
        later("eight of spades"),
        later("nine of spades"),
        later("ten of spades"),
        later("jack of spades"),
        later("queen of spades"),
        later("king of spades"),
        later("ace of spades"),
    ),
    *(
        later("two of hearts"),
        later("three of hearts"),
        later("four of hearts"),
        later("five of hearts"),
        later("six of hearts"),
        later("seven of hearts"),
        later("eight of hearts"),
        later("nine of hearts"),
        later("ten of hearts"),
        later("jack of hearts"),
        later("queen of hearts"),
        later("king of hearts"),
        later("ace of hearts"),
    ),
)
_SUIT_HEADINGS = {
    "clubs": later("Clubs"),
    "diamonds": later("Diamonds"),
    "spades": later("Spades"),
    "hearts": later("Hearts"),
}
LONGEST_ROW: Final = 9  # cards, of which each keeps a strip as wide as a finger on a small phone


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One card. A language has one object for each, which `face` returns, so that they are quickly compared and looked
    up.
    """

    code: str  # "QS": in links, forms and records
    rank: str  # "Q", "10": in style sheets
    symbol: str  # "♠" in text style
    suit: str  # "spades": in style sheets
    letter: str  # "Q", "10": as written in the language, and on the card
    text: str  # "Q♠", likewise
    name: str  # "queen of spades", likewise
    taught: str  # "QS" where no other language means another card by it, else "Q♠": what mails teach to type

    @property
    def is_code_taught(self) -> bool:
        return self.taught == self.code


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
        spoken = self.face.name
        if self.copies > 1 and self.copy == 1:
            spoken = say("{card}, first of two", card=spoken)
        elif self.copies > 1:
            spoken = say("{card}, second of two", card=spoken)
        if self.received:
            spoken = say("{card}, new from the pass", card=spoken)
        return say("{card}. Not now: {why}", card=spoken, why=self.refusal) if self.refusal else spoken


@dataclass(frozen=True, slots=True)
class SuitRow:
    """The cards of one suit in a hand."""

    suit: str
    symbol: str
    cards: tuple[HeldFace, ...]

    @property
    def heading(self) -> str:
        return say(_SUIT_HEADINGS[self.suit])


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
        return say(_SUIT_HEADINGS[self.suit])


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason, and all the cards that may not be played because of it."""

    sentence: str
    faces: tuple[Face, ...]


def face(card: Card) -> Face:
    """
    >>> face(parse_code("TD")).name
    'ten of diamonds'
    """
    return _faces_in(catalogue(spoken()))[card]


def faces(cards: Iterable[Card]) -> tuple[Face, ...]:
    return tuple(face(card) for card in cards)


def suit_word(of: Suit) -> str:
    return of.name.lower()


def suit_symbol(of: Suit) -> str:
    return SYMBOLS[of] + TEXT_STYLE


@cache
def _faces_in(spoken_from: NullTranslations) -> tuple[Face, ...]:
    """The faces in the language that is spoken, whose catalogue this is."""
    return tuple(map(_face, FACES))


def _face(card: Card) -> Face:
    of, shown = suit(card), _RANKS[rank(card)]
    symbol = suit_symbol(of)
    letter, text = (say(_WRITTEN[rank(card)], rank=shown, suit=after) for after in ("", symbol))
    code = card_text(card)
    taught = code_to_teach(code, spoken())
    return Face(code, shown, symbol, suit_word(of), letter, text, say(_NAMES[card]), taught)


def example() -> tuple[Face, ...]:
    """Cards that somebody might hold who has none yet."""
    return faces(map(parse_code, ("4C", "QS", "KH")))


def said(sentence: Sentence) -> str:
    """A sentence of the rules or the robot, in the language that is spoken."""
    gaps: dict[str, object] = {}
    for name, gap in sentence.gaps:
        # Text in a gap is codes of cards.
        gaps[name] = listed([face(parse_code(code)).text for code in gap.split()]) if isinstance(gap, str) else gap
    if not sentence.many:
        return say(sentence.one, **gaps)
    number = dict(sentence.gaps)[NUMBER]
    assert isinstance(number, int)
    return say_many(number, sentence.one, sentence.many, **{name: gap for name, gap in gaps.items() if name != NUMBER})


def by_suit(cards: Cards) -> tuple[SuitFaces, ...]:
    """Clubs, diamonds, spades, hearts; a suit without cards is left out."""
    grouped = [(of, faces(group)) for of, group in groupby(cards, suit)]
    return tuple(SuitFaces(suit_word(of), suit_symbol(of), row) for of, row in grouped)


def held_by_suit(held: Cards, legal: Cards, refusals: Mapping[Card, Sentence], received: Cards) -> tuple[SuitRow, ...]:
    """The held cards, sorted. Of two equal cards, one of which came with the pass, the second is marked as received."""
    rows: dict[Suit, list[HeldFace]] = {}
    for card in held.faces():
        copies, new = held.count(card), received.count(card)
        for copy in range(1, copies + 1):
            came = copy > copies - new
            why = refusals.get(card)
            drawn = HeldFace(face(card), card in legal, said(why) if why else None, came, copy, copies)
            rows.setdefault(suit(card), []).append(drawn)
    return tuple(SuitRow(suit_word(of), suit_symbol(of), tuple(row)) for of, row in rows.items())


def fold_of(rows: Sequence[SuitRow]) -> Fold | None:
    """Finds the break of a hand into two rows between suits; None if one of the rows would be too long."""
    ends = list(accumulate(len(row.cards) for row in rows))
    folds = [Fold(number, max(end, ends[-1] - end), ends[-1]) for number, end in enumerate(ends[:-1], 1)]
    best = min(folds, key=lambda fold: fold.longest, default=None)
    return best if best and best.longest <= LONGEST_ROW else None


def refused(refusals: Mapping[Card, Sentence]) -> tuple[Refusal, ...]:
    """The cards that may not be played, grouped by reason."""
    reasons: dict[Sentence, list[Card]] = {}
    for card, why in refusals.items():
        reasons.setdefault(why, []).append(card)
    return tuple(Refusal(said(why), faces(sorted(cards))) for why, cards in reasons.items())


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
        taken = [other.tint for other in drawn]
        tints = [1 + (number + step) % TINTS for step in range(TINTS)]
        tint = next((tint for tint in tints if tint not in taken), tints[0])
        shape = ROBOT if seat in robots else SHAPES[number // TINTS % len(SHAPES)]
        drawn.append(Avatar(bare(name)[:1].upper()[:1], tint, shape))
    return tuple(drawn)
