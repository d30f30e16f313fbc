"""Changes a player's name wherever it is kept: in their row, their seats, their finished games, and what they said."""

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, or_, select, update

from webapp.accounts import access
from webapp.core.refusal import Refused
from webapp.core.runtime import Runtime
from webapp.games.stand_in import is_lent, owner_name
from webapp.games.store import table_seats
from webapp.models import GameRow, PlayerRow, SeatRow, TalkRow


def rename(runtime: Runtime, player_id: int, name: str, now: datetime) -> None:
    """Renames the player at all their tables. Raises LinkInvalid if there is none, and Refused if the name is taken.

    A seat that somebody plays for somebody else keeps the names that it shows until it is given back.
    """
    with runtime.database.writing() as session:
        player, _ = access.lock_games(session, player_id)
        for seat in own_seats(session, player_id):
            others = [one for one in table_seats(session, seat.table_id) if one.seat != seat.seat]
            if name.casefold() in {owner_name(one).casefold() for one in others}:
                raise Refused("Somebody at one of their tables has this name already.")
        replace_name(session, player, name)


def own_seats(session: Session, player_id: int) -> list[SeatRow]:
    """The seats that the player plays, and those of theirs that somebody plays for them."""
    own = or_(col(SeatRow.player_id) == player_id, col(SeatRow.stands_in_for) == player_id)
    return list(session.exec(select(SeatRow).where(own).order_by(col(SeatRow.table_id), col(SeatRow.seat))))


def replace_name(session: Session, player: PlayerRow, name: str) -> None:
    """Replaces the player's names wherever they are kept. The caller has locked the player and their games."""
    player.name = name
    for seat in own_seats(session, player.id):
        former = seat.name
        if is_lent(seat):
            continue
        seat.name = name
        for game in session.exec(select(GameRow).where(GameRow.table_id == seat.table_id)):
            if game.names and game.names[seat.seat] == former:
                game.names = [name if number == seat.seat else other for number, other in enumerate(game.names)]
    for game in session.exec(select(GameRow).where(col(GameRow.earlier).is_not(None))):
        if any(_is_of(one, player.id) for one in game.earlier or ()):
            game.earlier = [{**one, "name": name} if _is_of(one, player.id) else one for one in game.earlier or ()]
    session.exec(update(SeatRow).where(col(SeatRow.offered_to) == player.id).values(offered_name=name))
    session.exec(update(TalkRow).where(col(TalkRow.player_id) == player.id).values(name=name))


def _is_of(change: dict[str, Any], player_id: int) -> bool:
    return change.get("player") == player_id
