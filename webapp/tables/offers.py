"""Decides who gets a seat, and when, while a game is played: a robot at once, another player by accepting an offer.

The newcomer gets the seat between two hands. Until then the present player or a robot plays on, so that the newcomer
never sees a hand in which somebody else held the cards. Points stay with the seat. `play` asks the seat for its turns;
`seating` fills seats before a game begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from hearts.fair import tidy
from hearts.seats import Seat
from webapp.core.tokens import LinkInvalid
from webapp.forms.opening import NewSeat
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
from webapp.models import (
    GameRow,
    GameState,
    LetterKind,
    LetterRow,
    OfferState,
    PlayerRow,
    SeatRow,
    SeatState,
    TableRow,
    TableState,
)
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


# Finds whom a host is about to invite, and which of these guests do not know the host yet.


def invited_by_confirming(session: Session, table_id: int) -> tuple[int, list[NewSeat]]:
    """The id of the table's host, and the guests to be mailed when the host confirms the table.

    There are no guests if the host has already confirmed. Raises LinkInvalid if there is no such table.
    """
    table = session.get(TableRow, table_id)
    if table is None:
        raise LinkInvalid
    if table.state is not TableState.UNCONFIRMED:
        return table.host_id, []
    query = (
        select(SeatRow.name, PlayerRow.address)
        .where(SeatRow.player_id == PlayerRow.id, SeatRow.table_id == table_id)
        .where(SeatRow.state == SeatState.INVITED, col(PlayerRow.invitations))
        .order_by(col(SeatRow.seat))
    )
    return table.host_id, [NewSeat(name, address) for name, address in session.exec(query)]


def invited_by_giving(session: Session, table_id: int, number: int, occupant: NewSeat | None) -> list[NewSeat]:
    """The guests to be mailed when the host gives seat `number` to `occupant`: one player, or nobody.

    Nobody if `occupant` is a robot (None) or OPEN_SEAT. Nobody if the seat is already offered to that player, so that
    a second click does not count against the limit.
    """
    if occupant is None or occupant.address is None:
        return []
    seat = session.get(SeatRow, (table_id, number))
    offered_to = session.get(PlayerRow, seat.offered_to) if seat and seat.offered_to else None
    return [] if offered_to and offered_to.address == occupant.address else [occupant]


def strangers(session: Session, host_id: int, guests: Sequence[NewSeat]) -> list[NewSeat]:
    """The `guests` who have accepted no seat at any table of this host."""
    query = (
        select(PlayerRow.address)
        .join(SeatRow, col(SeatRow.player_id) == PlayerRow.id)
        .join(TableRow, col(TableRow.id) == SeatRow.table_id)
        .where(TableRow.host_id == host_id, SeatRow.state == SeatState.ACCEPTED)
        .where(col(PlayerRow.address).in_([guest.address for guest in guests]))
    )
    friends = set(session.exec(query))
    return [guest for guest in guests if guest.address not in friends]
