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
from webapp.players.preferences import change_preferences

TWICE, EVERY, BUNDLED, DAILY = Frequency
PLAIN = Preferences("UTC", EVERY, 8, Quiet(22, 7), reminders=True, invitations=True)


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


def preferences_url(runtime: Runtime, name: str) -> str:
    return runtime.signer.local_url(PreferencesLink(player_id(runtime, name)))
