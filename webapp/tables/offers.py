"""Decides who gets a seat, and when, while a game is played: a robot at once, another player by accepting an offer.

The newcomer gets the seat between two hands. Until then the present player or a robot plays on, so that the newcomer
never sees a hand in which somebody else held the cards. Points stay with the seat. `play` asks the seat for its turns;
`seating` fills seats before a game begins.
"""

from dataclasses import dataclass

from sqlmodel import Session, func, select

from hearts.fair import tidy
from hearts.seats import Seat
from webapp.games.record.changing import Transaction
from webapp.games.record.seats import (
    clear_offer,
    is_accepted,
    is_offered,
    is_offered_by_host,
    is_promised,
    is_stand_in_asked,
    owner_name,
)
from webapp.models import GameRow, GameState, LetterKind, LetterRow, OfferState, SeatRow
from webapp.outbox import about_tables, letters
from webapp.outbox.about_tables import SeatGiven
from webapp.play import course, seat_transfer

REPLACE = "replace"  # the occasion of an invitation to such a seat


@dataclass(frozen=True, slots=True)
class Offer:
    """The state of a seat's offer, as its present player sees it."""

    newcomer: str
    host: str
    is_accepted: bool


def offer_of(session: Session, seat: SeatRow) -> Offer | None:
    """The offer of the seat, as its present player sees it; None if there is no offer or no game is played."""
    if not is_offered_by_host(seat) or seat.player_id is None or running_game(session, seat.table_id) is None:
        return None
    host = owner_name(session.get_one(SeatRow, (seat.table_id, 0)))
    return Offer(seat.offered_name or "", host, is_accepted(seat))


def offer(transaction: Transaction, seat: SeatRow, player_id: int, name: str) -> None:
    """Offers the seat to that player under `name`, and queues a mail to its present player. Idempotent.

    Withdraws an offer to anybody else.
    """
    if is_promised(seat, player_id):
        return
    if not is_offered(seat, player_id) or is_stand_in_asked(seat):
        withdraw_offer(transaction, seat)
    seat.offered_to, seat.offered_name = player_id, name
    game = running_game(transaction.session, seat.table_id)
    if game is not None:
        about_tables.queue_offered(transaction.session, transaction.runtime, seat, transaction.now, game.number + 1)


def occasion_of_invitation(session: Session, seat: SeatRow) -> str:
    """Returns a text that tells this invitation to the offered seat from the newcomer's earlier ones.

    It changes with every mail to the newcomer about the end of an offer, so that they can be invited again.
    """
    ended = select(func.count()).select_from(LetterRow).where(LetterRow.kind == LetterKind.OFFER_OVER)
    ended = ended.where(LetterRow.table_id == seat.table_id, LetterRow.seat == seat.seat)
    times = session.exec(ended.where(LetterRow.player_id == seat.offered_to)).one()
    return f"{REPLACE} {times + 1}" if times else REPLACE


def accept_offer(transaction: Transaction, seat: SeatRow, name: str, words: str = "") -> None:
    """Accepts the offered seat for the newcomer under `name`; they get it when the current hand is over.

    Their `words` for the shuffle count from then on; a stand-in gives none. They get it at once if no game is
    played, or if the present player has asked them to stand in.
    """
    if is_stand_in_asked(seat):
        # Even in the middle of a hand.
        game = transaction.running(seat.table_id)
        assert game is not None, "an offer ends with the game"
        seat_transfer.lend(game, seat, name)
        course.preferences_changed(game, Seat(seat.seat), was_away=True)
        return
    seat.offered_name, seat.offer_state, seat.offered_words = name, OfferState.ACCEPTED, tidy(words) or None
    if running_game(transaction.session, seat.table_id) is None:
        course.give_seat(transaction, seat, seat_transfer.newcomer(seat))


def withdraw_offer(transaction: Transaction, seat: SeatRow) -> None:
    """Withdraws the offer of the seat, and queues a mail to a newcomer who has accepted it."""
    seat_transfer.withdraw(transaction, seat, about_tables.OfferOver.WITHDRAWN)


def decline_offer(seat: SeatRow) -> None:
    """Ends the offer for a newcomer who does not want the seat, or not any more."""
    clear_offer(seat)


def running_game(session: Session, table_id: int) -> GameRow | None:
    """The game that the table plays now; None if it plays none."""
    running = select(GameRow).where(GameRow.table_id == table_id, GameRow.state == GameState.PLAYING)
    return session.exec(running).first()


def ask_stand_in(seat: SeatRow, player_id: int, name: str) -> None:
    """Offers the seat to a friend of its player, who gets it as soon as they accept and until the player is back."""
    seat.offered_to, seat.offered_name, seat.offer_state = player_id, name, OfferState.STAND_IN


def take_back(transaction: Transaction, seat: SeatRow) -> None:
    """Gives a lent seat back to its owner, who is back, and asks them for its turn."""
    game = transaction.running(seat.table_id)
    assert game is not None, "a lent seat returns at the end of a game"
    seat_transfer.give_back(game, seat, SeatGiven.OWNER_BACK, away=False)
    course.preferences_changed(game, Seat(seat.seat), was_away=True)


def return_to_absent(transaction: Transaction, seat: SeatRow) -> None:
    """Gives a lent seat back to its owner, who is away, for whom a robot plays."""
    game = transaction.running(seat.table_id)
    assert game is not None, "a lent seat returns at the end of a game"
    seat_transfer.give_back(game, seat, SeatGiven.GIVEN_BACK, away=True)
    course.preferences_changed(game, Seat(seat.seat), was_away=False)


def played_by_robot(transaction: Transaction, seat: SeatRow) -> None:
    """Updates the running game, if there is one, after the player of `seat` was set as away."""
    letters.supersede_for_lost_seat(transaction.session, seat)
    game = transaction.running(seat.table_id)
    if game is not None:
        course.preferences_changed(game, Seat(seat.seat), was_away=False)
