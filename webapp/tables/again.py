"""Another game at the same table: one player proposes it, the others agree, and the last to agree begins it.

Who has agreed is the state of the seats, as before the first game; declining and giving away chairs is in `tables`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.tokens import AgainLink, LinkInvalid
from webapp.games.links import check_seat
from webapp.games.store import table_seats
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import letters
from webapp.presentation.words import listed, number_word, shortened
from webapp.tables import seating
from webapp.tables.seating import SeatGone


class Stand(StrEnum):
    """How another game stands for one player."""

    OPEN = "open"  # nobody has asked for it
    ASKED = "asked"  # somebody has, and waits for her
    AGREED = "agreed"
    DECLINED = "declined"
    CLOSED = "closed"  # the host has declined
    BEGUN = "begun"


@dataclass(frozen=True, slots=True)
class Standing:
    stand: Stand
    number: int  # of the game that is asked for
    agreed: str  # who wants it: "Ann and Cy want"
    host: str


def standing(session: Session, link: AgainLink) -> Standing:
    """How the game after number `link.number` stands for the player of the link.

    Raises SeatGone where somebody else has the seat now, LinkInvalid where there was no such game, LinkExpired where
    the player has ended the link.
    """
    seat, game = _seat(session, link), _game(session, link)
    table = session.get_one(TableRow, link.table_id)
    seats = table_seats(session, link.table_id)
    host = next(other for other in seats if other.player_id == table.host_id)
    stand = Stand.BEGUN if game.number > link.number else _stand(table, seat, host)
    return Standing(stand, link.number + 1, who_wants(seats), host.name)


def who_wants(seats: Sequence[SeatRow]) -> str:
    """Who has said so, as the beginning of a sentence or a subject: "Ann wants", "Ann and Cy want"."""
    names = [seat.name for seat in seats if seat.player_id is not None and seat.state in seating.READY]
    if len(names) > 2:
        return f"{number_word(len(names)).capitalize()} players want"
    return f"{shortened(listed(names))} {'wants' if len(names) == 1 else 'want'}"


def agree(runtime: Runtime, link: AgainLink, now: datetime) -> None:
    """The player of the link wants the next game. The first to say so invites the others, the last begins it.

    Twice is once, and it changes nothing once that game has begun. Raises SeatGone where the seat is somebody else's
    now or the host has declined, LinkInvalid where there was no such game, LinkExpired where the player has ended the
    link.
    """

    def change(session: Session, table: TableRow) -> None:
        seat, game = _seat(session, link), _game(session, link)
        if game.number > link.number or table.state is TableState.PLAYING:
            return
        if table.state is TableState.OVER:
            _propose(session, runtime, table, seat, game, now)
        seating.take_seat(table, seat)

    seating.change_table(runtime, link.table_id, change, now)


def _propose(session: Session, runtime: Runtime, table: TableRow, seat: SeatRow, game: GameRow, now: datetime) -> None:
    """Asks everybody but `seat`. Where the host had declined she may think better of it; who agreed then has agreed."""
    seats = table_seats(session, seat.table_id)
    if any(other.player_id == table.host_id and other.state is SeatState.DECLINED for other in seats):
        if seat.player_id != table.host_id:
            raise SeatGone
    else:
        game.names = [other.name for other in seats]  # chairs may change hands from now on
        for other in seats:
            if other.player_id is not None:
                other.state = SeatState.INVITED
    table.state = TableState.INVITING
    for other in seats:
        if other.state is SeatState.INVITED and other is not seat and _may_be_asked(session, other):
            number = game.number + 1
            letters.queue_about_table(
                session, runtime, LetterKind.INVITATION, other, now, occasion=f"again {number}", game_number=number
            )


def _may_be_asked(session: Session, seat: SeatRow) -> bool:
    """Whether a mail may ask her; else she finds the question on her pages."""
    return seat.mails and session.get_one(PlayerRow, seat.player_id).invitations


def _stand(table: TableRow, seat: SeatRow, host: SeatRow) -> Stand:
    if host.state is SeatState.DECLINED and seat is not host:
        return Stand.CLOSED
    if seat.state is SeatState.DECLINED:
        return Stand.DECLINED
    if table.state is not TableState.INVITING:
        return Stand.OPEN
    return Stand.ASKED if seat.state is SeatState.INVITED else Stand.AGREED


def _seat(session: Session, link: AgainLink) -> SeatRow:
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or seat.player_id != link.player_id:
        raise SeatGone
    return check_seat(link, seat)


def _game(session: Session, link: AgainLink) -> GameRow:
    """The newest game of the table, which the link's own may be."""
    game = seating.current_game(session, link.table_id)
    if game is None or game.number < link.number:
        raise LinkInvalid
    return game
