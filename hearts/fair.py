"""Deals that anybody can check: bytes in, cards out. docs/fairness.md has the protocol, step by step.

A game has a secret for each hand. All of them are sealed before a player gives words, and each is opened once its hand
is over: so nobody can choose the cards, and everybody can work them out afterwards.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from hearts.cards import Card, Cards
from hearts.deal import cards_each, pack
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import Deal

VERSION: Final = 1
HANDS: Final = 256  # that a game has secrets for, in each era
ERAS: Final = 16
DIGEST: Final = 32  # bytes of every secret, part, seal, and step of a path
STEPS: Final = 12  # of a path: 2 ** 12 leaves
LONGEST_WORDS: Final = 100

Part = bytes | None
"""The digest that a seat's words add to each shuffle; None without words."""

_TAG: Final = "hearts-by-mail/fair/1/"
_BLANKS: Final = re.compile("[\x00-\x20\x7f-\xa0]+")


@dataclass(frozen=True, slots=True)
class Proof:
    """The opened secret of a hand, and the path by which it leads to the seal."""

    leaf: int
    secret: bytes
    path: tuple[bytes, ...]
    """The sister of each node on the way up, the leaf's first."""

    def seal(self) -> bytes:
        """The seal under which the secret is."""
        node = _leaf_hash(self.leaf, self.secret)
        for level, sister in enumerate(self.path):
            node = _hash("node", sister, node) if self.leaf >> level & 1 else _hash("node", node, sister)
        return node


class Secrets:
    """The tree over the secrets of a game, whose top is the seal."""

    def __init__(self, master: bytes) -> None:
        self._master = master
        row = [_leaf_hash(leaf, secret_of(master, leaf)) for leaf in range(HANDS * ERAS)]
        self._rows = [row]
        while len(row) > 1:
            row = [_hash("node", *row[place : place + 2]) for place in range(0, len(row), 2)]
            self._rows.append(row)

    @property
    def seal(self) -> bytes:
        return self._rows[-1][0]

    def proof(self, leaf: int) -> Proof:
        path = tuple(row[(leaf >> level) ^ 1] for level, row in enumerate(self._rows[:-1]))
        return Proof(leaf, secret_of(self._master, leaf), path)


def secret_of(master: bytes, leaf: int) -> bytes:
    """A secret of the game with this `master`: 32 bytes that nobody can foresee, of which all its secrets are made."""
    return _keyed(master, "secret", _u32(leaf))


def leaf_of(hand: int, era: int) -> int:
    """The number of the secret that deals a hand, from 1 to `HANDS`, in an era, from 0."""
    return era * HANDS + hand - 1


def tidy(words: str) -> str:
    """The words as they count: every text has such a form, if an empty one. Half a character counts as a blank."""
    whole = re.sub("[\ud800-\udfff]", " ", words)
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", whole)).strip(" ")[:LONGEST_WORDS].rstrip(" ")


def part_of(seal: bytes, seat: int, words: str) -> Part:
    """The part of a seat with these words in the game with that seal."""
    text = tidy(words)
    return _hash("part", seal, _u32(seat), text.encode()) if text else None


def digest_of(parts: Sequence[Part]) -> bytes:
    """The digest of all parts, by seat."""
    return _hash("list", *(part or b"" for part in parts))


def fair_deal(rules: Rules, seal: bytes, leaf: int, secret: bytes, parts: Sequence[Part], dealer: Seat | None) -> Deal:
    """The deal that this secret and the seats' parts give; without a `dealer`, in the first hand, also who deals."""
    cards, each, players = list(pack(rules)), cards_each(rules), rules.players
    codes = str(pack(rules)).encode()
    key = _keyed(secret, "deal", seal, _u32(leaf), digest_of(parts), _u32(players), _u32(each), codes)
    shuffle(cards, key)
    held = tuple(Cards.of(cards[seat * each : (seat + 1) * each]) for seat in range(players))
    if dealer is None:
        dealer = Seat(below(players, _stream(key, "dealer")))
    return Deal(dealer, held, Cards.of(cards[players * each :]))


def shuffle(cards: list[Card], key: bytes) -> None:
    """Puts the cards in the order that `key` gives."""
    stream = _stream(key, "shuffle")
    for last in range(len(cards) - 1, 0, -1):
        other = below(last + 1, stream)
        cards[last], cards[other] = cards[other], cards[last]


def below(bound: int, stream: Iterator[int]) -> int:
    """The next number below `bound`, which is at most 256, all equally likely; takes bytes from the stream."""
    fair = 256 - 256 % bound
    return next(byte for byte in stream if byte < fair) % bound


def _stream(key: bytes, tag: str) -> Iterator[int]:
    """The bytes of a key, without end."""
    block = 0
    while True:
        yield from _keyed(key, tag, _u32(block))
        block += 1


def _leaf_hash(leaf: int, secret: bytes) -> bytes:
    return _hash("leaf", _u32(leaf), secret)


def _hash(tag: str, *fields: bytes) -> bytes:
    return hashlib.sha256(_encoded(tag, *fields)).digest()


def _keyed(key: bytes, tag: str, *fields: bytes) -> bytes:
    return hmac.digest(key, _encoded(tag, *fields), "sha256")


def _encoded(tag: str, *fields: bytes) -> bytes:
    """The fields, each after its length, so that no two lists of fields have the same bytes."""
    encoded = _encoded_tag(tag)
    for field in fields:
        encoded += _u32(len(field)) + field
    return encoded


@cache
def _encoded_tag(tag: str) -> bytes:
    full = (_TAG + tag).encode()
    return _u32(len(full)) + full


def _u32(number: int) -> bytes:
    return number.to_bytes(4, "big")
