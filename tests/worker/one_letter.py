"""A service with one letter in its queue."""

from tests.cast import letters, new_table
from webapp.core.runtime import Runtime
from webapp.models import LetterRow
from webapp.tables import seating


def confirm_letter(runtime: Runtime) -> None:
    """The only queued letter: Ann's, to confirm her table."""
    seating.open_table(runtime, new_table(), runtime.now())


def only(runtime: Runtime) -> LetterRow:
    (letter,) = letters(runtime)
    return letter
