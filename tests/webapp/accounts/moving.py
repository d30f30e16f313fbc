"""A player's move to another address: requested, agreed to, and as the database then has it."""

from datetime import timedelta

from sqlmodel import select

from tests.cast import letters
from tests.webapp.accounts.intruder import player_of
from webapp.accounts import changing_address
from webapp.core.tokens import NewAddressLink, OldAddressLink
from webapp.games.record.links import preferences_link
from webapp.models import AddressChangeRow, LetterState

ANN, BO, CY = 1, 2, 3
NEW = "bo@new.example"
DAY = timedelta(days=1)
A_MOMENT = timedelta(seconds=1)


def preferences(runtime, number=BO):
    return runtime.signer.local_url(preferences_link(player_of(runtime, number)))


def at(runtime, number=BO):
    return player_of(runtime, number).address


def changes(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(AddressChangeRow).order_by(AddressChangeRow.id)).all()


def states(runtime):
    return [change.state for change in changes(runtime)]


def asked(runtime, to=NEW, number=BO):
    """A move requested by the link in an email. Returns its number."""
    runtime.now.pass_by(A_MOMENT)
    changing_address.request_change(runtime, preferences_link(player_of(runtime, number)), to, None, runtime.now())
    return changes(runtime)[-1].id


def moved(runtime, to=NEW, number=BO):
    """A move that both addresses have agreed to. Returns its number."""
    change = asked(runtime, to, number)
    changing_address.prove(runtime, NewAddressLink(change), runtime.now())
    changing_address.agree(runtime, OldAddressLink(change), runtime.now())
    return change


def waits(runtime, kind):
    return [letter for letter in letters(runtime, kind) if letter.state is LetterState.QUEUED]
