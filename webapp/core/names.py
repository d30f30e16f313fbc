"""Checks of names: a name must be visible, and no mail program may turn it into a link.

Names appear in mails to strangers, for instance in invitations, so a link in a name would be an advertisement.
"""

import re
import unicodedata
from typing import Final

UNPRINTABLE: Final = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
JOINERS: Final = "\u200c\u200d"  # parts of names in some scripts
# Rendered as nothing or as a blank, though their categories do not say so: Hangul fillers, the empty Braille cell, the
# null notehead, and code points that Unicode reserves for invisible characters.
BLANK: Final = frozenset(
    map(chr, (0x115F, 0x1160, 0x2065, 0x2800, 0x3164, 0xFFA0, 0x1D159, *range(0xFFF0, 0xFFF9), 0xE0000))
)
MAX_DIGITS: Final = 6  # with more, phones offer to call the name
# A scheme, "www.", "@", or a dot before two or more letters, as in a domain: every top-level domain has at least two
# letters, and a list of them would be out of date soon. In names a dot is followed by a space or by a single initial.
_LINKED: Final = re.compile(r"://|@|\bwww\d?\.|(?<=[^\s.])\.(?=[^\W\d_][^\s.,;:!?'’()-])", re.IGNORECASE)


def is_printable(letter: str) -> bool:
    """Whether a letter is visible or joins visible ones; False for line breaks and marks that reverse a line."""
    return letter in JOINERS or (unicodedata.category(letter) not in UNPRINTABLE and letter not in BLANK)


def is_visible(name: str) -> bool:
    """Whether every letter of `name` is printable, and at least one is more than a combining mark.

    >>> is_visible("Zoe\\u0308"), is_visible("\\u0308"), is_visible("\\u3164")
    (True, False, False)
    """
    return all(map(is_printable, name)) and any(_stands_alone(letter) for letter in name)


def looks_like_link(name: str) -> bool:
    """Whether a mail program may link `name` or a part of it: as a web address, an email address or a phone number.

    >>> looks_like_link("evil.com"), looks_like_link("St. John"), looks_like_link("J.R.")
    (True, False, False)
    """
    plain = unicodedata.normalize("NFKC", name)  # browsers read full-width letters and dots this way
    return bool(_LINKED.search(plain)) or sum(letter.isdecimal() for letter in plain) > MAX_DIGITS


def _stands_alone(letter: str) -> bool:
    return letter not in JOINERS and unicodedata.category(letter)[0] not in "MZ"
