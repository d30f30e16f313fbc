"""The chair of somebody who plays, and who has it after her: it is given to a robot, or offered to somebody else.

Whoever takes it takes it as it is, with its cards and its points. What is asked of a chair is for `service`; chairs
that wait for an answer before a game begins are for `tables`.
"""

from datetime import datetime

from sqlmodel import Session, select

from hearts.seats import Seat
from webapp import service
from webapp.models import GameRow, GameState, SeatRow, SeatState
from webapp.parts import Parts
from webapp.post import letters

REPLACE = "replace"  # what an invitation to such a chair is about


def is_offered(seat: SeatRow, player_id: int) -> bool:
    """Whether the chair, which somebody else has, is offered to that player."""
    return seat.offered_to == player_id


def take_offer(session: Session, parts: Parts, seat: SeatRow, name: str, now: datetime) -> None:
    """The player to whom the chair is offered takes it under `name`; who had it is told. The caller has locked both."""
    _change_hands(session, parts, seat, seat.offered_to, name, SeatState.ACCEPTED, now)


def give_to_robot(session: Session, parts: Parts, seat: SeatRow, name: str, now: datetime) -> None:
    """A robot of that name has the chair from now on; who had it is told. The caller has locked her, and the table."""
    _change_hands(session, parts, seat, None, name, SeatState.ROBOT, now)


def withdraw_offer(seat: SeatRow) -> None:
    """The chair is offered to nobody. An invitation that is not sent yet is not sent then."""
    seat.offered_to = seat.offered_name = None


def running_game(session: Session, table_id: int) -> GameRow | None:
    """The game that the table plays now."""
    running = select(GameRow).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    return session.exec(running).first()


def _change_hands(
    session: Session, parts: Parts, seat: SeatRow, player_id: int | None, name: str, state: SeatState, now: datetime
) -> None:
    if seat.player_id is not None:
        letters.supersede_mails_to(session, seat)
        letters.owe_replaced(session, parts, seat, now)
    withdraw_offer(seat)
    seat.player_id, seat.name, seat.state = player_id, name, state
    seat.away, seat.mails, seat.missed, seat.here_at = False, True, 0, None
    game = running_game(session, seat.table_id)
    if game is not None:
        service.wishes_changed(session, parts, game, Seat(seat.seat), was_away=True, now=now)
