"""What a name may not be: something that a mail program makes a link of, or letters that nobody can see.

Names stand in mails to people who know nobody here yet, so a link in a name would be somebody else's advertisement.
"""

import re
import unicodedata
from typing import Final

UNPRINTABLE: Final = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
JOINERS: Final = "\u200c\u200d"  # parts of names in some scripts
# Drawn as nothing, or as a blank, though their categories do not say so: fillers of Hangul, the empty Braille cell, a
# note without a head, and what Unicode keeps for invisible marks to come.
BLANK: Final = frozenset(
    map(chr, (0x115F, 0x1160, 0x2065, 0x2800, 0x3164, 0xFFA0, 0x1D159, *range(0xFFF0, 0xFFF9), 0xE0000))
)
MOST_DIGITS: Final = 6  # with more of them, phones offer to call a name
# A scheme, "www.", "@", and a dot before two letters or more, as between the parts of a domain: every top-level domain
# has two, and a list of them would be out of date. People write a space there, or initials of one letter.
_LINKED: Final = re.compile(r"://|@|\bwww\d?\.|(?<=[^\s.])\.(?=[^\W\d_][^\s.,;:!?'’()-])", re.IGNORECASE)


def is_printable(letter: str) -> bool:
    """Whether a letter can be seen, or belongs to one that can: no line break, no mark that turns a line round."""
    return letter in JOINERS or (unicodedata.category(letter) not in UNPRINTABLE and letter not in BLANK)


def is_seen(name: str) -> bool:
    """Whether every letter of `name` is printable, and one of them is more than a mark on another.

    >>> is_seen("Zoe\\u0308"), is_seen("\\u0308"), is_seen("\\u3164")
    (True, False, False)
    """
    return all(map(is_printable, name)) and any(_stands_alone(letter) for letter in name)


def is_linked(name: str) -> bool:
    """Whether a mail program may make a link of `name`, or of a part of it: a web or mail address, a phone number.

    >>> is_linked("evil.com"), is_linked("St. John"), is_linked("J.R.")
    (True, False, False)
    """
    plain = unicodedata.normalize("NFKC", name)  # as a browser reads full-width letters and dots
    return bool(_LINKED.search(plain)) or sum(letter.isdecimal() for letter in plain) > MOST_DIGITS


def _stands_alone(letter: str) -> bool:
    return letter not in JOINERS and unicodedata.category(letter)[0] not in "MZ"
