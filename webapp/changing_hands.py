"""A seat gets another player: changes its row, keeps the names of its finished hands, and owes the mails about it.

Every caller has locked the table, its game, and the players of its seats. `offers` decides who gets a seat and when.
`service` calls `seat_newcomers` after it has scored a hand and before it deals the next, so that no newcomer sees a
hand of which somebody else held cards.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.games.store import Stored
from webapp.models import OfferState, SeatRow, SeatState
from webapp.outbox import letters
from webapp.outbox.letters import OfferOver


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a seat: a player, or (None) a robot."""

    player_id: int | None
    name: str
    state: SeatState


def is_accepted(seat: SeatRow) -> bool:
    """Whether the seat is somebody else's once the hand being played is over."""
    return seat.offer_state is OfferState.ACCEPTED


def newcomer(seat: SeatRow) -> Sitter:
    """The player to whom the seat is offered, as the one who gets it."""
    return Sitter(seat.offered_to, seat.offered_name or "", SeatState.ACCEPTED)


def seat_newcomers(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Gives every seat whose offer is accepted to its newcomer, and tells the player who loses it."""
    for seat in filter(is_accepted, stored.seats):
        change_hands(session, runtime, seat, newcomer(seat), stored, now)


def change_hands(
    session: Session, runtime: Runtime, seat: SeatRow, sitter: Sitter, stored: Stored | None, now: datetime
) -> None:
    """Gives the seat to `sitter`, and tells the player who loses it. `stored` is the game that the table plays, if any.

    A pending offer ends where a player gets the seat; a robot only keeps the seat for the newcomer. The caller asks the
    new player for what the game awaits of the seat.
    """
    if seat.player_id is not None:
        letters.supersede_mails_to(session, seat)
        letters.queue_replaced(session, runtime, seat, now)
    if stored is not None:
        _note_earlier(stored, seat)
    if sitter.player_id is not None:
        clear_offer(seat)
    elif seat.offer_state is OfferState.RELEASED:  # by the player who leaves, for their own cards only
        seat.offer_state = None
    seat.player_id, seat.name, seat.state = sitter.player_id, sitter.name, sitter.state
    seat.away, seat.mails, seat.missed, seat.here_at = False, True, 0, None


def withdraw(session: Session, runtime: Runtime, seat: SeatRow, why: OfferOver, now: datetime) -> None:
    """Ends the offer of the seat, and tells a newcomer who has accepted it. An unsent invitation is then never sent."""
    if is_accepted(seat):
        letters.queue_offer_over(session, runtime, seat, why, now)
    clear_offer(seat)


def clear_offer(seat: SeatRow) -> None:
    """Ends the offer of the seat, and tells nobody."""
    seat.offered_to = seat.offered_name = seat.offer_state = None


def _note_earlier(stored: Stored, seat: SeatRow) -> None:
    """Keeps the name of the player who leaves, for the hands that they have finished."""
    row = stored.row
    change = {"seat": seat.seat, "name": seat.name, "turns": row.turns, "hands": len(stored.game.scores)}
    row.earlier = [*(row.earlier or ()), change]
