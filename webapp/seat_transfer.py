"""Transfers a seat to another player or a robot: updates its row, records who played the finished hands, queues mails.

Every caller has locked the table, its game, and the players of its seats. `offers` decides who gets a seat and when.
`service` calls `seat_newcomers` after it has scored a hand and before it deals the next, so that no newcomer sees a
hand in which somebody else held the cards.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from webapp.core.runtime import Runtime
from webapp.games import shares
from webapp.games.store import Stored
from webapp.models import OfferState, PlayerRow, SeatRow, SeatState
from webapp.outbox import letters
from webapp.outbox.letters import OfferOver


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who has a seat: a player, or a robot, whose `player_id` is None."""

    player_id: int | None
    name: str
    state: SeatState


def is_accepted(seat: SeatRow) -> bool:
    """Whether a newcomer has accepted the seat and gets it when the current hand is over."""
    return seat.offer_state is OfferState.ACCEPTED


def newcomer(seat: SeatRow) -> Occupant:
    """The player who is offered the seat, as its next occupant."""
    return Occupant(seat.offered_to, seat.offered_name or "", SeatState.ACCEPTED)


def seat_newcomers(session: Session, runtime: Runtime, stored: Stored, now: datetime) -> None:
    """Transfers every seat whose offer is accepted to its newcomer, and queues a mail to each player who loses one."""
    for seat in filter(is_accepted, stored.seats):
        transfer_seat(session, runtime, seat, newcomer(seat), stored, now)


def transfer_seat(
    session: Session, runtime: Runtime, seat: SeatRow, occupant: Occupant, stored: Stored | None, now: datetime
) -> None:
    """Gives the seat to `occupant`, and queues a mail to the player who loses it.

    `stored` is the game that the table is playing, None if there is none. A pending offer ends when a player gets the
    seat; a robot only keeps the seat for the newcomer. The caller must ask the new player for the seat's next turn.
    """
    if seat.player_id is not None:
        letters.supersede_for_lost_seat(session, seat)
        letters.queue_replaced(session, runtime, seat, now)
    if stored is not None:
        shares.end_at_transfer(session, stored.id, seat, now)
        _record_earlier_player(stored, seat)
    if occupant.player_id is not None:
        clear_offer(seat)
    elif seat.offer_state is OfferState.RELEASED:  # the leaving player released only their own cards
        seat.offer_state = None
    seat.player_id, seat.name, seat.state = occupant.player_id, occupant.name, occupant.state
    seat.away, seat.mails, seat.missed, seat.here_at = False, True, 0, None
    seat.plan, seat.robot_hand, seat.ahead = _own_plan(session, occupant), None, None
    seat.vacation = None


def withdraw(session: Session, runtime: Runtime, seat: SeatRow, why: OfferOver, now: datetime) -> None:
    """Ends the offer of the seat, and queues a mail to a newcomer who has accepted it.

    An invitation that has not been sent yet is never sent.
    """
    if is_accepted(seat):
        letters.queue_offer_over(session, runtime, seat, why, now)
    clear_offer(seat)


def clear_offer(seat: SeatRow) -> None:
    """Ends the offer of the seat without a mail to anybody."""
    seat.offered_to = seat.offered_name = seat.offer_state = None


def _own_plan(session: Session, occupant: Occupant) -> dict[str, Any] | None:
    """The plan with which a newcomer begins; None for a robot, and for a player who has chosen none."""
    return session.get_one(PlayerRow, occupant.player_id).plan if occupant.player_id else None


def _record_earlier_player(stored: Stored, seat: SeatRow) -> None:
    """Records the name of the leaving player for the hands that they have finished."""
    row = stored.row
    change = {"seat": seat.seat, "name": seat.name, "turns": row.turns, "hands": len(stored.game.scores)}
    row.earlier = [*(row.earlier or ()), change]
