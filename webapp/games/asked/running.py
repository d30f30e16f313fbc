"""A player's running games: those that wait for them, the most urgent first, and whose turn it is in the others.

A process keeps the games that it has folded (`folded`), so that a page of many games reads what is new in each.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from sqlalchemy import bindparam
from sqlmodel import Session, select

from hearts.ahead import choices_ahead, has_points_since, is_for
from hearts.game import Game
from hearts.seats import Seat
from hearts.view import view
from webapp.core.database import one_by_one
from webapp.core.tokens import Signer
from webapp.games.asked.due import Due, due_of
from webapp.games.record import store
from webapp.games.record.links import play_link
from webapp.games.record.rows import TableRows, seats_of_all
from webapp.games.record.seats import table_name
from webapp.games.record.store import NO_CLOCK, TableGame, is_handed_over
from webapp.models import Clock, GameRow, GameState, SeatRow, TableRow

# Built once: each page of games and each mail about turns reads these.
_MINE = select(GameRow, TableRow, SeatRow).where(SeatRow.player_id == bindparam("player"))
_MINE = _MINE.where(SeatRow.table_id == TableRow.id, GameRow.table_id == TableRow.id)
_MINE = _MINE.where(GameRow.state == GameState.PLAYING)


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that a player has a seat in.

    Of several hands that are played side by side, `hand` is the one that has waited longest for the player, or else one
    in which they may choose a card before their turn, or else for anybody.
    """

    stored: TableGame
    mine: SeatRow
    hand: Game
    clock: Clock
    waiting: int  # how many of its hands wait for the seat
    shown: tuple[tuple[Game, Clock], ...]  # the hands being played, or else `hand`, each with its clock
    may_choose: bool = False  # whether, though nothing waits for the seat, a card to the trick of `hand` may be chosen

    @property
    def row(self) -> GameRow:
        return self.stored.row

    @property
    def table(self) -> TableRow:
        return self.stored.table

    @property
    def seats(self) -> Sequence[SeatRow]:
        return self.stored.seats

    @property
    def seat(self) -> Seat:
        return Seat(self.mine.seat)

    @property
    def due(self) -> Due | None:
        """The question to the player; None if there is none, if a robot plays for them, or while the game rests."""
        return None if self.is_played or self.table.rests else due_of(self.hand, self.seat)

    @property
    def is_played(self) -> bool:
        """Whether a robot plays for the player: they are away, or let it play this hand."""
        return self.mine.away or is_handed_over(self.mine, self.row, self.hand.hand)

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]


@dataclass(frozen=True, slots=True)
class NextGame:
    """The most urgent question that waits for a player at another table than the one where they have just played."""

    link: str
    label: str  # "Table 7F3K, trick 5"
    more: int  # how many more games wait for the player


def running_games(session: Session, player_id: int) -> list[RunningGame]:
    """The games that the player has a seat in: first those that wait for them, by deadline, then the others."""
    mine = session.exec(_MINE, params={"player": player_id}).all()
    return running_at(session, mine, table_seats_of(session, [seat.table_id for _, _, seat in mine]))


def running_at(
    session: Session,
    mine: Sequence[tuple[GameRow, TableRow, SeatRow]],
    seats: Mapping[int, tuple[SeatRow, ...]],
) -> list[RunningGame]:
    """Does the same as `running_games` for loaded rows: each running game with its table and the player's seat.

    `seats` are those of these tables, and perhaps of others, by table. A game that cannot be read is left out.
    """
    games, rows = [], {row.id: (row, table, seat) for row, table, seat in mine}

    def add(game_id: int) -> None:
        row, table, seat = rows[game_id]
        stored = store.of_rows(session, TableRows(table, seats[seat.table_id], row))
        games.append(_running(stored, seat))

    one_by_one("game", rows, add)
    return sorted(games, key=_urgency)


def waiting_games(session: Session, player_id: int) -> list[RunningGame]:
    """The games that wait for the player now, by deadline; without those at which they are away."""
    return [game for game in running_games(session, player_id) if game.due]


def next_game(session: Session, signer: Signer, player_id: int, table_id: int) -> NextGame | None:
    """The question to go on to from a table; None if no other table waits for the player."""
    elsewhere = [game for game in waiting_games(session, player_id) if game.mine.table_id != table_id]
    if not elsewhere:
        return None
    first = elsewhere[0]
    assert first.due is not None
    label = f"{table_name(first.seats)}, {first.due.what}"
    return NextGame(signer.local_url(play_link(first.mine)), label, len(elsewhere) - 1)


def table_seats_of(session: Session, table_ids: Collection[int]) -> dict[int, tuple[SeatRow, ...]]:
    """By table, its seats in their order."""
    rows = seats_of_all(session, table_ids)
    return {table_id: tuple(seats) for table_id, seats in groupby(rows, attrgetter("table_id"))}


def _running(stored: TableGame, mine: SeatRow) -> RunningGame:
    """The game, with that of its hands that waits for the player's seat first."""
    hands: Sequence[Game] = stored.cycle.hands
    if stored.table.is_together:
        hands = stored.cycle.open_hands[:1] or hands
    waiting = [hand for hand in hands if mine.seat in hand.to_act]
    choosable = [] if waiting else [hand for hand in hands if may_choose(hand, mine)]
    open_hands = waiting or choosable or [hand for hand in hands if hand.to_act] or hands
    clocks = stored.row.clocks or {}
    first = min(open_hands, key=lambda hand: str(clocks.get(hand.hand, NO_CLOCK).asked_at or ""))
    played = [hand for hand in hands if hand.to_act] or [first]
    shown = tuple((hand, clocks.get(hand.hand, NO_CLOCK)) for hand in played)
    clock = clocks.get(first.hand, NO_CLOCK)
    return RunningGame(stored, mine, first, clock, len(waiting), shown, bool(choosable))


def may_choose(hand: Game, mine: SeatRow) -> bool:
    """Whether the player of the seat has a choice of cards for the trick on the table, and no card chosen for it."""
    seen, kept = view(hand, Seat(mine.seat)), (mine.ahead or {}).get(hand.hand)
    has_chosen = kept is not None and is_for(kept.ahead, seen) and not has_points_since(kept.ahead, seen)
    return len(choices_ahead(seen)) > 1 and not has_chosen


def _urgency(game: RunningGame) -> tuple[bool, bool, str, int]:
    """A sort key: games that wait for the player first, and games without a deadline after those with one."""
    at = game.clock.due_at
    return game.due is None, at is None, at.isoformat() if at else "", game.row.id
