"""Transfers a seat to another player or a robot: updates its row, records who played the finished hands, queues mails.

`offers` decides who gets a seat and when.
`advancing` calls `seat_newcomers` after it has scored a hand and before it deals the next, so that no newcomer sees a
hand in which somebody else held the cards. It gives a lent seat back when the game ends, or its stand-in is away.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hearts.game import Stage
from webapp.core.names import outline
from webapp.forms.opening import ROBOT_NAMES
from webapp.games import shares
from webapp.games.clock import proposals
from webapp.games.record import sealed
from webapp.games.record.changing import OpenGame, Transaction
from webapp.games.record.seats import clear_offer, is_accepted, is_lent, own_name, owner_name, seat_of_owner
from webapp.models import EarlierPlayer, Lent, SeatRow, SeatState
from webapp.outbox import about_tables, letters, questions
from webapp.outbox.about_tables import OfferOver, SeatGiven
from webapp.presentation.phrasing import shortened

LONGEST_NAME = 40  # of a seat
LONGEST_OF_TWO = 17  # of its stand-in or its owner, where both do not fit into it


@dataclass(frozen=True, slots=True)
class Occupant:
    """The occupant of a seat: a player, or a robot, whose `player_id` is None."""

    player_id: int | None
    name: str
    state: SeatState


def newcomer(seat: SeatRow) -> Occupant:
    """The player who is offered the seat, as its next occupant."""
    return Occupant(seat.offered_to, seat.offered_name or "", SeatState.ACCEPTED)


def seat_newcomers(game: OpenGame) -> None:
    """Transfers every seat whose offer is accepted to its newcomer, and queues a mail to each player who loses one."""
    for seat in filter(is_accepted, game.seats):
        transfer_seat(game.transaction, seat, newcomer(seat), game)


def transfer_seat(
    transaction: Transaction,
    seat: SeatRow,
    occupant: Occupant,
    game: OpenGame | None,
    why: SeatGiven | None = None,
) -> None:
    """Gives the seat to `occupant`, and queues a mail to the player who loses it: `why`, or None if the host wants it.

    If the seat was lent, its owner loses it, too, unless they are the occupant.

    `game` is the one that the table is playing, None if there is none. A pending offer ends when a player gets the
    seat; a robot only keeps the seat for the newcomer. The new player is not yet asked for the seat's next turn.
    """
    session, runtime, now = transaction.session, transaction.runtime, transaction.now
    if seat.player_id is not None:
        # Before the row changes, which says whose letters these are.
        letters.supersede_for_lost_seat(session, seat)
        about_tables.queue_replaced(session, runtime, seat, own_name(seat), why, now)
    if is_lent(seat) and occupant.player_id != seat.stands_in_for:
        about_tables.queue_replaced(session, runtime, seat_of_owner(seat), owner_name(seat), why, now)
    if game is not None:
        # Who comes now has agreed to nothing.
        proposals.forget_seat(game.table, seat)
        shares.end_at_transfer(session, game.row.id, seat, now)
        # They keep their name in the hands that they have finished, also in those not yet scored.
        row, stored = game.row, game.stored
        done = tuple(hand.hand for hand in stored.cycle.hands if hand.stage is Stage.DONE)
        played = (row.turns, len(stored.game.scores), done)
        left = EarlierPlayer(seat.seat, seat.name, *played, seat.player_id, stood_in=is_lent(seat))
        row.earlier = [*(row.earlier or ()), left]
    # They were stirred in for who leaves; who comes brings words of their own.
    seat.shuffle_words = None
    if occupant.player_id is not None:
        if occupant.player_id == seat.offered_to and seat.offered_words:
            sealed.give_words(session, seat, seat.offered_words)
        clear_offer(seat)
    seat.player_id, seat.name, seat.state = occupant.player_id, occupant.name, occupant.state
    seat.away, seat.mails, seat.missed, seat.here_at = False, True, 0, None
    seat.wants_live = seat.wants_pause = False
    seat.talk_read = None
    seat.robot_hand = seat.ahead = None
    seat.stands_in_for = seat.lent = seat.vacation = seat.away_until = None


def lend(game: OpenGame, seat: SeatRow, name: str) -> None:
    """Gives the seat to the friend whom its player has asked, who plays it as `name` until the player is back."""
    owner, until, vacation = seat.player_id, seat.away_until, seat.vacation
    lent = Lent(owner=seat.name, stand_in=name, mails=seat.mails, words=seat.shuffle_words)
    friend = Occupant(seat.offered_to, both_names(name, seat.name), SeatState.ACCEPTED)
    transfer_seat(game.transaction, seat, friend, game, SeatGiven.LENT)
    seat.stands_in_for, seat.lent, seat.away_until = owner, lent, until
    seat.vacation = vacation


def give_back(game: OpenGame, seat: SeatRow, why: SeatGiven, *, away: bool) -> None:
    """Gives a lent seat back to its owner, who is `away` as before, or back.

    The owner gets a mail if nobody plays for them any more. Does nothing if the seat is not lent.
    """
    if seat.lent is None:
        return
    owner_id, name, lent, until = seat.stands_in_for, own_name(seat), seat.lent, seat.away_until
    vacation = seat.vacation
    state = SeatState.HOST if owner_id == game.table.host_id else SeatState.ACCEPTED
    transfer_seat(game.transaction, seat, Occupant(owner_id, owner_name(seat), state), game, why)
    seat.away, seat.away_until, seat.mails = away, until if away else None, lent.mails
    seat.vacation, seat.shuffle_words = vacation, lent.words
    if away:
        about_tables.queue_no_stand_in(game.session, game.runtime, seat, name, game.now)


def give_back_from_absent(game: OpenGame, why: SeatGiven) -> None:
    """Gives back each lent seat whose stand-in is away: nobody plays for a player who plays for somebody."""
    for seat in game.seats:
        if is_lent(seat) and seat.away:
            give_back(game, seat, why, away=True)


def give_back_at_end(game: OpenGame) -> None:
    """Gives all lent seats back when the game ends; if it is played out, their owners get the final sheet, too."""
    for seat in filter(is_lent, game.seats):
        give_back(game, seat, SeatGiven.GAME_OVER, away=False)
        if game.stored.game.stage is Stage.OVER:
            questions.queue_final_sheet(game.session, game.runtime, game.stored, seat, game.now)


def withdraw(transaction: Transaction, seat: SeatRow, why: OfferOver) -> None:
    """Ends the offer of the seat, and queues a mail to a newcomer who has accepted it.

    An invitation that has not been sent yet is never sent.
    """
    if is_accepted(seat):
        about_tables.queue_offer_over(transaction.session, transaction.runtime, seat, why, transaction.now)
    clear_offer(seat)


def free_robot_name(others: Iterable[SeatRow]) -> str:
    """A name for a robot that nobody in the other seats has."""
    # By outline: a robot whose name looks like a player's would pass for them.
    used = {outline(known) for seat in others for known in names_at(seat)}
    return next(name for name in ROBOT_NAMES if outline(name) not in used)


def names_at(seat: SeatRow) -> list[str]:
    """The names of the seat's player, its owner, and the newcomer who is offered it; none for an open seat."""
    names = (seat.name, owner_name(seat), seat.offered_name)
    return [name for name in names if name and seat.state is not SeatState.OPEN]


def both_names(stand_in: str, owner: str) -> str:
    """The name of a lent seat, as the table sees it, in whatever language.

    >>> both_names("Eve", "Ann")
    'Eve (Ann)'
    """
    both = f"{stand_in} ({owner})"
    if len(both) <= LONGEST_NAME:
        return both
    return f"{shortened(stand_in, LONGEST_OF_TWO)} ({shortened(owner, LONGEST_OF_TWO)})"
