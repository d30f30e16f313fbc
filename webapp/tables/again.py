"""Starts another game at the same table: one player proposes it, the others agree, and the last to agree begins it.

The state of the seats records who has agreed, as before the first game. `seating` lets players decline and the host
give their seats away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.core.say import say_many
from webapp.core.tokens import AgainLink, LinkInvalid
from webapp.games.record import sealed
from webapp.games.record.links import check_seat
from webapp.games.record.rows import READY, table_seats
from webapp.games.record.seats import owner_id, owner_name
from webapp.models import GameRow, LetterKind, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.outbox import about_tables
from webapp.presentation.phrasing import listed, shortened
from webapp.tables import seating
from webapp.tables.seating import SeatGone


class AnotherGameState(StrEnum):
    """The state of another game at the table, for one player."""

    OPEN = "open"  # nobody has proposed it
    ASKED = "asked"  # somebody has proposed it, and waits for this player
    AGREED = "agreed"
    DECLINED = "declined"
    CLOSED = "closed"  # the host has declined
    BEGUN = "begun"


@dataclass(frozen=True, slots=True)
class AnotherGame:
    state: AnotherGameState
    number: int
    agreed: str  # the players who have agreed, with a verb: "Ann and Cy want"
    host: str


def another_game(session: Session, link: AgainLink) -> AnotherGame:
    """The game after number `link.number`, as the player of the link sees it.

    Raises SeatGone if somebody else has the seat now, LinkInvalid if there was no game of that number, LinkExpired if
    the player has ended the link.
    """
    seat, game = _seat(session, link), _game(session, link)
    table = session.get_one(TableRow, link.table_id)
    seats = table_seats(session, link.table_id)
    host = next(other for other in seats if owner_id(other) == table.host_id)
    if game.number > link.number:
        state = AnotherGameState.BEGUN
    elif host.state is SeatState.DECLINED and seat is not host:
        state = AnotherGameState.CLOSED
    elif seat.state is SeatState.DECLINED:
        state = AnotherGameState.DECLINED
    elif table.state is not TableState.INVITING:
        state = AnotherGameState.OPEN
    else:
        state = AnotherGameState.ASKED if seat.state is SeatState.INVITED else AnotherGameState.AGREED
    return AnotherGame(state, link.number + 1, who_wants_again(seats), owner_name(host))


def who_wants_again(seats: Sequence[SeatRow]) -> str:
    """Names the players who have agreed, as a heading or a mail's subject: "Ann and Cy want to play again"."""
    names = [seat.name for seat in seats if seat.player_id is not None and seat.state in READY]
    if len(names) > 2:
        return say_many(len(names), "{number} player wants to play again", "{number} players want to play again")
    who = shortened(listed(names))
    return say_many(len(names), "{who} wants to play again", "{who} want to play again", who=who)


def agree(runtime: Runtime, link: AgainLink, now: datetime, words: str = "") -> None:
    """Records that the player of the link agrees to the next game, and keeps their words for its shuffle.

    The first player who agrees thereby invites the others; the game begins when the last one agrees. Idempotent, and
    without effect once that game has begun. Raises SeatGone if somebody else has the seat now or the host has declined,
    LinkInvalid if there was no game of the link's number, LinkExpired if the player has ended the link.
    """
    with seating.change_table(runtime, link.table_id, now) as (transaction, table):
        session = transaction.session
        seat, game = _seat(session, link), _game(session, link)
        if game.number > link.number or table.state is TableState.PLAYING:
            return
        if table.state is TableState.OVER:
            _propose(session, runtime, table, seat, game, now)
        seating.take_seat(table, seat)
        sealed.give_words(session, seat, words)


def _propose(session: Session, runtime: Runtime, table: TableRow, seat: SeatRow, game: GameRow, now: datetime) -> None:
    """Invites all players but that of `seat`.

    A host who has declined may change their mind: players who had agreed before need not do so again. Raises SeatGone
    if the host has declined and `seat` is another player's.
    """
    seats = table_seats(session, seat.table_id)
    if any(other.player_id == table.host_id and other.state is SeatState.DECLINED for other in seats):
        if seat.player_id != table.host_id:
            raise SeatGone
    else:
        game.names = [other.name for other in seats]  # from now on seats may go to others
        for other in seats:
            if other.player_id is not None:
                other.state = SeatState.INVITED
    seating.number_table(session, table)
    table.state = TableState.INVITING
    for other in seats:
        is_asked = other.state is SeatState.INVITED and other is not seat and other.mails
        # Who gets no mail finds the question on their pages.
        if is_asked and session.get_one(PlayerRow, other.player_id).invitations:
            number = game.number + 1
            about_tables.queue_about_table(
                session, runtime, LetterKind.INVITATION, other, now, occasion=f"again {number}", game_number=number
            )


def _seat(session: Session, link: AgainLink) -> SeatRow:
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None or seat.player_id != link.player_id:
        raise SeatGone
    return check_seat(link, seat)


def _game(session: Session, link: AgainLink) -> GameRow:
    """The newest game of the table: that of the link, or a later one. Raises LinkInvalid if there is neither."""
    game = seating.current_game(session, link.table_id)
    if game is None or game.number < link.number:
        raise LinkInvalid
    return game
