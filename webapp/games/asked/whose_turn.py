"""The players whose answer a game waits for, and the cards that are played without one.

A card that was chosen ahead is its player's own, and so comes first. A card that is worth the same as every other
follows the turn before it at once. Where the player does not want us to wait the full time, the game waits for a worker
(`pending`): the robot finds whether the choice matters, and the worker plays the default card, or leaves the decision
to the player, for the full time or for a short wait. In the latter cases it notes that in the game's row.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final, TypeVar

from hearts.ahead import Ahead, follows_ahead, is_for
from hearts.cards import Card
from hearts.game import Game, Stage
from hearts.robot import has_a_choice
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from hearts.waits import STAKE, Price, default_card, may_shed_queen
from webapp.games.asked.due import Due, due_of
from webapp.games.asked.forced import forced_records
from webapp.games.record.live import is_live
from webapp.games.record.records import Record
from webapp.games.record.store import TableGame
from webapp.models import Grounds, KeptAhead, SeatRow, TableRow, TurnSource, Wait

_S = TypeVar("_S", bound=TableGame)
_REMEMBERED: Final = 1024  # decisions of which a process remembers the card; each keeps its hand, some kilobytes
# Why nobody was asked, as the record says it. Older records name a rule by which the card was chosen instead.
SAME: Final = "same"  # every card was worth the same
HARDLY: Final = "hardly"  # the choice hardly mattered
ROBOT: Final = "robot"  # the player let a robot play the hand


@dataclass(frozen=True, slots=True)
class Pending:
    """The card that is played for `seat`, whose player wants this wait, if the choice hardly matters."""

    seat: Seat
    card: Card
    wait: Wait


@dataclass(frozen=True, slots=True)
class ShortWait:
    """Until when the player of `seat` may choose, and the card that is played then, with what its record stores."""

    seat: Seat
    card: Card
    until: datetime
    grounds: Grounds


def wait_of(table: TableRow, seat: SeatRow) -> Wait | None:
    """How long the table waits for the seat's player where it hardly matters: as they have chosen, or as the table has.

    None: they are asked for every card, as at a live table, where all are there. With a bank of time, every choice has
    the full time instead of a short one.
    """
    if is_live(table.play_time):
        return None
    wait = seat.wait or table.wait
    return Wait.FULL if wait is Wait.SHORT and table.bank else wait


def short_wait_of(stored: TableGame) -> ShortWait | None:
    """The short wait of the seat at turn (`games.clock.short_wait`); None if the hand waits for nobody in that way."""
    kept, game = stored.clock.short_wait, stored.game
    if kept is None or kept.turn != stored.last_turn or game.stage is not Stage.PLAY or stored.table.paused_at:
        return None
    seat = Seat(kept.seat)
    is_wanted = wait_of(stored.table, stored.seats[seat]) is Wait.SHORT
    if (seat,) != game.to_act or not is_wanted or stored.is_played_by_robot(seat):
        return None
    return ShortWait(seat, kept.card, kept.until, kept.grounds)


def awaited(stored: TableGame) -> tuple[Seat, ...]:
    """The seats whose players have to answer themselves now."""
    waiting = pending(stored)
    looked_at = waiting.seat if waiting else None
    return tuple(one for one in stored.game.to_act if one != looked_at and not stored.is_played_by_robot(one))


def first_asked(stored: _S, seat: Seat) -> _S:
    """The same about the hand that has asked the player of `seat` for longest, if one asks them."""
    asking = [hand for hand in stored.open_hands() if seat in awaited(hand)]
    return min(asking, key=_since, default=stored)


def _since(stored: TableGame) -> str:
    """Since when its question is asked, to sort by."""
    return stored.clock.asked_at.isoformat() if stored.clock.asked_at else ""


def asked_of(stored: TableGame, seat: Seat) -> Due | None:
    """Returns the question that the player of `seat` has to answer now; None if there is none."""
    return due_of(stored.game, seat) if seat in awaited(stored) else None


def pending(stored: TableGame) -> Pending | None:
    """The card at which the robot has to look before the game goes on; None if there is none."""
    seat = _maybe_unasked(stored)
    if seat is None or stored.clock.left_to_player == stored.last_turn:
        return None
    wait = wait_of(stored.table, stored.seats[seat])
    if wait not in (Wait.SHORT, Wait.NONE) or not _has_a_choice(stored.game):
        return None
    if may_shed_queen(view(stored.game, seat)):
        return None
    return Pending(seat, _default_card(stored.game), wait)


def ahead_of(stored: TableGame, seat: Seat) -> Ahead | None:
    """The card that the seat's player has chosen ahead for the trick to which it plays next; None if there is none."""
    kept = kept_ahead(stored, seat)
    return kept.ahead if kept and is_for(kept.ahead, view(stored.game, seat)) else None


def kept_ahead(stored: TableGame, seat: Seat) -> KeptAhead | None:
    """The card ahead in the row of the seat, for whatever trick of the hand; None if there is none."""
    return (stored.seats[seat].ahead or {}).get(stored.game.hand)


def keep_ahead(stored: TableGame, seat: Seat, chosen: KeptAhead | None) -> None:
    """Keeps the card for a trick of the hand in the row of the seat; None: drops it. Of a single hand, only the present
    one has a card.
    """
    row, hand = stored.seats[seat], stored.game.hand
    before = {} if stored.row.at_once == 1 else row.ahead or {}
    others = {number: kept for number, kept in before.items() if number != hand}
    row.ahead = {**others, **({} if chosen is None else {hand: chosen})} or None


def ahead_records(stored: TableGame) -> list[Record]:
    """The card that the seat at turn has chosen ahead, as a list of its record; empty if it has to be asked."""
    seat = stored.game.to_act[0]
    kept = ahead_of(stored, seat)
    card = follows_ahead(kept, view(stored.game, seat)) if kept else None
    return [] if card is None else [Record(Play(seat, card), TurnSource.AHEAD)]


def is_looked_at(stored: TableGame, seat: Seat) -> bool:
    """Whether the robot is about to look at the seat's decision: its player is asked in a moment, or not at all."""
    waiting = pending(stored)
    return waiting is not None and waiting.seat == seat


def unasked_records(stored: TableGame) -> list[Record]:
    """The next records of the hand that need nobody's answer, in order; empty if there is none."""
    return forced_records(stored.game) or ahead_records(stored) or same_records(stored)


def same_records(stored: TableGame) -> list[Record]:
    """The card of the seat at turn, as a list of its record, where each is worth the same; empty if it has a choice."""
    seat = _maybe_unasked(stored)
    if seat is None or _has_a_choice(stored.game):
        return []
    return [Record(Play(seat, _default_card(stored.game)), TurnSource.WAIT, Grounds(by=SAME))]


def grounds(price: Price) -> Grounds:
    """The reasons that the record of a card keeps whose choice hardly mattered; the figures reproduce them."""
    return Grounds(by=HARDLY, limit=STAKE, cost=price.cost, playouts=price.playouts, seed=price.seed)


def _maybe_unasked(stored: TableGame) -> Seat | None:
    """The seat at turn, if its player need not be asked for every card; None if they are, or a robot plays for it."""
    game = stored.game
    if game.stage is not Stage.PLAY or stored.is_played_by_robot(game.to_act[0]):
        return None
    seat = game.to_act[0]
    return None if wait_of(stored.table, stored.seats[seat]) is None else seat


# A turn, its run and its pages ask for these often.


@lru_cache(_REMEMBERED)
def _has_a_choice(game: Game) -> bool:
    """Whether the seat at turn has cards of different worth."""
    return has_a_choice(view(game, game.to_act[0]))


@lru_cache(_REMEMBERED)
def _default_card(game: Game) -> Card:
    """The card that is played for the seat at turn where its choice hardly matters."""
    return default_card(view(game, game.to_act[0]))
