"""Tables that their host has confirmed, and seats that players have taken, also by the host's link by messenger."""

from collections.abc import Iterator

from tests.chaos.checks.aftermath import Aftermath
from tests.chaos.checks.answers import answered
from tests.chaos.notes import Deed, Way
from webapp.core.tokens import ConfirmLink, InvitationLink, JoinLink, MessengerLink
from webapp.models import LetterKind, SeatState, TableState


def check(left: Aftermath) -> Iterator[str]:
    for deed in left.notes.acknowledged:
        if deed.way is Way.MAIL:
            yield from _by_mail(left, deed)
        else:
            yield from _table(left, deed)
            yield from _seat(left, deed)


def _by_mail(left: Aftermath, deed: Deed) -> Iterator[str]:
    """A player who has said yes to an invitation by mail has the seat."""
    letter = answered(left, deed)
    if letter.kind is LetterKind.INVITATION and letter.seat is not None:
        assert letter.table_id is not None
        if not _has(left, letter.table_id, letter.seat, letter.player_id):
            yield f"table {letter.table_id}: {deed.player} has said yes to seat {letter.seat}, and has not got it"


def _table(left: Aftermath, deed: Deed) -> Iterator[str]:
    read = left.signer.read
    if deed.place == "confirm":
        table_id = read(ConfirmLink, deed.token, even_old=True).table_id
        if _state(left, table_id) is TableState.UNCONFIRMED:
            yield f"table {table_id} is not confirmed, though {deed.player} has done so"
    elif deed.place == "confirm/guests":
        table_id = read(ConfirmLink, deed.token, even_old=True).table_id
        if _state(left, table_id) is TableState.INVITING:
            yield f"table {table_id}: {deed.player} has dealt, and no game has begun"


def _seat(left: Aftermath, deed: Deed) -> Iterator[str]:
    read, player_id = left.signer.read, left.player_at(deed.player)
    if deed.place == "invitation":
        invited = read(InvitationLink, deed.token, even_old=True)
        if not _has(left, invited.table_id, invited.seat, invited.player_id):
            yield f"table {invited.table_id}: {deed.player} has accepted seat {invited.seat}, and has not got it"
    elif deed.place == "come":
        table_id = read(MessengerLink, deed.token, even_old=True).table_id
        asked = {(one.table_id, one.player_id) for one in left.letters if one.kind is LetterKind.JOIN}
        if (table_id, player_id) not in asked:
            yield f"table {table_id}: {deed.player} has come by the host's link, and no letter was queued"
    elif deed.place == "join":
        link = read(JoinLink, deed.token, even_old=True)
        numbers = [seat.seat for seat in left.seats if seat.table_id == link.table_id]
        if not any(_has(left, link.table_id, seat, link.player_id) for seat in numbers):
            yield f"table {link.table_id}: {deed.player} has taken a seat by a link, and has not got it"


def _state(left: Aftermath, table_id: int) -> TableState:
    return next(table.state for table in left.tables if table.id == table_id)


def _has(left: Aftermath, table_id: int, number: int, player_id: int) -> bool:
    """Whether the player has the seat, or has had it, or is to get it, or was told why not."""
    (seat,) = (one for one in left.seats if (one.table_id, one.seat) == (table_id, number))
    if (seat.player_id, seat.state) == (player_id, SeatState.ACCEPTED) or seat.offered_to == player_id:
        return True
    games = (stored.row for stored in left.games.values() if stored.table.id == table_id)
    if any((one.seat, one.player) == (number, player_id) for row in games for one in row.earlier or ()):
        return True
    told = LetterKind.OFFER_OVER, LetterKind.REPLACED, LetterKind.ENDED
    return any(one.kind in told and one.player_id == player_id for one in left.letters)
