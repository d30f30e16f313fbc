"""Changes a player's name wherever it is kept: in their row, their seats, the records of their games, their talk."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session, col, or_, select, update

from webapp import acts
from webapp.accounts import access
from webapp.core.names import outline
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import is_lent, own_name, owner_name
from webapp.models import (
    NOT_NOTED,
    BookRow,
    EarlierPlayer,
    GameRow,
    LetterRow,
    OperatorAct,
    PlayerRow,
    SeatRow,
    TalkRow,
)
from webapp.play.seat_transfer import both_names


@dataclass(frozen=True, slots=True)
class Traces:
    """The player's past and present seats, by table and seat, their names there, and the games of those tables."""

    seats: Sequence[SeatRow]
    games: Sequence[GameRow]
    places: frozenset[tuple[int, int]]
    names: frozenset[str]


def rename(runtime: Runtime, player_id: int, name: str, now: datetime, *, by: str) -> None:
    """Renames the player at all their tables, and notes that the operator `by` did.

    Raises LinkInvalid if there is no such player, and Refused if the name is taken.
    """
    with runtime.database.writing() as session:
        player, _ = access.lock_player_and_games(session, player_id)
        for seat in traces_of(session, player).seats:
            others = [one for one in table_seats(session, seat.table_id) if one.seat != seat.seat]
            if outline(name) in {outline(owner_name(one)) for one in others}:
                raise Refused(say("Somebody at one of their tables has this name already."))
        replace_name(session, player, name)
        acts.note_act(session, OperatorAct.RENAME, by, now, player_id=player_id)


def traces_of(session: Session, player: PlayerRow) -> Traces:
    """Finds everything that is kept under the player's name. Letters tell of seats that they have lost."""
    own = or_(col(SeatRow.player_id) == player.id, col(SeatRow.stands_in_for) == player.id)
    seats = session.exec(select(SeatRow).where(own).order_by(col(SeatRow.table_id), col(SeatRow.seat))).all()
    written = select(LetterRow.table_id, LetterRow.seat).where(LetterRow.player_id == player.id).distinct()
    places = {(table, seat) for table, seat in session.exec(written) if table is not None and seat is not None}
    places |= {(seat.table_id, seat.seat) for seat in seats}
    of_tables = select(GameRow).where(col(GameRow.table_id).in_({table for table, _ in places}))
    games = session.exec(of_tables.order_by(col(GameRow.id))).all()
    names = {player.name, *(own_name(seat) if seat.player_id == player.id else owner_name(seat) for seat in seats)}
    names |= {one.name for game in games for one in game.earlier or () if one.player == player.id}
    return Traces(seats, games, frozenset(places), frozenset(names))


def replace_name(session: Session, player: PlayerRow, name: str) -> None:
    """Replaces the player's names wherever they are kept. Needs a lock on the player and their games."""
    traces = traces_of(session, player)
    player.name = name
    for seat in traces.seats:
        if not is_lent(seat) or seat.lent is None:
            seat.name = name
            continue
        is_stand_in = seat.player_id == player.id
        seat.lent = replace(seat.lent, stand_in=name) if is_stand_in else replace(seat.lent, owner=name)
        seat.name = both_names(own_name(seat), owner_name(seat))
    for game in traces.games:
        _rename_in(game, traces, player.id, name)
    session.exec(update(SeatRow).where(col(SeatRow.offered_to) == player.id).values(offered_name=name))
    session.exec(update(TalkRow).where(col(TalkRow.player_id) == player.id).values(name=name))
    session.exec(update(BookRow).where(col(BookRow.player_id) == player.id).values(name=name))


def _rename_in(game: GameRow, traces: Traces, player_id: int, name: str) -> None:
    """Renames the player in what a game keeps of those who played it."""

    def is_theirs(seat: int, known: str) -> bool:
        return (game.table_id, seat) in traces.places and known in traces.names

    def renamed(change: EarlierPlayer) -> EarlierPlayer:
        is_noted = change.player != NOT_NOTED
        is_meant = change.player == player_id if is_noted else is_theirs(change.seat, change.name)
        return replace(change, name=name) if is_meant else change

    if game.names:
        game.names = [name if is_theirs(seat, known) else known for seat, known in enumerate(game.names)]
    if game.earlier:
        game.earlier = [renamed(change) for change in game.earlier]
