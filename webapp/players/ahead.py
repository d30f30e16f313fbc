"""Takes the card that a player chooses ahead, for the trick on the table, before it is their turn.

It lies sealed in the row of the seat: nobody else learns of it before it is played. It can be changed and taken back
until then. If the turn has come meanwhile, it is played at once.
"""

from dataclasses import dataclass
from datetime import datetime

from hearts.ahead import Ahead, choices_ahead, has_points_since
from hearts.cards import Card, Cards
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import View, view
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.core.tokens import PlayLink, SeatLost
from webapp.games.asked.due import Due, due_of, later_due
from webapp.games.asked.whose_turn import ahead_of, keep_ahead, kept_ahead
from webapp.games.clock.presence import note_seen
from webapp.games.record import changing, store
from webapp.games.record.changing import Transaction
from webapp.games.record.links import check_seat
from webapp.games.record.store import TableGame
from webapp.models import KeptAhead, SeatRow, TurnSource
from webapp.play import taking
from webapp.presentation.turn_text import barred_sentence, points_sentence


class TooLate(Exception):
    """The seat has played to the trick, or does not play to it any more or yet."""


@dataclass
class Barred(Refused):
    """The card cannot be played to the trick."""

    card: Card

    def __str__(self) -> str:
        return barred_sentence(self.card)


@dataclass
class HasPoints(Refused):
    """The trick has got points since the player looked at it."""

    card: Card

    def __str__(self) -> str:
        again = say("Choose again.")
        return f"{points_sentence(self.card)} {again}"


class ChosenSince(Exception):
    """The player has chosen a card since they chose this one, which came late."""


def choose(
    runtime: Runtime,
    link: PlayLink,
    due: Due,
    card: Card,
    now: datetime,
    *,
    seen: int,
    source: TurnSource = TurnSource.PAGE,
    chosen_at: datetime | None = None,
) -> bool:
    """Keeps the card for the trick that `due` names, or plays it if the player's turn has come.

    `seen` is how many cards lay on the table when the player looked. It was chosen now, or `chosen_at`. Returns whether
    it is kept for later. Raises Barred, HasPoints, ChosenSince, TooLate, SeatLost or LinkExpired. Nothing has changed
    then.
    """
    seat, stored = Seat(link.seat), _seen(runtime, link, due.hand)
    if due_of(stored.game, seat) == due:
        check_is_last(stored, seat, chosen_at)
        at_table = view(stored.game, seat)
        turn = Play(seat, _checked(at_table, at_table.legal, card, seen).card)
        try:
            taking.take_turn(runtime, stored.id, due, turn, source, now, player_id=link.player_id)
        except taking.TurnOver:
            raise TooLate from None
        except LookupError:
            raise SeatLost(link.table_id) from None
        return False
    with changing.games(runtime, now) as transaction:
        stored = _opened(transaction, link, due.hand)
        is_later = later_due(stored.game, seat) == due
        if is_later:
            check_is_last(stored, seat, chosen_at)
            at_table = view(stored.game, seat)
            kept = KeptAhead(_checked(at_table, choices_ahead(at_table), card, seen), chosen_at or now)
            keep_ahead(stored, seat, kept)
            note_seen(transaction.session, link.player_id, now)
    if is_later:
        return True
    if due_of(stored.game, seat) != due:
        raise TooLate
    # The turn has come meanwhile.
    return choose(runtime, link, due, card, now, seen=seen, source=source, chosen_at=chosen_at)


def take_back(runtime: Runtime, link: PlayLink, due: Due, now: datetime) -> None:
    """Drops the card for the trick that `due` names. Raises TooLate, SeatLost or LinkExpired."""
    with changing.games(runtime, now) as transaction:
        stored, seat = _opened(transaction, link, due.hand), Seat(link.seat)
        if later_due(stored.game, seat) != due:
            raise TooLate
        keep_ahead(stored, seat, None)
        note_seen(transaction.session, link.player_id, now)


def check_is_last(stored: TableGame, seat: Seat, chosen_at: datetime | None) -> None:
    """Raises ChosenSince if the seat's player has chosen a card for the trick since then; None: they choose now."""
    kept = kept_ahead(stored, seat) if chosen_at and ahead_of(stored, seat) else None
    if chosen_at and kept and kept.at and kept.at > chosen_at:
        raise ChosenSince


def _seen(runtime: Runtime, link: PlayLink, hand: int) -> TableGame:
    """The running game of the link's table about that hand, as it is now. Raises TooLate if it is over."""
    with runtime.database.reading() as session:
        stored = store.load_newest(session, link.table_id)
        check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
    if stored is None or stored.at(hand).game.hand != hand:
        raise TooLate
    return stored.at(hand)


def _opened(transaction: Transaction, link: PlayLink, hand: int) -> TableGame:
    """The running game of the link's table about that hand, opened for a change. Raises TooLate if it is over."""
    game = transaction.running(link.table_id, hand)
    if game is None or hand != game.stored.game.hand:
        raise TooLate
    check_seat(link, game.seats[link.seat])
    return game.stored


def _checked(at_table: View, choices: Cards, card: Card, seen: int) -> Ahead:
    """The card ahead, for the trick on the table. Raises Barred or HasPoints."""
    if card not in choices:
        raise Barred(card)
    lying = len(at_table.trick.cards) if at_table.trick else 0
    ahead = Ahead(hand=at_table.hand, trick=len(at_table.tricks) + 1, card=card, seen=min(seen, lying))
    if has_points_since(ahead, at_table):
        raise HasPoints(card)
    return ahead
