"""Half a sentence in the source, as the checks of `tests/test_whole_sentences.py` find it."""

import re
from dataclasses import dataclass
from typing import Final

MANY_WORDS: Final = 6
"""A text of so many words is a sentence, and begins like one; a shorter one may be a label, such as "no answer yet"."""
LETTER: Final = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Half:
    """A text that does not stand whole: its line, what it says, and what is wrong."""

    line: int
    text: str
    wrong: str


def begins_small(text: str) -> bool:
    """Whether a text that is long enough for a sentence begins in the middle of one."""
    text = text.strip()
    return text[:1].islower() and len(text.split()) >= MANY_WORDS
