"""Says a sentence in the language of its reader.

A sentence stands whole where it is said, in English, with a named gap for each thing that it is about: that is also its
name in the catalogues of `locale/`. A request, and each mail that is composed, sets the language with `speaking`; who
sets none speaks English.

What is said is decided late: a constant of a module is marked by `later`, and `say` is called when a reader is known.
`Refused` is the error whose text is such a sentence.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
_OWN_NAMES: Final = {
    ENGLISH: "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "it": "Italiano",
    "pt_BR": "Português (Brasil)",
    "pt_PT": "Português (Portugal)",
    "nl": "Nederlands",
    "pl": "Polski",
    "ja": "日本語",
    "ar": "العربية",
}
LANGUAGES: Final = tuple(_OWN_NAMES)
_FROM_RIGHT: Final = {"ar"}
WHOLE: Final = 0.95  # the part of all sentences from which on a language is offered

# The catalogues, which the wheel puts inside the program.

_PROGRAM: Final = Path(__file__).parent.parent
_PACKED: Final = _PROGRAM / "locale"
CATALOGUES: Final = _PACKED if _PACKED.is_dir() else _PROGRAM.parent / "locale"

_SPOKEN: Final[ContextVar[str]] = ContextVar("spoken", default=ENGLISH)


@cache
def catalogue(language: str) -> NullTranslations:
    """The sentences of one of `LANGUAGES`; those that it lacks are in English."""
    file = _file_of(language)
    if not file.exists():
        return NullTranslations()
    with file.open("rb") as content:
        return GNUTranslations(content)


def _file_of(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES" / "messages.mo"


@cache
def offered() -> tuple[str, ...]:
    """The languages that readers may choose: English, and each of `LANGUAGES` whose catalogue is `WHOLE` enough."""
    template = CATALOGUES / "messages.pot"
    all_of_them = template.read_text(encoding="utf-8").count("\nmsgid ") if template.exists() else 0
    return tuple(one for one in LANGUAGES if one == ENGLISH or _sentences_in(_file_of(one)) > WHOLE * all_of_them)


def _sentences_in(file: Path) -> int:
    """How many sentences a catalogue has, as its third word says; 0 if there is none."""
    return int.from_bytes(file.read_bytes()[8:12], sys.byteorder) if file.exists() else 0


def if_offered(language: str) -> str:
    """The language itself; English, if it is not offered (any more)."""
    return language if language in offered() else ENGLISH


@dataclass(frozen=True, slots=True)
class Tongue:
    """How a page or a mail names a language: its tag (BCP 47), its own name, and the direction of its lines."""

    language: str
    tag: str
    name: str
    direction: str  # "ltr" or "rtl"


def tongue(language: str | None = None) -> Tongue:
    """How one of `LANGUAGES` is named; the one that is spoken, if it is None."""
    return _TONGUES[language or spoken()]


_TONGUES: Final = {
    language: Tongue(language, language.replace("_", "-"), name, "rtl" if language in _FROM_RIGHT else "ltr")
    for language, name in _OWN_NAMES.items()
}


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it, all is said in one of `LANGUAGES`."""
    token = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(token)


def spoken() -> str:
    """The language that is spoken: one of `LANGUAGES`."""
    return _SPOKEN.get()


def say(message: str, /, **gaps: object) -> str:
    """The sentence in the reader's language, with its gaps filled.

    >>> say("{name} led {card}.", name="Ann", card="♥9")
    'Ann led ♥9.'
    """
    said = catalogue(spoken()).gettext(message)
    return said.format(**gaps) if gaps else said


def say_as(context: str, message: str, /, **gaps: object) -> str:
    """Says a word with several meanings: `context` tells translators which, as in `say_as("card", "led")`."""
    said = catalogue(spoken()).pgettext(context, message)
    return said.format(**gaps) if gaps else said


def say_many(number: int, one: str, many: str, /, **gaps: object) -> str:
    """Chooses between two sentences by a number, which fills the gap `{number}`; other languages have more forms.

    >>> say_many(1, "{number} card", "{number} cards"), say_many(3, "{number} card", "{number} cards")
    ('1 card', '3 cards')
    """
    return catalogue(spoken()).ngettext(one, many, abs(number)).format(number=number, **gaps)


def later(message: str) -> str:
    """Marks a sentence that is said later, by `say`: the catalogues get it here."""
    return message


class Refused(ValueError):
    """The request cannot be granted, and nothing has changed; the text is a sentence for the person who asked."""
