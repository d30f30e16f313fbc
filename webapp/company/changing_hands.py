"""A seat gets another player: its row, the names that its finished hands keep, and what its players are told.

Every caller has locked the table, its game, and the players of its seats. Who is to have a seat, and when, is for
`offers`; that nobody comes to see a hand of which somebody else held cards, `service` sees to: it deals after this.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from webapp.models import OfferState, SeatRow, SeatState
from webapp.parts import Parts
from webapp.post import letters
from webapp.post.letters import OfferOver
from webapp.store import Stored


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat: a player, or (None) a robot."""

    player_id: int | None
    name: str
    state: SeatState


def is_accepted(seat: SeatRow) -> bool:
    """Whether the seat is somebody else's once the hand being played is over."""
    return seat.offer_state is OfferState.ACCEPTED


def whoever_accepted(seat: SeatRow) -> Sitter:
    """The player to whom the seat is offered, as its player."""
    return Sitter(seat.offered_to, seat.offered_name or "", SeatState.ACCEPTED)


def seat_newcomers(session: Session, parts: Parts, stored: Stored, now: datetime) -> None:
    """Between two hands: whoever has accepted the offer of a seat has it from now on; who had it is told."""
    for seat in filter(is_accepted, stored.seats):
        change_hands(session, parts, seat, whoever_accepted(seat), stored, now)


def change_hands(
    session: Session, parts: Parts, seat: SeatRow, sitter: Sitter, stored: Stored | None, now: datetime
) -> None:
    """`sitter` has the seat from now on; who had it is told. `stored` is the game that its table plays, if any.

    An offer of the seat is over with it, but for a robot, which only keeps the seat for whoever accepts. What is asked
    of the seat in a hand that goes on is left to the caller.
    """
    if seat.player_id is not None:
        letters.supersede_mails_to(session, seat)
        letters.owe_replaced(session, parts, seat, now)
    if stored is not None:
        _note_earlier(stored, seat)
    if sitter.player_id is not None:
        clear_offer(seat)
    elif seat.offer_state is OfferState.RELEASED:  # by who had it, and for their own cards
        seat.offer_state = None
    seat.player_id, seat.name, seat.state = sitter.player_id, sitter.name, sitter.state
    seat.away, seat.mails, seat.missed, seat.here_at = False, True, 0, None


def withdraw(session: Session, parts: Parts, seat: SeatRow, why: OfferOver, now: datetime) -> None:
    """The seat is offered to nobody any more; whoever has accepted it is told. An invitation still unsent stays so."""
    if is_accepted(seat):
        letters.owe_offer_over(session, parts, seat, why, now)
    clear_offer(seat)


def clear_offer(seat: SeatRow) -> None:
    """The seat is offered to nobody."""
    seat.offered_to = seat.offered_name = seat.offer_state = None


def _note_earlier(stored: Stored, seat: SeatRow) -> None:
    """Keeps who has had the seat so far: the hands that are finished are theirs."""
    row = stored.row
    change = {"seat": seat.seat, "name": seat.name, "turns": row.turns, "hands": len(stored.game.scores)}
    row.earlier = [*(row.earlier or ()), change]
