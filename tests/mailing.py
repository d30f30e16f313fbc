"""The mail preferences of the cast, and the letters to each."""

from dataclasses import replace
from typing import Any

from sqlmodel import select

from tests.cast import address, letters
from webapp.core.runtime import Runtime
from webapp.core.tokens import PreferencesLink
from webapp.forms.preferences import Preferences
from webapp.games.clock.hours import Quiet
from webapp.models import Frequency, LetterKind, LetterRow, PlayerRow
from webapp.outbox import turn_mail
from webapp.players.preferences import change_preferences
from worker import postman

EVERY, DAILY, LAST = Frequency
PLAIN = Preferences("UTC", EVERY, 8, Quiet(22, 7), invitations=True)


def set_preferences(runtime: Runtime, name: str, **wanted: Any) -> None:
    """Changes the mail preferences of Ann, Bo, … from now on."""
    change_preferences(runtime, player_id(runtime, name), replace(PLAIN, **wanted), runtime.now())


def player_id(runtime: Runtime, name: str = "Ann") -> int:
    with runtime.database.reading() as session:
        return session.exec(select(PlayerRow).where(PlayerRow.address == address(name))).one().id or 0


def letters_to(runtime: Runtime, name: str, *kinds: LetterKind) -> list[LetterRow]:
    """The player's letters of these kinds."""
    player = player_id(runtime, name)
    return [letter for letter in letters(runtime) if letter.player_id == player and letter.kind in kinds]


def mailed(runtime: Runtime, player_id: int) -> LetterRow:
    """The mail about turns that a worker has sent the player just now, with all that waits for them."""
    with runtime.database.writing() as session:
        turn_mail.mail_now(session, runtime, session.get_one(PlayerRow, player_id), runtime.now())
    postman.deliver(runtime)
    return [one for one in letters(runtime, LetterKind.TURNS) if one.player_id == player_id][-1]


def preferences_url(runtime: Runtime, name: str) -> str:
    return runtime.signer.local_url(PreferencesLink(player_id(runtime, name)))
