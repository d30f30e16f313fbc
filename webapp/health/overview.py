"""An operator's overview: the running games, and how much is going on. No cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement
from sqlmodel import Session, SQLModel, col, func, select, text

from webapp.games.record.stand_in import table_name
from webapp.models import GameRow, LetterRow, PlayerRow, SeatRow, TableRow, TurnRow

DAY, WEEK = timedelta(days=1), timedelta(days=7)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game, as an operator sees it."""

    id: int
    table: str  # its name: "Ann's table"
    number: int
    turns: int
    started_at: datetime
    ended_at: datetime | None
    due_at: datetime | None
    paused_at: datetime | None
    is_resting: bool  # nobody has played for days: its clock stands still until somebody goes on


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: int


def running_games(session: Session, most: int) -> Sequence[GameLine]:
    """Up to `most` running games: first those whose deadline is nearest or over, then those without one."""
    due_at = col(GameRow.due_at)
    is_hosts = (col(SeatRow.table_id) == TableRow.id) & (col(SeatRow.seat) == 0)
    found = select(GameRow, TableRow, SeatRow).select_from(GameRow).join(TableRow).join(SeatRow, is_hosts)
    query = found.where(text("game.state = 'playing'"))
    rows = session.exec(query.order_by(due_at.is_(None), due_at, col(GameRow.id)).limit(most))
    return [line_of(game, table, [host]) for game, table, host in rows]


def line_of(game: GameRow, table: TableRow, seats: Sequence[SeatRow]) -> GameLine:
    """The line of a game; of the table's `seats`, the first is enough."""
    times = (game.started_at, game.ended_at, game.due_at, table.paused_at)
    resting = table.resting_at is not None
    return GameLine(game.id, table_name(seats), game.number, game.turns, *times, is_resting=resting)


def figures(session: Session, now: datetime) -> Iterator[Figure]:
    """How much is going on, from the number of players to the letters of the last day."""
    players, games, letters = col(PlayerRow.id), col(GameRow.id), col(LetterRow.id)
    yield _count(session, "players", PlayerRow, col(PlayerRow.forgotten_at).is_(None))
    yield _count(session, "players active within a week", PlayerRow, players > 0, col(PlayerRow.seen_at) > now - WEEK)
    silent = col(PlayerRow.unreachable_at).is_not(None)
    yield _count(session, "players who get no mail", PlayerRow, col(PlayerRow.forgotten_at).is_(None), silent)
    yield _count(session, "tables", TableRow)
    yield _count(session, "games being played", GameRow, games > 0, col(GameRow.ended_at).is_(None))
    yield _count(session, "games ended within a week", GameRow, col(GameRow.ended_at) > now - WEEK)
    yield _count(session, "turns within a day", TurnRow, col(TurnRow.at) > now - DAY)
    yield _count(session, "letters sent within a day", LetterRow, letters > 0, col(LetterRow.sent_at) > now - DAY)


def turns_by_source(session: Session, now: datetime) -> Iterator[Figure]:
    """The turns of the last day, by how they came to be played."""
    by_source = select(TurnRow.source, func.count()).where(col(TurnRow.at) > now - DAY).group_by(col(TurnRow.source))
    for source, number in sorted(session.exec(by_source)):
        yield Figure(str(source), number)


def _count(session: Session, name: str, rows: type[SQLModel], *where: ColumnElement[bool]) -> Figure:
    return Figure(name, session.exec(select(func.count()).select_from(rows).where(*where)).one())
