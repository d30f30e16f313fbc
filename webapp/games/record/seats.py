"""Reads the row of a seat: its player, the owner for whom they play, and the newcomer whom it is offered to.

A seat belongs to one player, its owner. While the owner is away, somebody else may play it for them: then the row names
both. It may be offered to a newcomer, by the host or by a player who asks a friend to stand in. `tables.offers` makes
and ends offers, `play.seat_transfer` carries them out, lends a seat and gives it back.
"""

from collections.abc import Sequence
from datetime import datetime

from webapp.core.say import say
from webapp.models import OfferState, SeatRow


def is_lent(seat: SeatRow) -> bool:
    """Whether somebody plays the seat for its owner."""
    return seat.stands_in_for is not None


def owner_id(seat: SeatRow) -> int | None:
    """The id of the seat's owner; None for a robot's seat."""
    return seat.player_id if seat.stands_in_for is None else seat.stands_in_for


def owner_name(seat: SeatRow) -> str:
    """The owner's name at the table."""
    return seat.lent.owner if seat.lent else seat.name


def own_name(seat: SeatRow) -> str:
    """The own name of who plays the seat: "Eve", where the table reads "Eve (Ann)"."""
    return seat.lent.stand_in if seat.lent else seat.name


def table_name(seats: Sequence[SeatRow]) -> str:
    """Returns the players' name for the table with these seats: "Ann's table", or "Ann's table 2" beside that one.

    The host has the first seat.
    """
    host = seats[0]
    name, number = owner_name(host), host.table_number
    return say("{name}'s table", name=name) if number == 1 else say("{name}'s table {number}", name=name, number=number)


def shown_as(seat: SeatRow, name: str) -> SeatRow:
    """A copy of the seat for people outside the table: under that name, and without its player."""
    return SeatRow(
        table_id=seat.table_id,
        seat=seat.seat,
        name=name,
        state=seat.state,
        by_link=seat.by_link,
        table_number=seat.table_number,
    )


def seat_of_owner(seat: SeatRow) -> SeatRow:
    """The seat as its owner's, for a mail to them: a copy, if somebody else plays it."""
    if seat.lent is None:
        return seat
    return SeatRow(
        table_id=seat.table_id,
        seat=seat.seat,
        player_id=seat.stands_in_for,
        name=owner_name(seat),
        state=seat.state,
        mails=seat.lent.mails,
    )


def name_to(seat: SeatRow, player_id: int) -> str:
    """The name by which a mail about the seat addresses that player."""
    if player_id == seat.player_id:
        return own_name(seat)
    return owner_name(seat) if player_id == seat.stands_in_for else seat.name


def is_stand_in_asked(seat: SeatRow) -> bool:
    """Whether the seat's player has asked a friend to play for them, who has not answered yet."""
    return seat.offer_state is OfferState.STAND_IN


def is_offered_by_host(seat: SeatRow) -> bool:
    """Whether the host has offered the seat to somebody."""
    return seat.offered_to is not None and not is_stand_in_asked(seat)


def is_offered(seat: SeatRow, player_id: int) -> bool:
    """Whether the seat, which somebody else has, is offered to that player."""
    return seat.offered_to == player_id


def is_accepted(seat: SeatRow) -> bool:
    """Whether a newcomer has accepted the seat and gets it when the current hand is over."""
    return seat.offer_state is OfferState.ACCEPTED


def is_promised(seat: SeatRow, player_id: int) -> bool:
    """Whether that player has accepted the offered seat, and gets it when the current hand is over."""
    return is_offered(seat, player_id) and is_accepted(seat)


def joins_next(seat: SeatRow) -> str | None:
    """The name of the newcomer who has accepted the seat; None if nobody has."""
    return seat.offered_name if is_accepted(seat) else None


def may_answer(seat: SeatRow, player_id: int) -> bool:
    """Whether an invitation to the seat, or an offer of it, may be that player's."""
    return player_id in (seat.player_id, seat.offered_to)


def people_of(seat: SeatRow) -> set[int]:
    """The ids of all whom the seat concerns: its player, the owner for whom they play, and whom it is offered to."""
    return {one for one in (seat.player_id, seat.stands_in_for, seat.offered_to) if one is not None}


def clear_offer(seat: SeatRow) -> None:
    """Ends the offer of the seat, by its host or its player, without a mail to anybody."""
    seat.offered_to = seat.offered_name = seat.offer_state = seat.offered_words = None


def is_over(seat: SeatRow, now: datetime) -> bool:
    """Whether the player of the seat, or its owner, was away until a time that is over."""
    return seat.away_until is not None and seat.away_until <= now


def mark_back(seat: SeatRow) -> None:
    """Marks the seat's player as back. A friend whom they have asked to play for them is not needed any more."""
    if seat.away or seat.missed or seat.robot_hand is not None:  # else the ORM would look for what has changed
        seat.away, seat.missed, seat.robot_hand = False, 0, None
    if seat.away_until is not None and not is_lent(seat):  # a lent seat's is its owner's
        seat.away_until = None
    if is_stand_in_asked(seat):
        clear_offer(seat)
