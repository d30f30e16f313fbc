"""Sentences for players: whole, in English, with named gaps, so that they can be said in another language.

The rules and the robot hand out a `Sentence`, and say nothing themselves: whoever shows it knows its reader's language,
and finds the translation by its English text. `str` fills the gaps in English.
"""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from hearts.cards import RANKS, Card, card_text, parse_code, rank, suit

Gap = int | str
"""A number, or cards by their codes, as in `KS QS`."""
NUMBER: Final = "number"
"""The gap whose number chooses between one and many."""

_SYMBOLS: Final = "♣♦♠♥"


class Sentence(NamedTuple):
    """A sentence that is not said yet."""

    one: str
    """The message, with its gaps in braces; where there is `many`, the message about one thing."""
    many: str = ""
    """The message about none or several things; the gap `NUMBER` chooses. Empty if one message is about any number."""
    gaps: tuple[tuple[str, Gap], ...] = ()
    """By name, the values that fill its gaps."""

    def __str__(self) -> str:
        """
        >>> str(later("{card} stays under {best}.", card="TS", best="KS"))
        '10♠ stays under K♠.'
        """
        gaps = dict(self.gaps)
        message = self.many if self.many and gaps[NUMBER] != 1 else self.one
        filled = {name: in_words(gap.split()) if isinstance(gap, str) else gap for name, gap in self.gaps}
        return message.format(**filled) if filled else message

    def about(self, **gaps: Gap) -> "Sentence":
        """The same with more of its gaps filled."""
        return self._replace(gaps=(*self.gaps, *gaps.items()))


def later(message: str, /, **gaps: Gap) -> Sentence:
    """A sentence that is said later."""
    return Sentence(message).about(**gaps)


def later_many(number: int, one: str, many: str, /, **gaps: Gap) -> Sentence:
    """Two sentences of which a number chooses, and fills the gap `NUMBER`; other languages have more forms, or one."""
    return Sentence(one, many).about(**{NUMBER: number}, **gaps)


def written(sentence: Sentence) -> str:
    """The sentence as rows keep it; one without gaps as it is.

    >>> written(later("{card} stays under {best}.", card="TS", best="KS"))
    '["{card} stays under {best}.", "", {"card": "TS", "best": "KS"}]'
    """
    if not sentence.gaps:
        return sentence.one
    return json.dumps([sentence.one, sentence.many, dict(sentence.gaps)])


def read(text: str) -> Sentence:
    """The sentence that `written` wrote. Any other text, as in older rows, is a sentence without gaps."""
    if not text.startswith("["):
        return Sentence(text)
    one, many, gaps = json.loads(text)
    return Sentence(one, many, tuple(gaps.items()))


def in_words(codes: Iterable[str]) -> str:
    """Cards as people write them, joined by commas and "and": `K♠, Q♠ and 10♦`."""
    names = [_name(code) for code in codes]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _name(code: str) -> str:
    card = parse_code(code)
    letter = RANKS[rank(card)]
    return ("10" if letter == "T" else letter) + _SYMBOLS[suit(card)]


def codes(cards: Iterable[Card]) -> str:
    """Cards as the value of a gap."""
    return " ".join(card_text(card) for card in cards)
