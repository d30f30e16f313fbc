"""Keeps the sign-ins: a row for each browser that is signed in as a player. Deleting the row signs the browser out.

The browser keeps a secret in its cookie; we store only its hash. `signing_in` checks who may sign in.
"""

import hmac
import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlmodel import Session, col, delete, select, update

from webapp.core.runtime import Runtime
from webapp.core.say import later, say
from webapp.core.tokens import LinkInvalid, SignInLink
from webapp.games.clock.presence import note_act
from webapp.models import LetterKind, LetterRow, PlayerRow, SignInRow
from webapp.outbox import about_accounts, bounces
from webapp.presentation.phrasing import timestamp

LASTS = timedelta(days=90)  # since the browser last used it
NOTED_EVERY = timedelta(days=1)
FRESH_FOR = timedelta(minutes=15)
# The first pattern that matches wins: a browser also names others, which come later here.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/|Opera", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrome/|Chromium/|CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone|iPod", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X|Macintosh", "Mac"),
    ("Linux", "Linux"),
)
UNKNOWN = later("A browser")
_ON = " on "  # in what a row has of a browser


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A browser's sign-in and its player. `is_new_day`: this is its first use in NOTED_EVERY, and has been recorded."""

    player: PlayerRow
    row: SignInRow
    is_new_day: bool

    def is_fresh(self, now: datetime) -> bool:
        """Whether the player has just proved their address, as `is_fresh` has it, when the sign-in was read."""
        return _is_young(self.row, now)


@dataclass(frozen=True, slots=True)
class SignInLine:
    """One sign-in, as the player's list of sign-ins shows it."""

    number: int
    browser: str
    since: str
    seen: str
    is_this: bool


def begin(session: Session, player_id: int, user_agent: str, now: datetime) -> str:
    """Signs a browser in as the player, whose row must be locked. Returns the secret for its cookie."""
    secret = secrets.token_urlsafe(32)
    row = SignInRow(
        player_id=player_id, secret_hash=_hash(secret), browser=browser_name(user_agent), created_at=now, seen_at=now
    )
    session.add(row)
    return secret


def note_browser(player: PlayerRow, now: datetime) -> None:
    """Notes that a browser is known to be the player's, whose row must be locked; from then on no other one goes on to
    their later turns without a sign-in.
    """
    player.browser_at = player.browser_at or now


def find(runtime: Runtime, secret: str, now: datetime) -> SignedIn | None:
    """The sign-in with that secret; None if there is none, or if it has expired or ended.

    Records once a day that the browser still uses it, even during a GET: the date affects no game, only the expiry.
    """
    with runtime.database.reading() as session:
        found = session.exec(
            select(PlayerRow, SignInRow)
            .where(SignInRow.secret_hash == _hash(secret), SignInRow.player_id == PlayerRow.id)
            .where(SignInRow.seen_at > now - LASTS)
        ).first()
    if found is None:
        return None
    player, row = found
    is_new_day = now - row.seen_at >= NOTED_EVERY
    if is_new_day:
        with runtime.database.writing() as session:
            session.exec(update(SignInRow).where(col(SignInRow.id) == row.id).values(seen_at=now))
    return SignedIn(player, row, is_new_day)


def end(session: Session, secret: str) -> None:
    """Signs out the browser with that secret. Idempotent."""
    session.exec(delete(SignInRow).where(col(SignInRow.secret_hash) == _hash(secret)))


def end_one(runtime: Runtime, player_id: int, number: int) -> None:
    """Signs out one of the player's browsers; does nothing if `number` is another player's sign-in."""
    with runtime.database.writing() as session:
        own = (col(SignInRow.player_id) == player_id, col(SignInRow.id) == number)
        session.exec(delete(SignInRow).where(*own))


def end_all(session: Session, player_id: int) -> None:
    """Signs out every browser of the player."""
    session.exec(delete(SignInRow).where(col(SignInRow.player_id) == player_id))


def lines(session: Session, signed_in: SignedIn, now: datetime) -> Sequence[SignInLine]:
    """The sign-ins of the player: the browser of `signed_in` first, then the most recently used."""
    own = select(SignInRow).where(SignInRow.player_id == signed_in.player.id, SignInRow.seen_at > now - LASTS)
    found = []
    for row in session.exec(own.order_by(col(SignInRow.seen_at).desc(), col(SignInRow.id).desc())).all():
        since, seen = (timestamp(at, now, signed_in.player.time_zone).day for at in (row.created_at, row.seen_at))
        name, _, system = row.browser.partition(_ON)
        name = say(UNKNOWN) if name == UNKNOWN else name
        browser = say("{browser} on {system}", browser=name, system=system) if system else name
        found.append(SignInLine(row.id, browser, since, seen, is_this=row.id == signed_in.row.id))
    return sorted(found, key=lambda line: not line.is_this)


def is_fresh(session: Session, sign_in_id: int | None, player_id: int, now: datetime) -> bool:
    """Whether the sign-in is the player's and younger than FRESH_FOR: they have just proved their address."""
    row = None if sign_in_id is None else session.get(SignInRow, sign_in_id, populate_existing=True)
    return row is not None and row.player_id == player_id and _is_young(row, now)


def forget_old(session: Session, now: datetime) -> None:
    """Deletes the expired sign-ins."""
    session.exec(delete(SignInRow).where(col(SignInRow.seen_at) <= now - LASTS))


def browser_name(user_agent: str) -> str:
    """Returns what a row has of a browser: "Firefox on Android". We keep nothing else of the User-Agent header."""
    browser, system = (
        next((name for pattern, name in names if re.search(pattern, user_agent)), None)
        for names in (_BROWSERS, _SYSTEMS)
    )
    return f"{browser or UNKNOWN}{_ON}{system}" if system else browser or UNKNOWN


def _is_young(row: SignInRow, now: datetime) -> bool:
    return now - row.created_at < FRESH_FOR


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


# Signs players in by a link that we mail to them, and that works once; or by the code beside it.
# The code is for a browser in which mail does not open its links, such as the one of a phone's home screen. It works in
# the browser that asked for it alone, which keeps a secret name; the letter has that, too. The code is derived from it
# by the secret key, and so is stored in the mail alone.

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
        if player is None:
            return None
        asked = select(LetterRow).where(LetterRow.player_id == player.id, LetterRow.kind == LetterKind.SIGN_IN)
        letter = session.exec(asked.where(LetterRow.about == browser)).first()
        if letter is None or runtime.now() - (letter.sent_at or letter.created_at) >= CODE_LASTS:
            return None
    # They may be in any script, and programs that show a code may part it.
    digits = "".join(str(unicodedata.decimal(sign)) for sign in typed if sign.isdecimal()).encode()
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
        note_browser(player, runtime.now())
        bounces.clear(session, player, runtime.now())
        if replaced is not None:
            end(session, replaced)
        return begin(session, link.player_id, user_agent, runtime.now())


def sign_out(runtime: Runtime, secret: str) -> None:
    """Ends the sign-in with that secret. Idempotent."""
    with runtime.database.writing() as session:
        end(session, secret)


def _code(key: str, player: PlayerRow, browser: str) -> str:
    about = f"sign-in code {player.id} {player.sign_ins} {browser}"
    number = int.from_bytes(hmac.digest(key.encode(), about.encode(), sha256))
    return f"{number % 10**CODE_DIGITS:0{CODE_DIGITS}}"
