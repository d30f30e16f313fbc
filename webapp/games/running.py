"""A player's running games: those that wait for them, the most urgent first, and whose turn it is in the others.

One query reads the hands in play of all games, so that the page of a player with many games is as fast as with few.
Totals and earlier hands take loading the game.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any

from sqlmodel import Session, case, col, select

from hearts.game import Game, replay_hand
from hearts.rules import Rules
from hearts.seats import Seat
from hearts.turns import parse_turn
from webapp.core.tokens import Signer, TurnLink
from webapp.games.checkpoint import checkpoint_of
from webapp.games.due import Due, due_of
from webapp.games.face_down import lying_in
from webapp.games.rows import table_rules
from webapp.games.store import is_handed_over
from webapp.models import ClockRow, GameRow, GameState, SeatRow, TableRow, TurnRow


@dataclass(frozen=True, slots=True)
class RunningGame:
    """A game that a player has a seat in.

    `hand` is a game that consists of one hand alone: of several that are played side by side, the one that has waited
    longest for the player, or else for anybody.
    """

    row: GameRow
    table: TableRow
    seats: tuple[SeatRow, ...]
    mine: SeatRow
    hand: Game
    clock: GameRow | ClockRow
    waiting: int  # how many of its hands wait for the seat
    may_be_asked_ahead: bool = False  # whether the seat was asked before its turn, in this trick or an earlier one

    @property
    def seat(self) -> Seat:
        return Seat(self.mine.seat)

    @property
    def due(self) -> Due | None:
        """What the player is asked for; None if nothing, or if a robot plays for them."""
        is_asked = not self.is_played and lying_in(self.row, self.hand) is None
        return due_of(self.hand, self.seat) if is_asked else None

    @property
    def is_played(self) -> bool:
        """Whether a robot plays for the player: they are away, or let it play this hand."""
        return self.mine.away or is_handed_over(self.mine, self.row, self.hand.hand)

    def turn_link(self, due: Due) -> TurnLink:
        """The link with which the player answers `due`."""
        return TurnLink(self.row.id, self.seat, due.hand, due.what, self.mine.player_id or 0, self.mine.links)

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
    query = (
        select(GameRow, TableRow, SeatRow)
        .where(SeatRow.player_id == player_id, SeatRow.table_id == TableRow.id)
        .where(GameRow.table_id == TableRow.id, GameRow.state == GameState.PLAYING)
    )
    mine = session.exec(query).all()
    return running_at(session, mine, table_seats_of(session, [seat.table_id for _, _, seat in mine]))


def running_at(
    session: Session,
    mine: Sequence[tuple[GameRow, TableRow, SeatRow]],
    seats: Mapping[int, tuple[SeatRow, ...]],
) -> list[RunningGame]:
    """As `running_games`, for rows that are loaded already: each running game with its table and the player's seat.

    `seats` are those of these tables, and perhaps of others, by table.
    """
    rules = {row.id: table_rules(table) for row, table, _ in mine}
    hands = _hands(session, [row for row, _, _ in mine], rules)
    clocks = _clocks(session, [row.id for row, _, _ in mine if row.at_once > 1])
    games = [_running(row, table, seats[seat.table_id], seat, hands[row.id], clocks) for row, table, seat in mine]
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
    label = f"Table {first.table.code}, {first.due.what}"
    return NextGame(signer.local_url(first.turn_link(first.due)), label, len(elsewhere) - 1)


def table_seats_of(session: Session, table_ids: Collection[int]) -> dict[int, tuple[SeatRow, ...]]:
    """By table, its seats in their order."""
    rows = session.exec(
        select(SeatRow).where(col(SeatRow.table_id).in_(table_ids)).order_by(col(SeatRow.table_id), col(SeatRow.seat))
    )
    return {table_id: tuple(seats) for table_id, seats in groupby(rows, attrgetter("table_id"))}


def _running(
    row: GameRow,
    table: TableRow,
    seats: tuple[SeatRow, ...],
    mine: SeatRow,
    hands: Sequence[Game],
    clocks: Mapping[tuple[int, int], ClockRow],
) -> RunningGame:
    """The game, with that of its `hands` that waits for the player's seat first."""
    hands = [hand for hand in hands if hand.to_act][:1] or hands if table.is_together else hands
    waiting = [hand for hand in hands if mine.seat in hand.to_act and lying_in(row, hand) is None]
    open_hands = waiting or [hand for hand in hands if hand.to_act] or hands
    first = min(open_hands, key=lambda hand: _asked_at(clocks.get((row.id, hand.hand), row)))
    notes = [clocks.get((row.id, hand.hand), row).asked_ahead or {} for hand in hands]
    is_ahead = any(mine.seat in note.get("seats", ()) for note in notes)
    return RunningGame(row, table, seats, mine, first, clocks.get((row.id, first.hand), row), len(waiting), is_ahead)


def _asked_at(clock: GameRow | ClockRow) -> str:
    return clock.asked_at.isoformat() if clock.asked_at else ""


def _clocks(session: Session, game_ids: Collection[int]) -> dict[tuple[int, int], ClockRow]:
    """The clocks of these games, by game and hand."""
    found = session.exec(select(ClockRow).where(col(ClockRow.game_id).in_(game_ids))) if game_ids else ()
    return {(clock.game_id, clock.hand): clock for clock in found}


def _hands(session: Session, rows: Sequence[GameRow], rules: Mapping[int, Rules]) -> dict[int, list[Game]]:
    """The hands of each of these running games that were dealt last, by id; `rules` are theirs, by id."""
    by_id = {row.id: (row, checkpoint_of(row)) for row in rows}
    has_checkpoint = col(GameRow.id).in_([game_id for game_id, (_, start) in by_id.items() if start.turns])
    before = case((has_checkpoint, col(GameRow.checkpoint)["turns"].as_integer()), else_=0)
    turns = (
        select(TurnRow.game_id, TurnRow.hand, TurnRow.turn)
        .join(GameRow)
        .where(col(GameRow.id).in_(list(by_id)), TurnRow.number > before)
        .order_by(col(TurnRow.game_id), col(TurnRow.number))
    )
    found = {}
    for game_id, played in groupby(session.exec(turns), itemgetter(0)):
        row, start = by_id[game_id]
        found[game_id] = _dealt_last(row, rules[game_id], len(start.scores), ((hand, turn) for _, hand, turn in played))
    return found


def _dealt_last(
    row: GameRow, rules: Rules, dealt: int, turns: Iterable[tuple[int | None, Mapping[str, Any]]]
) -> list[Game]:
    """The hands that were dealt last, by the turns since `dealt` hands were over, each with the number of its hand."""
    hands: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
    for hand, turn in turns:
        dealt += turn["turn"] == "deal"
        hands[hand or dealt].append(turn)
    last = [number for number in sorted(hands) if row.are_together(number, max(hands))]
    return [replay_hand(rules, number, map(parse_turn, hands[number])) for number in last]


def _urgency(game: RunningGame) -> tuple[bool, bool, str, int]:
    """A sort key: games that wait for the player first, and games without a deadline after those with one."""
    at = game.clock.due_at
    return game.due is None, at is None, at.isoformat() if at else "", game.row.id
