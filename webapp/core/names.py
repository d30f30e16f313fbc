"""Checks of names: a name must be visible, no mail program may turn it into a link, and it must be somebody's own.

Names appear in mails to strangers, for instance in invitations, so a link in a name would be an advertisement. They
appear in sentences, too: so none may be what we call others, nor turn what stands beside it round.
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

_RIGHT_TO_LEFT: Final = {"R", "AL", "AN", "RLE", "RLO", "RLI"}  # classes of the bidirectional algorithm (UAX 9)
ISOLATES: Final = "\u2068\u2069"  # the first opens an isolate, the other ends it
_OURS: Final = {"host", "the host", "nobody", "somebody"}
# Words that our sentences and lists put beside a name: "Cy (winning)", "Ann (host)".
_ADDED: Final = re.compile(
    r"[(\[][^)\]]*\b(?:away|host|leads?|led|muted|turn|wins?|winning)\b[^(\[]*[)\]]|\byou\b|\bhearts by mail\b"
    r"|\br\W?o\W?b\W?o\W?ts?\b"
)
_SPELLED: Final = re.compile(r"\w+")
_DIGITS: Final = str.maketrans("0135", "oles")  # that are read as letters
# Letters of other scripts that look like Latin ones; Unicode's list of confusables (UTS 39) has them, too.
_LOOK_ALIKES: Final = str.maketrans(
    "абвгеёзікмнорстухуџѕјһԁԛԝαβγεζηικμνορτυχωϲıɡɑℓ",
    "a6bree3ikmhopctyxyusjhdqwabyeznikuvoptuxwcigal",
)


def isolated(name: str) -> str:
    """A name as we keep it: one with letters that run from right to left turns nothing round that stands beside it.

    >>> isolated("Ann"), isolated("\u05d3\u05df")
    ('Ann', '\u2068\u05d3\u05df\u2069')
    """
    runs_left = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name)
    return f"{ISOLATES[0]}{name}{ISOLATES[1]}" if runs_left else name


def bare(name: str) -> str:
    """The name without what `isolated` puts around it."""
    return "".join(letter for letter in name if letter not in ISOLATES)


def outline(name: str) -> str:
    """Returns a name's outline: readers take two names with the same outline for one at a glance.

    >>> outline("B\u043e") == outline("bo"), outline("Zo\u00eb") == outline("Zoe")
    (True, False)
    """
    plain = unicodedata.normalize("NFKC", bare(name)).casefold().translate(_LOOK_ALIKES)
    return " ".join("".join(letter for letter in plain if letter not in JOINERS).split())


def is_ours(name: str) -> bool:
    """Whether a reader would take `name` for one of our own words, or for a name with what we add to names.

    >>> is_ours("You"), is_ours("Cy (winning)"), is_ours("Youri")
    (True, True, False)
    >>> is_ours("a R0b0t, Pip"), is_ours("Robotka")
    (True, False)
    """
    spelled = outline(name).translate(_DIGITS)
    return " ".join(_SPELLED.findall(spelled)) in _OURS or _ADDED.search(spelled) is not None


def is_printable(letter: str) -> bool:
    """Whether a letter is visible or joins visible ones; False for line breaks and marks that reverse a line."""
    return letter in JOINERS or (unicodedata.category(letter) not in UNPRINTABLE and letter not in BLANK)


def is_visible(name: str) -> bool:
    """Whether every letter of `name` is printable, and at least one is more than a combining mark.

    >>> is_visible("Zoe\\u0308"), is_visible("\\u0308"), is_visible("\\u3164")
    (True, False, False)
    """
    return all(map(is_printable, name)) and any(
        letter not in JOINERS and unicodedata.category(letter)[0] not in "MZ" for letter in name
    )


def looks_like_link(name: str) -> bool:
    """Whether a mail program may link `name` or a part of it: as a web address, an email address or a phone number.

    >>> looks_like_link("evil.com"), looks_like_link("St. John"), looks_like_link("J.R.")
    (True, False, False)
    """
    plain = unicodedata.normalize("NFKC", name)  # browsers read full-width letters and dots this way
    if "=?" in plain:  # an encoded word (RFC 2047): headers would spell it out
        return True
    return bool(_LINKED.search(plain)) or sum(letter.isdecimal() for letter in plain) > MAX_DIGITS
