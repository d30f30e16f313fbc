"""How a player gets back to their game from a page that may not let them play: by a mail to their own inbox."""

from contextlib import suppress

from hearts.seats import Seat
from webapp.accounts import signing_in
from webapp.core.refusal import Refused
from webapp.core.tokens import PlayLink, SeatLink
from webapp.games import store
from webapp.games.due import due_of
from webapp.games.store import TableGame
from webapp.games.whose_turn import first_asked
from webapp.models import GameState, PlayerRow
from webapp.outbox import questions
from webapp.pages import asked_here, limits
from webapp.pages.common import reading, runtime
from webapp.play import taking
from webapp.players import preferences


def mail_one(link: PlayLink | SeatLink) -> None:
    """Mails the link's player the turn for which they are asked, else a link that signs them in.

    The caller has checked that they still have the seat. Raises TooMuchMail.
    """
    with reading() as session:
        stored = store.load_newest(session, link.table_id)
        address = session.get_one(PlayerRow, link.player_id).address
    if stored is None or not _mail_turn(stored, Seat(link.seat)):
        with limits.counted(limits.to_address(address)):
            signing_in.request_sign_in(runtime(), address, runtime().now())


def mail_sign_in(player_id: int, *, returns: bool = False) -> None:
    """Mails the player a link that signs them in; to the page "Away", if it `returns`. Raises TooMuchMail."""
    with reading() as session:
        address = session.get_one(PlayerRow, player_id).address
    with limits.counted(limits.to_address(address)):
        signing_in.request_sign_in(runtime(), address, runtime().now())
    asked_here.note(asked_here.sign_in(address), returns=returns)


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
