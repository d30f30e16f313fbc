"""Parts of sentences: lists of names, counted things, signed numbers; and sentences in the singular or the plural."""

from collections.abc import Sequence

from webapp.core.names import bare, isolated

LONGEST_IN_SUBJECT = 30
_ONE_OR_MANY = {
    "card": ("{number} card", "{number} cards"),
    "day": ("{number} day", "{number} days"),
    "game": ("{number} game", "{number} games"),
    "hand": ("{number} hand", "{number} hands"),
    "heart": ("{number} heart", "{number} hearts"),
    "hour": ("{number} hour", "{number} hours"),
    "key": ("{number} key", "{number} keys"),
    "letter": ("{number} letter", "{number} letters"),
    "minute": ("{number} minute", "{number} minutes"),
    "moon": ("{number} moon", "{number} moons"),
    "player": ("{number} player", "{number} players"),
    "point": ("{number} point", "{number} points"),
    "question": ("{number} question", "{number} questions"),
    "record": ("{number} record", "{number} records"),
    "row": ("{number} row", "{number} rows"),
    "second": ("{number} second", "{number} seconds"),
    "table": ("{number} table", "{number} tables"),
    "time": ("once", "{number} times"),
    "trick": ("{number} trick", "{number} tricks"),
    "turn": ("{number} turn", "{number} turns"),
}
_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def listed(names: Sequence[str]) -> str:
    """Names joined by commas and "and".

    >>> listed(["Ann"]), listed(["Ann", "Bo", "Cy"])
    ('Ann', 'Ann, Bo and Cy')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def by_number(number: int, one: str, many: str) -> str:
    """The first of two whole sentences, which is about one thing or person; or the second, about none or several."""
    return one if number == 1 else many


def counted(number: int, thing: str) -> str:
    """A number with its noun in the singular or plural. Raises KeyError for a noun without forms.

    >>> counted(1, "point"), counted(13, "point"), counted(-1, "point")
    ('1 point', '13 points', '-1 point')
    """
    one, many = _ONE_OR_MANY[thing]
    return by_number(abs(number), one, many).format(number=number)


def some_cards(number: int) -> str:
    """Cards with their number as a word.

    >>> some_cards(1), some_cards(3)
    ('one card', 'three cards')
    """
    return by_number(number, "one card", f"{number_word(number)} cards")


def number_word(number: int) -> str:
    """A small number as a word, as in "three cards"."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def signed(points: int) -> str:
    """Points with their sign.

    >>> signed(13), signed(0), signed(-10)
    ('+13', '0', '-10')
    """
    return f"{points:+d}" if points else "0"


def shortened(name: str, longest: int = LONGEST_IN_SUBJECT) -> str:
    """A name, cut to fit into a subject line."""
    return name if len(name) <= longest else isolated(bare(name)[: longest - 1].rstrip() + "…")
