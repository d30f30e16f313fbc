"""Signing in by a link that goes to one's inbox, and works once."""

from contextlib import suppress
from datetime import datetime

from sqlmodel import select

from webapp.models import PlayerRow
from webapp.parts import Parts
from webapp.post import bounces, letters
from webapp.tokens import LinkInvalid, SignInLink


def ask_sign_in(parts: Parts, address: str, now: datetime) -> None:
    """Owes a sign-in link to the player of that address, if there is one and she has not been sent enough of them.

    Who asks is told neither.
    """
    with parts.database.writing() as session, suppress(letters.TooManyAsked):
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None:
            return
        letters.check_asked(session, player, now)
        letters.owe_sign_in(session, parts, player, now)
    parts.bell.deliver()


def sign_in(parts: Parts, link: SignInLink) -> PlayerRow:
    """The player of the link, which is dead from now on. Raises LinkInvalid where it has been used."""
    with parts.database.writing() as session:
        player = session.get(PlayerRow, link.player_id, with_for_update=True)
        if player is None or player.sign_ins != link.sign_ins:
            raise LinkInvalid
        player.sign_ins += 1
        player.seen_at = parts.now()
        bounces.clear(session, player, parts.now())
    return player
