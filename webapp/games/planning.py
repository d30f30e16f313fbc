"""Plans at the table: whose answer a game waits for, and what an answer ahead or a plan plays instead.

An answer ahead is its player's own, and so comes before their plan. Where a plan needs no robot, its card follows the
turn before it at once (`planned_records`). Where the guard must look first, the game waits for a worker (`pending`),
which either plays the card or leaves the decision to the player, for the full time or for a short wait. In the latter
cases it notes that in the game's row.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final, TypeVar

from hearts.cards import Card
from hearts.game import Game, Stage
from hearts.plans import ASK, Asking, Plan, Planned, planned
from hearts.plans.ahead import Ahead, follows_ahead, is_for, leads_ahead
from hearts.seats import Seat
from hearts.turns import Play
from hearts.view import view
from webapp.games.clock import is_live
from webapp.games.due import Due, due_of
from webapp.games.forced import forced_records
from webapp.games.records import Record
from webapp.games.store import TableGame
from webapp.models import Grounds, KeptAhead, SeatRow, TableRow, TurnSource

_S = TypeVar("_S", bound=TableGame)
_REMEMBERED: Final = 1024  # decisions whose planned card a process remembers; each keeps its hand, some kilobytes
ROBOT: Final = "robot"  # by what a card was played if the player let a robot play the hand


@dataclass(frozen=True, slots=True)
class Pending:
    """A card that a plan plays if the guard agrees."""

    seat: Seat
    plan: Plan
    found: Planned


@dataclass(frozen=True, slots=True)
class ShortWait:
    """Until when the player of `seat` may choose, and the card that is played then, with what its record stores."""

    seat: Seat
    card: Card
    until: datetime
    grounds: Grounds


def plan_of(table: TableRow, seat: SeatRow) -> Plan:
    """The plan of the seat: its player's own, or the table's. A live table, where all are there, asks for each card.

    With a bank of time, and where no robot may look, every choice has the full time instead of a short one.
    """
    chosen = None if is_live(table.play_time) else seat.plan or table.plan
    plan = chosen or ASK
    has_full_time = table.bank or not table.guards
    return replace(plan, asking=Asking.SAME) if plan.asking is Asking.SHORT and has_full_time else plan


def short_wait_of(stored: TableGame) -> ShortWait | None:
    """The short wait of the seat at turn (`games.short_wait`); None if the hand waits for nobody in that way now."""
    kept, game = stored.clock.short_wait, stored.game
    if kept is None or kept.turn != stored.last_turn or game.stage is not Stage.PLAY or stored.table.paused_at:
        return None
    seat = Seat(kept.seat)
    is_wanted = plan_of(stored.table, stored.seats[seat]).asking is Asking.SHORT
    if (seat,) != game.to_act or not is_wanted or stored.is_played_by_robot(seat):
        return None
    return ShortWait(seat, kept.card, kept.until, kept.grounds)


def awaited(stored: TableGame) -> tuple[Seat, ...]:
    """The seats whose players have to answer themselves now."""
    waiting = pending(stored)
    planned_for = waiting.seat if waiting else None
    return tuple(one for one in stored.game.to_act if one != planned_for and not stored.is_played_by_robot(one))


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
    """Returns the card that a guard has to look at before the game goes on; None if there is none."""
    if stored.clock.guard_asked == stored.last_turn:
        return None
    waiting = _planned(stored)
    return waiting if waiting and waiting.found.guarded else None


def ahead_of(stored: TableGame, seat: Seat) -> Ahead | None:
    """The answer ahead of the seat's player to the trick that the seat has to play to next; None if there is none."""
    kept = kept_ahead(stored, seat)
    return kept.answer if kept and is_for(kept.answer, view(stored.game, seat)) else None


def kept_ahead(stored: TableGame, seat: Seat) -> KeptAhead | None:
    """The answer ahead in the row of the seat, to whatever trick of the hand; None if there is none."""
    return (stored.seats[seat].ahead or {}).get(stored.game.hand)


def keep_ahead(stored: TableGame, seat: Seat, answer: KeptAhead | None) -> None:
    """Keeps the answer to a trick of the hand in the row of the seat; None: drops it. Of a single hand, only the
    present one has an answer.
    """
    row, hand = stored.seats[seat], stored.game.hand
    before = {} if stored.row.at_once == 1 else row.ahead or {}
    others = {number: kept for number, kept in before.items() if number != hand}
    row.ahead = {**others, **({} if answer is None else {hand: answer})} or None


def ahead_records(stored: TableGame) -> list[Record]:
    """The card that the seat at turn has chosen ahead, as a list of its record; empty if it has to be asked."""
    game = stored.game
    kept = kept_ahead(stored, game.to_act[0]) if game.stage is Stage.PLAY else None
    if kept is None:
        return []
    seat = game.to_act[0]
    ahead, seen = kept.answer, view(game, seat)
    card = follows_ahead(ahead, seen) if is_for(ahead, seen) else leads_ahead(ahead, seen)
    return [] if card is None else [Record(Play(seat, card), TurnSource.AHEAD)]


def is_looked_at(stored: TableGame, seat: Seat) -> bool:
    """Whether a guard is about to look at the seat's decision: its player is asked in a moment, or not at all."""
    waiting = pending(stored)
    return waiting is not None and waiting.seat == seat


def unasked_records(stored: TableGame) -> list[Record]:
    """The next records of the hand that need nobody's answer, in order; empty if there is none."""
    return forced_records(stored.game) or ahead_records(stored) or planned_records(stored)


def planned_records(stored: TableGame) -> list[Record]:
    """The card that a plan plays without a guard, as a list of its record; empty if there is none."""
    waiting = _planned(stored)
    if waiting is None or waiting.found.guarded:
        return []
    turn = Play(waiting.seat, waiting.found.card)
    return [Record(turn, TurnSource.PLAN, grounds(waiting.plan, waiting.found))]


def planned_at_deadline(stored: TableGame) -> Pending | None:
    """Returns the plan's card for the seat at turn after a missed deadline, even if its player wanted to be asked.

    None if it has no card, or the guard has just refused that card: then the robot plays.
    """
    game = stored.game
    if game.stage is not Stage.PLAY:
        return None
    seat = game.to_act[0]
    plan = replace(plan_of(stored.table, stored.seats[seat]), wakes=frozenset(), after_trick=0)
    found = planned(view(game, seat), plan, guards=stored.table.guards)
    is_refused = found is not None and found.guarded and stored.clock.guard_asked == stored.last_turn
    return None if found is None or is_refused else Pending(seat, plan, found)


def grounds(plan: Plan, found: Planned) -> Grounds:
    """Returns the reasons that the record of a planned card keeps; with the guard's figures, which reproduce them."""
    if found.price is None:
        return Grounds(by=found.by.value)
    cost, playouts, seed = found.price.cost, found.price.playouts, found.price.seed
    return Grounds(by=found.by.value, limit=plan.limit, cost=cost, playouts=playouts, seed=seed)


def _planned(stored: TableGame) -> Pending | None:
    """Returns the plan's card for the seat at turn; None if that seat has to choose, or a robot plays for it."""
    game = stored.game
    if game.stage is not Stage.PLAY or stored.is_played_by_robot(game.to_act[0]):
        return None
    seat = game.to_act[0]
    if ahead_of(stored, seat):  # its player has chosen a card, and wants to be asked again
        return None
    plan = plan_of(stored.table, stored.seats[seat])
    found = None if plan.asking is Asking.ASK else _card_of(plan, game, guards=stored.table.guards)
    return Pending(seat, plan, found) if found else None


@lru_cache(_REMEMBERED)
def _card_of(plan: Plan, game: Game, *, guards: bool) -> Planned | None:
    """Returns `planned` for the seat at turn, remembered: a turn, its run and its pages ask for it often."""
    return planned(view(game, game.to_act[0]), plan, guards=guards)
