"""Sharing the result of a game: who may, who has, and what those who open the link may know of the game.

A shared game shows every card of every finished hand, and nothing of the one being played. It names the player who
shares it, the robots, and the other players only if that player says so; it never tells who was away or late, nor who
had a seat before.
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlmodel import Session, col, select

from hearts.seats import Seat
from webapp.core.runtime import Runtime
from webapp.core.say import Refused, say, say_as
from webapp.core.tokens import LinkInvalid, SeatLink, SharedLink
from webapp.games.record.links import check_seat
from webapp.games.record.rows import lock_tables
from webapp.games.record.seats import own_name, owner_name
from webapp.games.record.store import Record, TableGame, load
from webapp.models import GameRow, SeatRow, ShareRow, TurnSource

_PRIVATE: Final = (
    TurnSource.AWAY,
    TurnSource.TIMEOUT,
    TurnSource.AS_WISHED,
    TurnSource.AHEAD,
)  # how a turn was played is not shared


class SharingStopped(Exception):
    """The link is genuine, but its player has stopped sharing the result."""


class NothingToShare(Refused):
    """No hand is over, or another player played it; the text is a sentence for the person who asked."""

    def __init__(self) -> None:
        super().__init__(say("Those who have played a game can share its result once a hand is over."))


def may_share(stored: TableGame, seat: Seat) -> bool:
    """Whether the present player of the seat may share the game: it has a finished hand, and they played the last."""
    return bool(stored.game.scores) and stored.has_played(seat, len(stored.game.scores))


def own_game(session: Session, link: SeatLink, game_id: int) -> TableGame:
    """The game, which the player of the link may share.

    Raises NothingToShare, LinkInvalid if it is not of the link's table, SeatLost or LinkExpired as `check_seat` does.
    """
    check_seat(link, session.get(SeatRow, (link.table_id, link.seat)))
    stored = load(session, game_id)
    if stored.row.table_id != link.table_id:
        raise LinkInvalid
    if not may_share(stored, Seat(link.seat)):
        raise NothingToShare
    return stored


def share_of(session: Session, game_id: int, player_id: int) -> ShareRow | None:
    """Returns the player's share of the game if it is open; None if they share nothing."""
    row = _row(session, game_id, player_id)
    return row if row and row.ended_at is None else None


def share(runtime: Runtime, link: SeatLink, game_id: int, now: datetime, *, names: bool) -> None:
    """Shares the game for the player of the link, or changes whether the page names the others (`names`).

    Every link to it stays valid until they stop. Raises NothingToShare, and SeatLost or LinkExpired if the seat's link
    is not theirs any more.
    """
    with runtime.database.writing() as session:
        lock_tables(session, [link.table_id])  # so that two simultaneous clicks share it once
        own_game(session, link, game_id)
        row = _row(session, game_id, link.player_id)
        if row is None:
            row = ShareRow(game_id=game_id, player_id=link.player_id, seat=link.seat, shared_at=now)
        elif row.ended_at is not None:
            row.shared_at, row.ended_at = now, None
        row.names = names
        session.add(row)


def stop(runtime: Runtime, game_id: int, player_id: int, now: datetime) -> None:
    """Ends what the player shares of the game; the link opens nothing from then on, even if they share it again."""
    with runtime.database.writing() as session:
        _end(session, _row(session, game_id, player_id, lock=True), now)


def end_at_transfer(session: Session, game_id: int, seat: SeatRow, now: datetime) -> None:
    """Ends what the player of a seat shares of a game that they leave, since its page would name their successor."""
    if seat.player_id is not None:
        _end(session, _row(session, game_id, seat.player_id, lock=True), now)


def _end(session: Session, row: ShareRow | None, now: datetime) -> None:
    if row is not None and row.ended_at is None:
        row.number, row.ended_at = row.number + 1, now
        session.add(row)


def shared_link(row: ShareRow) -> SharedLink:
    return SharedLink(row.id, row.number)


def shared(session: Session, link: SharedLink) -> ShareRow:
    """The row of the link. Raises LinkInvalid if there is none, SharingStopped if its player has stopped sharing."""
    row = session.get(ShareRow, link.share_id)
    if row is None:
        raise LinkInvalid
    if row.ended_at is not None or row.number != link.number:
        raise SharingStopped
    return row


def shared_game(session: Session, row: ShareRow) -> TableGame:
    """The finished hands of the game, with what those who have the link may know: no seat, and only shared names."""
    stored = load(session, row.game_id).without_unfinished_hand()
    words = [seat_word(seat, row.seat, len(stored.names)) for seat in range(len(stored.names))]
    hidden = () if row.names else hidden_seats(stored, row.seat)
    named = [own_name(seat) if seat.seat == row.seat else owner_name(seat) for seat in stored.seats]
    shown = stored.row.names or named
    names = [words[seat] if seat in hidden else name for seat, name in enumerate(shown)]
    earlier = [replace(one, name=words[one.seat]) for one in stored.row.earlier or ()]
    started_at = stored.row.started_at
    masked = GameRow(
        table_id=0,
        number=0,
        state=stored.row.state,
        at_once=stored.row.at_once,
        names=names,
        earlier=earlier,
        started_at=started_at,
    )
    return replace(stored, row=masked, seats=(), records=tuple(map(_as_if_played_by_hand, stored.records)))


def seat_word(seat: int, own: int, players: int) -> str:
    """Returns the word for a player whose name is not shared: "West", or "Seat 5" if there are many."""
    place = (seat - own) % players  # clockwise from the player who shares
    south, west, east = say_as("a seat", "South"), say_as("a seat", "West"), say_as("a seat", "East")
    match players:
        case 4:
            return (south, west, say_as("a seat", "North"), east)[place]
        case 3:
            return (south, west, east)[place]
        case _:
            return say("Seat {number}", number=place + 1)


def hidden_seats(stored: TableGame, own: int) -> list[int]:
    """The seats of the other people, clockwise from `own`: they are named only if its player, who shares, says so."""
    players = len(stored.names)
    others = [(own + place) % players for place in range(1, players)]
    # A robot may have got the seat after the game.
    robots = [seat for seat in stored.robots if stored.is_of_present_player(seat)]
    return [seat for seat in others if seat not in robots]


def _as_if_played_by_hand(record: Record) -> Record:
    source = TurnSource.PAGE if record.source in _PRIVATE else record.source
    return Record(record.turn, source, hand=record.hand)


def _row(session: Session, game_id: int, player_id: int, *, lock: bool = False) -> ShareRow | None:
    query = select(ShareRow).where(ShareRow.game_id == game_id, col(ShareRow.player_id) == player_id)
    return session.exec(query.with_for_update() if lock else query).first()
