"""Small pieces of sentences: lists of names, counted things, signed numbers."""

from collections.abc import Sequence

LONGEST_IN_SUBJECT = 30
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def listed(names: Sequence[str]) -> str:
    """Names joined by commas and "and".

     listed(["Ann"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def counted(number: int, thing: str) -> str:
    """A number with its noun in the singular or plural.

     counted(1, "point"), counted(13, "point"), counted(-1, "point")
    ('1 point', '13 points', '-1 point')
    """
    return f"{number} {thing}" if abs(number) == 1 else f"{number} {thing}s"


def number_word(number: int) -> str:
    """A small number as a word, as in "three cards"."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def signed(points: int) -> str:
    """Points with their sign.

     signed(13), signed(0), signed(-10)
    ('+13', '0', '-10')
    """
    return f"{points:+d}" if points else "0"


def shortened(name: str, longest: int = LONGEST_IN_SUBJECT) -> str:
    """A name, cut to fit into a subject line."""
    return name if len(name) <= longest else name[: longest - 1].rstrip() + "…"
