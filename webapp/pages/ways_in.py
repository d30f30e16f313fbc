"""How a player gets back to their game from a page that may not let them play.

Where they are signed in, or have just played in this browser, the page leads straight on; anywhere else a mail goes to
their own inbox. The browser's cookie keeps the links by which it has just played: it has followed each of them, so this
gives it no more than its history does, and they end when they would.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from flask import session as cookie

from hearts.seats import Seat
from webapp.accounts import signing_in
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkExpired, LinkInvalid, PlayLink, SeatLink
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import first_asked
from webapp.games.record import links, store
from webapp.games.record.store import TableGame
from webapp.models import GameState, PlayerRow, SeatRow
from webapp.outbox import questions
from webapp.pages import asked_here, limits
from webapp.pages.common import PageContext, reading, runtime, signed_in
from webapp.play import taking
from webapp.players import preferences

PLAYED: Final = "played"  # key in the session cookie: the token of a PlayLink by the id of its table, the newest last
MOST: Final = 5  # tables that the cookie has room for


@dataclass(frozen=True, slots=True, kw_only=True)
class OldLinkPage(PageContext):
    """The page to which an old link leads: what became of it, and a button that mails its player the way in."""

    template = "play_old"
    heading: str = ""
    sentences: Sequence[str] = ()
    action: str | None = None
    button: str | None = None  # None: it mails their turn
    is_away: bool = False
    table_link: str | None = None
    error: str | None = None
    sent: bool = False


SENT: Final = OldLinkPage(sent=True)


def way_in(seat: SeatRow) -> str | None:
    """The path of the page on which the seat's player plays; None if this browser may not open it."""
    player = signed_in()
    if seat.player_id is None:
        return None
    if player is not None and player.id == seat.player_id:
        return runtime().signer.local_url(links.play_link(seat))
    token = cookie.get(PLAYED, {}).get(str(seat.table_id), "")
    try:
        return f"/play/{token}" if runtime().signer.read(PlayLink, token) == links.play_link(seat) else None
    except (LinkInvalid, LinkExpired):
        return None


def note_played(seat: SeatRow) -> str:
    """Notes in the cookie that the seat's player has just played in this browser. Returns the path of their page."""
    token, table = runtime().signer.token(links.play_link(seat)), str(seat.table_id)
    others = [(key, kept) for key, kept in cookie.get(PLAYED, {}).items() if key != table]
    cookie[PLAYED] = dict([*others, (table, token)][-MOST:])
    return f"/play/{token}"


def mail_one(link: PlayLink | SeatLink) -> None:
    """Mails the link's player the turn for which they are asked, else a link that signs them in.

    The caller has checked that they still have the seat. Raises TooMuchMail.
    """
    with reading() as session:
        stored = store.load_newest(session, link.table_id)
    if stored is None or not _mail_turn(stored, Seat(link.seat)):
        mail_sign_in(link.player_id)


def mail_sign_in(player_id: int, *, returns: bool = False) -> None:
    """Mails the player a link that signs them in; to the page "Away", if it `returns`. Raises TooMuchMail."""
    with reading() as session:
        address = session.get_one(PlayerRow, player_id).address
    with limits.counted(limits.to_address(address)):
        signing_in.request_sign_in(runtime(), address, runtime().now())
    asked_here.note_asked(asked_here.sign_in(address), returns=returns)


def _mail_turn(stored: TableGame, seat: Seat) -> bool:
    """Queues the mail of the seat's turn. Returns whether it has one, perhaps on its way since a moment ago."""
    due = due_of(first_asked(stored, seat).game, seat) if stored.row.state is GameState.PLAYING else None
    if due is None:
        return False
    try:
        with suppress(questions.TooSoon):
            preferences.mail_again(runtime(), stored.id, seat, due, runtime().now())
    except (Refused, taking.TurnOver):  # the table is muted, or a card was played meanwhile
        return False
    return True
