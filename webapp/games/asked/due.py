"""Names for the questions to a seat that stay the same while others play: a hand's pass, trick, or moon."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hearts.game import Game, Stage
from hearts.seats import Seat
from hearts.turns import Moon, Pass, Play
from webapp.core.tokens import TurnLink
from webapp.games.record.store import Record, TableGame

Decision = Pass | Play | Moon  # the turns that a seat is asked for: all but deals


@dataclass(frozen=True, slots=True)
class Due:
    """One decision of one seat. `what` is "pass", "trick 5" or "moon"."""

    hand: int
    what: str

    @property
    def trick(self) -> int:
        """The number of the trick; 0 of a pass or a moon."""
        return int(self.what.partition(" ")[2] or 0)


def due_of(game: Game, seat: Seat) -> Due | None:
    """Returns the question that `seat` has to answer now; None if it is not its turn."""
    if seat not in game.to_act:
        return None
    what = f"trick {game.trick}" if game.stage is Stage.PLAY else str(game.stage)
    return Due(game.hand, what)


def later_due(game: Game, seat: Seat) -> Due | None:
    """The trick on the table, if `seat` has to play to it after the seat at turn; else None."""
    if game.stage is not Stage.PLAY or game.leader is None or not game.on_table or seat in game.to_act:
        return None
    is_to_follow = (seat - game.leader) % game.rules.players >= len(game.on_table)
    return Due(game.hand, f"trick {game.trick}") if is_to_follow else None


def turn_link(stored: TableGame, seat: Seat, due: Due) -> TurnLink:
    """The link with which the player of `seat` answers `due`."""
    row = stored.seats[seat]
    return TurnLink(stored.id, seat, due.hand, due.what, row.player_id or 0, row.links)


def answer_to(records: Iterable[Record], seat: Seat, due: Due) -> Record | None:
    """The record with which `seat` answered `due`; None if it has not answered, or was never asked."""
    of_hand = (record for record in records if record.hand == due.hand)
    return next((record for answered, record in answers_in_hand(of_hand, seat) if answered == due), None)


def answers_in_hand(records: Iterable[Record], seat: Seat) -> Iterator[tuple[Due, Record]]:
    """The turns of the seat among the records of one hand, its deal first, each with the decision that it answers."""
    trick = 0
    for record in records:
        match record.turn:
            case Play(seat=by) if by == seat:
                trick += 1
                what = f"trick {trick}"
            case Pass(seat=by) if by == seat:
                what = "pass"
            case Moon(seat=by) if by == seat:
                what = "moon"
            case _:
                continue
        yield Due(record.hand, what), record
