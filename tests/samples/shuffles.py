"""The shuffle of a sealed game, as its pages and mails show it."""

from typing import Any

from tests.samples.cast import CAST, NASTY
from webapp.core.say import say
from webapp.games.fair import DEALT, RECEIPT, YOURS, Shuffle

SEAL = "2a903154fdb6d9b43eb67fb0f36b0ff2eac93d5b14409f2ea2ffeaaf118818b7"
LIST = "504bbdac63d1a0b4a1c8e1ae2a05a0a6e6a3b0c37a8d7c6ad6a5d9d0f3b1c2e4"
PART = "e9afa57b0c9f4d1f8a7d64a1d0b5c3e29f8e7d6c5b4a39281706f5e4d3c2b1a0"
SEALING: dict[str, Any] = {"seal": SEAL, "fair_link": "https://hearts.example/fair"}
TOLD = (say(DEALT, hand=1, seal=SEAL, parts=LIST), say(YOURS, seat=3, words="K7QF-2M9D-X3TA"))

RECEIVED = [say(sentence, seat=3, part=PART, seal=SEAL, others=LIST) for sentence in RECEIPT]


def shuffle(words: str = "K7QF-2M9D-X3TA", names: tuple[str, ...] = CAST) -> Shuffle:
    """The shuffle for the player of the second seat, for which all but the first have given words."""
    return Shuffle(SEAL, 1, words, LIST, LIST, [(name, PART if place else "") for place, name in enumerate(names)])


NASTY_SHUFFLE = shuffle(NASTY[2], NASTY)
