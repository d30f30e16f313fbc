"""A player who is forgotten, and what a database still says of them."""

from tests.cast import dump, letters, mentions
from tests.mailing import player_id
from webapp.models import LetterRow
from webapp.players import forgetting


def forget(runtime, name):
    """Forgets Ann, Bo, …; returns their number."""
    number = player_id(runtime, name)
    forgetting.forget(runtime, number, runtime.now())
    return number


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
