"""Signs players in by a link that we mail to them, and that works once; or by the code beside it.

The code is for a browser in which mail does not open its links, such as the one of a phone's home screen. It works in
the browser that asked for it alone, which keeps a secret name; the letter has that, too. The code is derived from it by
the secret key, and so is stored in the mail alone.
"""

import hmac
import secrets
import unicodedata
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlmodel import Session, select

from webapp.accounts import sign_ins
from webapp.core.runtime import Runtime
from webapp.core.tokens import LinkInvalid, SignInLink
from webapp.games.clock.presence import note_act
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.outbox import about_accounts, bounces

CODE_LASTS: Final = timedelta(minutes=15)  # from when its mail was sent
CODE_DIGITS: Final = 6


def new_browser() -> str:
    """A secret name for a browser that asks for a code."""
    return secrets.token_urlsafe(16)


def request_sign_in(runtime: Runtime, address: str, now: datetime, browser: str | None = None) -> None:
    """Queues a sign-in link to the player of that address, if there is one; with a code for the `browser`, if named.

    The caller does not learn whether there is one, so that nobody can find out who plays here.
    """
    with runtime.database.writing() as session:
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None:
            return
        about_accounts.queue_sign_in(session, runtime, player, now, browser)
    runtime.bell.deliver()


def code_of(runtime: Runtime, player: PlayerRow, browser: str) -> str:
    """The code that signs the player in, once, in the browser of that name."""
    return _code(runtime.keys[0], player, browser)


def link_of_code(runtime: Runtime, address: str, browser: str, typed: str) -> SignInLink | None:
    """The sign-in link in whose place the `typed` code stands; None if it is not that of the browser's newest mail.

    The caller limits how many codes are tried.
    """
    with runtime.database.reading() as session:
        player = session.exec(select(PlayerRow).where(PlayerRow.address == address)).first()
        if player is None or not _is_young(session, player, browser, runtime.now()):
            return None
    digits = _digits(typed).encode()
    matches = [hmac.compare_digest(_code(key, player, browser).encode(), digits) for key in runtime.keys]
    return SignInLink(player.id, player.sign_ins) if any(matches) else None


def sign_in(runtime: Runtime, link: SignInLink, user_agent: str, replaced: str | None = None) -> str:
    """Signs a browser in as the player of the link, and uses the link up. Returns the secret for the browser's cookie.

    `replaced` is the secret of the browser's earlier sign-in, which ends. Raises LinkInvalid if the link was used.
    """
    with runtime.database.writing() as session:
        player = session.get(PlayerRow, link.player_id, with_for_update={"key_share": True})
        if player is None or player.sign_ins != link.sign_ins:
            raise LinkInvalid
        player.sign_ins += 1
        note_act(player, runtime.now())
        sign_ins.note_browser(player, runtime.now())
        bounces.clear(session, player, runtime.now())
        if replaced is not None:
            sign_ins.end(session, replaced)
        return sign_ins.begin(session, link.player_id, user_agent, runtime.now())


def sign_out(runtime: Runtime, secret: str) -> None:
    """Ends the sign-in with that secret. Idempotent."""
    with runtime.database.writing() as session:
        sign_ins.end(session, secret)


def _code(key: str, player: PlayerRow, browser: str) -> str:
    about = f"sign-in code {player.id} {player.sign_ins} {browser}"
    number = int.from_bytes(hmac.digest(key.encode(), about.encode(), sha256))
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def _is_young(session: Session, player: PlayerRow, browser: str, now: datetime) -> bool:
    """Whether the browser has been mailed a code for the player, no longer ago than it lasts."""
    asked = select(LetterRow).where(LetterRow.player_id == player.id, LetterRow.kind == LetterKind.SIGN_IN)
    letter = session.exec(asked.where(LetterRow.about == browser)).first()
    return letter is not None and now - (letter.sent_at or letter.created_at) < CODE_LASTS


def _digits(typed: str) -> str:
    """The digits of what was typed, in any script; programs that show a code may part it."""
    return "".join(str(unicodedata.decimal(sign)) for sign in typed if sign.isdecimal())
