"""Seats that change hands while a game is played: to a robot at once, to another player by an offer.

The newcomer gets the seat between two hands. Until then its player plays on, or a robot does, so that the newcomer
never sees a hand of which somebody else held cards; only that player can hand over earlier. Points stay with the seat.
What a game asks of a seat is for `service`; seats that wait for an answer before a game begins are for `tables`.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, func, select

from hearts.seats import Seat
from webapp import changing_hands, service
from webapp.changing_hands import Sitter, is_accepted
from webapp.core.runtime import Runtime
from webapp.core.tokens import HandOverLink, LinkExpired, LinkInvalid, SeatLost
from webapp.games import store
from webapp.games.store import Stored
from webapp.models import GameRow, GameState, LetterKind, LetterRow, OfferState, SeatRow, SeatState
from webapp.outbox import letters

REPLACE = "replace"  # the occasion of an invitation to such a seat


class OfferGone(Exception):
    """The seat is not offered to that newcomer any more."""


@dataclass(frozen=True, slots=True)
class Offer:
    """How the offer of a seat stands, for its player."""

    newcomer: str
    host: str
    is_accepted: bool
    is_released: bool  # its player hands it over as soon as the newcomer accepts


def is_offered(seat: SeatRow, player_id: int) -> bool:
    """Whether the chair, which somebody else has, is offered to that player."""
    return seat.offered_to == player_id


def is_promised(seat: SeatRow, player_id: int) -> bool:
    """Whether that player has accepted the offered seat, and gets it once the hand being played is over."""
    return is_offered(seat, player_id) and is_accepted(seat)


def offer_of(session: Session, seat: SeatRow) -> Offer | None:
    """How the offer of `seat` stands, for its player; None where there is none, or no game is played."""
    if seat.offered_to is None or seat.player_id is None or running_game(session, seat.table_id) is None:
        return None
    host = session.get_one(SeatRow, (seat.table_id, 0)).name
    released = seat.offer_state is OfferState.RELEASED
    return Offer(seat.offered_name or "", host, is_accepted(seat), released)


def offer(session: Session, runtime: Runtime, seat: SeatRow, player_id: int, name: str, now: datetime) -> None:
    """Offers the seat to that player, under `name`, and tells its present player once. Twice is once.

    An offer to somebody else ends.
    """
    if is_promised(seat, player_id):
        return
    if not is_offered(seat, player_id):
        changing_hands.withdraw(session, runtime, seat, letters.OfferOver.WITHDRAWN, now)
    seat.offered_to, seat.offered_name = player_id, name
    game = running_game(session, seat.table_id)
    if game is not None:
        letters.queue_offered(session, runtime, seat, now, game.number + 1)


def occasion_of_invitation(session: Session, seat: SeatRow) -> str:
    """What tells the invitation to the offered seat from others.

    It is something new once the newcomer was told that an earlier offer had ended.
    """
    told = select(func.count()).select_from(LetterRow).where(LetterRow.kind == LetterKind.OFFER_OVER)
    told = told.where(LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
    times = session.exec(told.where(LetterRow.player_id == seat.offered_to)).one()
    return f"{REPLACE} {times + 1}" if times else REPLACE


def accept_offer(session: Session, runtime: Runtime, seat: SeatRow, name: str, now: datetime) -> None:
    """The newcomer accepts the offered seat under `name`, and gets it once the hand being played is over.

    They get it at once where no game is played, or where its player has agreed to hand it over.
    """
    is_released = seat.offer_state is OfferState.RELEASED
    seat.offered_name, seat.offer_state = name, OfferState.ACCEPTED
    if is_released or running_game(session, seat.table_id) is None:
        _change_hands(session, runtime, seat, changing_hands.newcomer(seat), now)


def hand_over(session: Session, runtime: Runtime, link: HandOverLink, now: datetime, *, at_once: bool) -> None:
    """The player of the seat hands it over, with its cards, as soon as the newcomer of the link has accepted.

    Not `at_once`: they play the hand to its end after all. Twice is once. Raises LinkInvalid where there is no such
    seat, SeatLost where a third player or a robot has it, OfferGone where it is not offered to that newcomer any more.
    """
    seat = offered_seat(session, link)
    if seat.player_id == link.newcomer_id:
        return
    if not is_offered(seat, link.newcomer_id):
        raise OfferGone
    if is_accepted(seat):
        if at_once:
            _change_hands(session, runtime, seat, changing_hands.newcomer(seat), now)
        return
    seat.offer_state = OfferState.RELEASED if at_once else None


def offered_seat(session: Session, link: HandOverLink) -> SeatRow:
    """The seat of the link, which its player still has, or the newcomer by now.

    Raises LinkInvalid where there is none, SeatLost where a third has it, LinkExpired where its player ended the link.
    """
    seat = session.get(SeatRow, (link.table_id, link.seat))
    if seat is None:
        raise LinkInvalid
    if seat.player_id not in (link.player_id, link.newcomer_id):
        raise SeatLost(link.table_id)
    if seat.player_id == link.player_id and seat.links != link.links:
        raise LinkExpired
    return seat


def give_to_robot(session: Session, runtime: Runtime, seat: SeatRow, name: str, now: datetime) -> None:
    """Gives the seat to a robot of that name, and tells the player who loses it. The caller has locked both.

    A newcomer to whom the seat is offered can still accept, and joins after the hand.
    """
    _change_hands(session, runtime, seat, Sitter(None, name, SeatState.ROBOT), now)


def withdraw_offer(session: Session, runtime: Runtime, seat: SeatRow, now: datetime) -> None:
    """The host withdraws the offer of the seat; a newcomer who has accepted it is told."""
    changing_hands.withdraw(session, runtime, seat, letters.OfferOver.WITHDRAWN, now)


def decline_offer(seat: SeatRow) -> None:
    """The newcomer does not want the offered seat, or not any more."""
    changing_hands.clear_offer(seat)


def running_game(session: Session, table_id: int) -> GameRow | None:
    """The game that the table plays now."""
    running = select(GameRow).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    return session.exec(running).first()


def running_stored(session: Session, table_id: int) -> Stored | None:
    """The same loaded, and locked."""
    game = running_game(session, table_id)
    return store.load(session, game.id, lock=True) if game and game.id else None


def _change_hands(session: Session, runtime: Runtime, seat: SeatRow, sitter: Sitter, now: datetime) -> None:
    """Gives the seat to `sitter` at once, in the middle of a hand if one is played."""
    stored = running_stored(session, seat.table_id)
    changing_hands.change_hands(session, runtime, seat, sitter, stored, now)
    if stored is not None:
        service.preferences_changed(session, runtime, stored.row, Seat(seat.seat), was_away=True, now=now)
