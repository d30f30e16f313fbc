"""Cards that lie face down: played, and seen by the others only after a random while.

At a table that hides how fast its cards are played, nobody can tell by the time who had to think, and whose card was
forced, planned, or chosen ahead. A card that lies face down is played: its player cannot take it back, is asked nothing
more and needs no time. The others see what they would see while that player thinks.

The game's row keeps it, by the number of its hand: the "trick", the "turn" with its "way" and "choice" as in the turn
record that it becomes, the "player" who had the seat, and the time "until" which it lies. Not hidden are passes, how a
moon counts, what robots play for seats that they are seen to play for, and cards that everybody can foresee.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import exp, log
from random import Random
from typing import Any, Final

from sqlmodel import Session

from hearts.game import Game, Stage
from hearts.seats import Seat
from hearts.turns import Deal, Play, parse_turn, turn_mapping
from webapp.games.clock import is_live
from webapp.games.due import Due, answer_to, due_of
from webapp.games.records import Record
from webapp.games.store import Stored, records_of
from webapp.models import GameRow, SeatRow, TableRow, TurnSource

SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(minutes=20)
MEAN: Final = timedelta(minutes=5)  # of what comes to SHORTEST, but for the cut at LONGEST
WHOLE_FROM: Final = timedelta(hours=4)  # at a shorter pace, all of these are shorter in proportion
HIDDEN: Final = (
    *(TurnSource.LINK, TurnSource.PAGE, TurnSource.REPLY),
    *(TurnSource.AHEAD, TurnSource.PLAN, TurnSource.FORCED),
)


def random_while(chance: Random, table: TableRow) -> timedelta:
    """How long a card lies face down at the table.

    However long it has lain, it is as likely as before to be seen within the next minute: an exponential distribution,
    cut off at LONGEST.
    """
    most = (LONGEST - SHORTEST) / MEAN
    lain = SHORTEST - MEAN * log(1 - chance.random() * (1 - exp(-most)))
    return lain * min(1.0, table.play_time / WHOLE_FROM)


def hides(table: TableRow) -> bool:
    """Whether cards lie face down at the table now; never at a live pace, nor during an evening together."""
    return table.hides_speed and not is_live(table.play_time)


def is_hidden(stored: Stored, record: Record) -> bool:
    """Whether the turn, which the hand asks for now, lies face down first."""
    turn, game = record.turn, stored.game
    if not isinstance(turn, Play) or record.source not in HIDDEN or not hides(stored.table):
        return False
    is_last_trick = len(game.held[turn.seat]) == 1
    is_opening = game.trick == 1 and not game.on_table and record.source is TurnSource.FORCED
    return turn.seat not in openly_played_by_robot(stored) and not is_last_trick and not is_opening


def openly_played_by_robot(stored: Stored) -> set[Seat]:
    """The seats for which, as everybody sees, a robot plays: robots, and players who are away."""
    return stored.robots | {Seat(seat.seat) for seat in stored.seats if seat.away}


def lay(stored: Stored, record: Record, until: datetime) -> None:
    """Lays the card of a legal record face down. The caller has locked the game, and sets its clock."""
    turn, source, choice, *_ = record
    what = {"trick": stored.game.trick, "turn": turn_mapping(turn), "way": source.value, "choice": choice}
    player_id = None if isinstance(turn, Deal) else stored.seats[turn.seat].player_id
    kept = {str(stored.game.hand): {**what, "player": player_id, "until": until.isoformat()}}
    stored.row.face_down = {**(stored.row.face_down or {}), **kept}


def take_up(stored: Stored) -> Record:
    """Takes up the card that lies face down in the hand, to be appended as the next record.

    It counts as a turn of the player who laid it, also if the seat is another player's now. The caller has locked the
    game.
    """
    record, hand = lying(stored), str(stored.game.hand)
    assert record is not None, "a card lies face down"
    rest = dict(stored.row.face_down or {})
    _credit(stored.row, rest.pop(hand), stored.seats)
    stored.row.face_down = rest or None
    return record


def _credit(row: GameRow, kept: Mapping[str, Any], seats: Sequence[SeatRow]) -> None:
    """Notes that the next record is still one of the player who laid the card, if they have lost the seat since."""
    seat, player_id = kept["turn"]["seat"], kept["player"]
    if seats[seat].player_id == player_id:
        return
    theirs = {"seat": seat, "player": player_id}
    changes = [dict(one) for one in row.earlier or ()]
    for left in [one for one in changes if theirs.items() <= one.items()][-1:]:
        left["turns"] = max(left["turns"], row.turns + 1)
    row.earlier = changes


def lying(stored: Stored) -> Record | None:
    """The card that lies face down in the hand; None if there is none. Only its player may see it."""
    return lying_in(stored.row, stored.game)


def lying_in(row: GameRow, game: Game) -> Record | None:
    """The same in a hand of the game of that row."""
    kept = _kept(row, game)
    if kept is None:
        return None
    return Record(parse_turn(kept["turn"]), TurnSource(kept["way"]), kept["choice"], game.hand)


def hands_of(row: GameRow, seat: int) -> list[str]:
    """The numbers of the hands in which a card of the seat lies face down."""
    return sorted(hand for hand, kept in (row.face_down or {}).items() if kept["turn"]["seat"] == seat)


def lies_until(stored: Stored, now: datetime) -> datetime | None:
    """Until when the card in the hand lies face down, `now` if the table hides nothing any more; None if none lies."""
    kept = _kept(stored.row, stored.game)
    if kept is None:
        return None
    return datetime.fromisoformat(kept["until"]) if hides(stored.table) else now


def is_over(stored: Stored, now: datetime) -> bool:
    """Whether a card has lain face down in the hand for long enough."""
    until = lies_until(stored, now)
    return until is not None and until <= now


def open_due(stored: Stored, seat: Seat) -> Due | None:
    """What `seat` is asked for now; None if it is not its turn, or its card lies face down."""
    return None if lying(stored) else due_of(stored.game, seat)


def answer_of(session: Session, stored: Stored, seat: Seat, due: Due) -> Record | None:
    """The turn with which `seat` answered `due`, also if it lies face down; None if there is none."""
    record = lying(stored)
    if record is not None and due_of(stored.game, seat) == due:
        return record
    return answer_to(records_of(session, stored, due.hand), seat, due)


def _kept(row: GameRow, game: Game) -> dict[str, Any] | None:
    """What the row keeps of the card that lies face down in the hand; None if there is none.

    Also None if `game` is as it was before an earlier trick, or another seat's turn.
    """
    kept: dict[str, Any] | None = (row.face_down or {}).get(str(game.hand))
    if kept is None or game.stage is not Stage.PLAY:
        return None
    is_present = (kept["trick"], kept["turn"]["seat"]) == (game.trick, game.to_act[0])
    return kept if is_present else None
