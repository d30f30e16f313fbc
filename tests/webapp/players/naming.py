"""What a database still says of somebody."""

from tests.cast import dump, letters, mentions
from webapp.models import LetterRow


def told(runtime):
    """Every row as text, without the mails that others have got."""
    with runtime.database.writing() as session:
        for letter in letters(runtime):
            row = session.get_one(LetterRow, letter.id)
            row.message = row.subject = None
    return repr(dump(runtime))


def is_named(runtime, name):
    """Whether any row still has the name."""
    return mentions(told(runtime), name)
