"""A player who is away asks a friend to play for them, and comes back."""

from datetime import timedelta

from tests.cast import letters
from tests.sites import site_of
from tests.webapp.tables.hosted import BO, EVE, accept, composed
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.players import away

SECOND = timedelta(seconds=1)


def ask(table, number=BO, friend=EVE) -> InvitationLink:
    """The player of the seat goes away and asks a friend. Returns the link by which the friend answers."""
    table_id, player_id = table.table_id, table.seats[number].player_id
    away.ask(table.runtime, player_id, table_id, friend, table.runtime.now())
    return InvitationLink(table_id, number, table.seats[number].offered_to or 0)


def lend(table, number=BO) -> InvitationLink:
    """Eve plays for the player of the seat. Returns the link by which she took it."""
    link = ask(table, number)
    accept(table.runtime, link)
    return link


def come_back(runtime, link, owner) -> None:
    away.come_back(runtime, owner, runtime.now(), link.table_id)


def questions_to(runtime, player_id: int) -> list[LetterRow]:
    """The mails about turns that wait for the player."""
    mine = [one for one in letters(runtime, LetterKind.TURNS) if one.player_id == player_id]
    return [one for one in mine if one.state is LetterState.QUEUED]


def mail_texts(runtime, kind: LetterKind, player_id: int) -> list[str]:
    """The mails of that kind to the player that go out, as text."""
    mine = [one for one in letters(runtime, kind) if one.player_id == player_id and one.state is LetterState.QUEUED]
    return [composed(runtime, one)["plain"] for one in mine]


def shown(runtime, link) -> str:
    return " ".join(site_of(runtime).test_client().get(runtime.signer.local_url(link)).text.split())
