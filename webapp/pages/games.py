"""All of a player's tables on one page: what waits for her first, then the running games, the others, and the old ones.

Only for whoever is signed in: a link opens one thing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from flask import Blueprint, redirect, request
from sqlmodel import Session, col, func, select
from werkzeug.wrappers import Response

from webapp.core.tokens import ConfirmLink, InvitationLink
from webapp.games.links import preferences_link, seat_link
from webapp.games.running import NextGame, RunningGame, next_game, running_games, table_seats_of
from webapp.models import GameRow, PlayerRow, SeatRow, SeatState, TableRow, TableState
from webapp.pages.common import page, runtime, signed_in
from webapp.presentation.phrasing import listed
from webapp.presentation.sheets import deadline_of, summary_of
from webapp.presentation.timestamps import Timestamp, timestamp
from webapp.presentation.turn_text import awaited_sentence
from webapp.seat_transfer import is_accepted

blueprint = Blueprint("games", __name__)
OVER_AT_FIRST = 20  # games that are over, as many as are shown without being asked for
GATHERING = (TableState.UNCONFIRMED, TableState.INVITING)
Chairs = Mapping[int, Sequence[SeatRow]]


@dataclass(frozen=True, slots=True)
class GameLine:
    """One of my tables in the list: what there is to say of it, and where a tap on it leads."""

    name: str
    company: str  # "with Bo, Cy and Di"
    sentence: str
    link: str
    table_link: str = ""  # where `link` leads elsewhere
    deadline: Timestamp | None = None


@dataclass(slots=True)
class MyGames:
    """The page's lists. `has_older`: there are more games that are over."""

    waiting: list[GameLine] = field(default_factory=list)
    running: list[GameLine] = field(default_factory=list)
    joining: list[GameLine] = field(default_factory=list)
    invitations: list[GameLine] = field(default_factory=list)
    gathering: list[GameLine] = field(default_factory=list)
    over: list[GameLine] = field(default_factory=list)
    has_older: bool = False

    @property
    def is_empty(self) -> bool:
        return not any((self.waiting, self.running, self.joining, self.invitations, self.gathering, self.over))


@blueprint.get("/games")
def show() -> Response | str:
    player = signed_in()
    if player is None or player.id is None:
        return redirect("/sign-in", 303)
    with runtime().database.reading() as session:
        games = _my_games(session, player, runtime().now(), shows_all=request.args.get("all") == "yes")
    return page("games", games=games, preferences_link=runtime().signer.local_url(preferences_link(player)))


def next_game_of(seat: SeatRow) -> NextGame | None:
    """Where the player of the seat may go on, if it is she who is signed in; a link alone tells of no other table."""
    player = signed_in()
    if player is None or player.id is None or player.id != seat.player_id:
        return None
    with runtime().database.reading() as session:
        return next_game(session, runtime().signer, player.id, seat.table_id)


def _my_games(session: Session, player: PlayerRow, now: datetime, *, shows_all: bool) -> MyGames:
    assert player.id is not None
    mine = MyGames()
    for game in running_games(session, player.id):
        (mine.waiting if game.due else mine.running).append(_running(game, player, now))
    gathering, over = _gathering(session, player, now), _over(session, player, shows_all=shows_all)
    chairs = table_seats_of(session, [seat.table_id for _, seat in gathering] + [seat.table_id for _, seat, _ in over])
    for table, seat in gathering:
        lines = mine.invitations if _is_invited(table, seat) else mine.gathering
        lines.append(_to_begin(table, seat, chairs, player))
    for table, seat in _offered(session, player):
        chairs = {**chairs, **table_seats_of(session, [seat.table_id])}
        (mine.joining if is_accepted(seat) else mine.invitations).append(_offer(table, seat, chairs, player))
    mine.has_older = not shows_all and len(over) > OVER_AT_FIRST
    shown = over if shows_all else over[:OVER_AT_FIRST]
    mine.over = [_ended(table, seat, ended_at, chairs, player, now) for table, seat, ended_at in shown]
    return mine


def _gathering(session: Session, player: PlayerRow, now: datetime) -> list[tuple[TableRow, SeatRow]]:
    """The tables that wait for somebody's answer, the newest first. What its host never confirmed, only she sees."""
    query = (
        select(TableRow, SeatRow)
        .where(SeatRow.table_id == TableRow.id, SeatRow.player_id == player.id)
        .where(col(TableRow.state).in_(GATHERING), SeatRow.state != SeatState.DECLINED)
        .order_by(col(TableRow.created_at).desc())
    )
    oldest = now - ConfirmLink.ttl  # whose link for the host still lives
    return [
        (table, seat)
        for table, seat in session.exec(query)
        if table.state is TableState.INVITING or (table.host_id == player.id and table.created_at > oldest)
    ]


def _over(session: Session, player: PlayerRow, *, shows_all: bool) -> list[tuple[TableRow, SeatRow, datetime | None]]:
    """The tables at which nothing is played any more, each with the end of its last game, the latest first.

    One more than are shown at first, unless all are wanted.
    """
    ended = select(GameRow.table_id, func.max(GameRow.ended_at).label("at")).group_by(col(GameRow.table_id)).subquery()
    query = (
        select(TableRow, SeatRow, ended.c.at)
        .join(SeatRow, col(SeatRow.table_id) == TableRow.id)
        .outerjoin(ended, ended.c.table_id == TableRow.id)
        .where(SeatRow.player_id == player.id, SeatRow.state != SeatState.DECLINED, TableRow.state == TableState.OVER)
        .order_by(func.coalesce(ended.c.at, TableRow.created_at).desc(), col(TableRow.id).desc())
    )
    return list(session.exec(query if shows_all else query.limit(OVER_AT_FIRST + 1)))


def _running(game: RunningGame, player: PlayerRow, now: datetime) -> GameLine:
    name, company, own_table = _told(game.table, game.mine, game.seats)
    if due := game.due:
        link = runtime().signer.local_url(game.turn_link(due))
        sentence, deadline = f"It is your turn: {due.what}, hand {due.hand}.", deadline_of(game, player.time_zone, now)
        return GameLine(name, company, sentence, link, own_table, deadline)
    if game.mine.away:
        return GameLine(name, company, "You are away: a robot plays for you at once.", own_table)
    return GameLine(name, company, awaited_sentence(game.hand, game.names, game.seat), own_table)


def _offered(session: Session, player: PlayerRow) -> list[tuple[TableRow, SeatRow]]:
    """Tables at which a seat is offered to the player on which somebody else still plays."""
    query = select(TableRow, SeatRow).where(SeatRow.table_id == TableRow.id, SeatRow.offered_to == player.id)
    return list(session.exec(query.order_by(col(TableRow.created_at).desc())))


def _offer(table: TableRow, seat: SeatRow, chairs: Chairs, player: PlayerRow) -> GameLine:
    """A seat that is not the player's yet: no more than what the invitation tells."""
    others = [other.name for other in chairs[seat.table_id] if other.seat != seat.seat]
    link = runtime().signer.local_url(InvitationLink(seat.table_id, seat.seat, player.id or 0, player.links))
    words = "You join once the hand being played is over." if is_accepted(seat) else "You are offered a seat."
    return GameLine(f"Table {table.code}", f"with {listed(others)}", words, link)


def _is_invited(table: TableRow, seat: SeatRow) -> bool:
    return table.state is TableState.INVITING and seat.state is SeatState.INVITED


def _to_begin(table: TableRow, seat: SeatRow, chairs: Chairs, player: PlayerRow) -> GameLine:
    name, company, own_table = _told(table, seat, chairs[seat.table_id])
    if _is_invited(table, seat):
        answer = InvitationLink(seat.table_id, seat.seat, seat.player_id or 0, player.links)
        return GameLine(name, company, "You are invited.", runtime().signer.local_url(answer), own_table)
    if table.state is TableState.UNCONFIRMED:
        return GameLine(name, company, "It waits for you to follow the link in our mail.", own_table)
    return GameLine(name, company, summary_of(table, chairs[seat.table_id]).waiting_sentence, own_table)


def _ended(
    table: TableRow, seat: SeatRow, ended_at: datetime | None, chairs: Chairs, player: PlayerRow, now: datetime
) -> GameLine:
    name, company, own_table = _told(table, seat, chairs[seat.table_id])
    when = f"It ended {timestamp(ended_at, now, player.time_zone).relative}." if ended_at else "It never began."
    return GameLine(name, company, when, own_table)


def _told(table: TableRow, mine: SeatRow, chairs: Sequence[SeatRow]) -> tuple[str, str, str]:
    """What every line says: the table's name, who else sits there, and the way to its page."""
    others = [seat.name for seat in chairs if seat is not mine and seat.state is not SeatState.OPEN]
    link = runtime().signer.local_url(seat_link(mine))
    return f"Table {table.code}", f"with {listed(others)}" if others else "", link
