"""A file for a player of all that is kept of them: `data.json`, their mails, and the records of their tables' games.

It holds no other player's address, and no card of a hand that is not over but those that a mail to this player
shows. The records, which every player of a table can have, name the players. A mail has its text until that is deleted.
"""

import io
import json
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import inspect
from sqlmodel import Session, SQLModel, col, func, or_, select

from hearts.record import record_text
from webapp.accounts.address_changes import addresses_of
from webapp.core.addresses import forms_of
from webapp.core.database import one_by_one
from webapp.core.say import later, say
from webapp.games.record import store
from webapp.games.record.finished import proved_record
from webapp.games.record.seats import own_name, owner_name
from webapp.models import (
    AddressChangeRow,
    BookRow,
    DeviceRow,
    GameRow,
    InboundRow,
    LetterRow,
    OperatorActRow,
    PlayerRow,
    SeatRow,
    ShareRow,
    SignInRow,
    TableRow,
    TalkRow,
)
from webapp.models.columns import Json

UNREADABLE = later("We could not read this game. Please ask whoever runs this service.")  # in place of a game
_PLAYER = (
    *("address", "name", "time_zone", "frequency", "daily_at", "quiet_from", "quiet_to", "days_off", "holidays"),
    *(
        "language",
        "invitations",
        "year_mail",
        "rating_mean",
        "rating_doubt",
        "closed",
        "push_only",
        "two_colours",
        "large_index",
        "tap_plays",
    ),
    *("seen_at", "browser_at", "turns_at", "bounce_score", "bounced_on", "unreachable_at", "created_at"),
)
_SEAT = (
    *("seat", "state", "by_link", "away", "away_until", "missed", "mails", "here_at", "talk_read", "ahead"),
    *("robot_hand", "wants_live", "wants_pause", "vacation", "shuffle_words", "shuffle_part"),
)
_SAID = ("name", "text", "at", "game_number", "hand", "trick")
_BOOKED = (
    *("game_id", "seat", "side", "name", "at_end", "counts", "total", "place", "hands", "points", "queens", "moons"),
    *("stopped", "worst", "worst_times", "asked", "late", "played_for", "seconds"),
)
_LENT = ("mails", "words")  # of its owner, while somebody else plays the seat
_CHANGE = ("old_address", "new_address", "state", "asked_at", "ready_at", "proved_at", "agreed_at", "ended_at")


def file_of(session: Session, player: PlayerRow) -> bytes:
    """A ZIP file with everything."""
    made = io.BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        archive.writestr("data.json", json.dumps(data_of(session, player), ensure_ascii=False, indent=1) + "\n")
        tables = {seat.table_id: table.code for seat, table in _seats(session, player.id)}
        found = select(GameRow).where(col(GameRow.table_id).in_(tables)).order_by(col(GameRow.id))
        games = {game.id: f"{tables[game.table_id]}-{game.number}" for game in session.exec(found)}

        def write(game_id: int) -> None:
            archive.writestr(
                f"games/{games[game_id]}.json", record_text(proved_record(session, store.load(session, game_id)))
            )

        def excuse(game_id: int) -> None:
            archive.writestr(f"games/{games[game_id]}.txt", say(UNREADABLE) + "\n")

        one_by_one("game", games, write, excuse)
        for letter in _mails(session, player.id):
            if letter.message is not None:
                archive.writestr(f"mails-to-you/{letter.id}.eml", letter.message)
        for row in _inbound(session, player):
            if row.raw is not None:
                archive.writestr(f"mails-from-you/{row.id}.eml", row.raw)
    return made.getvalue()


def data_of(session: Session, player: PlayerRow) -> dict[str, Any]:
    """Returns everything that is kept of the player but for the games, as values of JSON."""
    own = player.id
    return {
        "player": _fields(player, *_PLAYER),
        "seats": [_seat(seat, table, own) for seat, table in _seats(session, own)],
        "said": [_fields(row, *_SAID) for row in _all(session, TalkRow, own)],
        "mails_to_you": [
            _fields(row, "id", "kind", "subject", "state", "problem", "created_at", "sent_at")
            for row in _mails(session, own)
        ],
        "mails_from_you": [
            _fields(row, "id", "sender", "received_at", "taken_for", "outcome") for row in _inbound(session, player)
        ],
        "sign_ins": [_fields(row, "browser", "created_at", "seen_at") for row in _all(session, SignInRow, own)],
        "devices": [
            {"push_service": urlsplit(row.endpoint).hostname, **_fields(row, "is_confirmed", "created_at")}
            for row in _all(session, DeviceRow, own)
        ],
        "acts_of_operators": [_fields(row, "act", "at") for row in _all(session, OperatorActRow, own)],
        "address_changes": [_fields(row, *_CHANGE) for row in _all(session, AddressChangeRow, own)],
        "book": [_fields(row, *_BOOKED) for row in _all(session, BookRow, own)],
        "shared_results": [
            _fields(row, "game_id", "names", "shared_at", "ended_at") for row in _all(session, ShareRow, own)
        ],
    }


def _fields(row: SQLModel, *names: str) -> dict[str, Any]:
    return {name: _written(row, name) for name in names}


def _written(row: SQLModel, name: str) -> Any:
    """The field of the row as JSON has it."""
    value, column = getattr(row, name), inspect(type(row)).columns[name]
    if isinstance(column.type, Json) and value is not None:
        return column.type.write(value)
    return value.isoformat() if isinstance(value, datetime | date) else value


def _all(session: Session, rows: Any, player_id: int) -> Sequence[Any]:
    return session.exec(select(rows).where(rows.player_id == player_id).order_by(rows.id)).all()


def _mails(session: Session, player_id: int) -> Sequence[LetterRow]:
    return session.exec(select(LetterRow).where(LetterRow.player_id == player_id).order_by(col(LetterRow.id))).all()


def _inbound(session: Session, player: PlayerRow) -> Sequence[InboundRow]:
    """The mails from the player's address, and from earlier ones whose owner has agreed that they leave it."""
    senders = forms_of(addresses_of(session, player, only_agreed=True))
    own = select(InboundRow).where(func.lower(InboundRow.sender).in_(senders))
    return session.exec(own.order_by(col(InboundRow.id))).all()


def _seats(session: Session, player_id: int) -> Sequence[tuple[SeatRow, TableRow]]:
    own = or_(col(SeatRow.player_id) == player_id, col(SeatRow.stands_in_for) == player_id)
    return session.exec(select(SeatRow, TableRow).join(TableRow).where(own).order_by(col(SeatRow.table_id))).all()


def _seat(seat: SeatRow, table: TableRow, player_id: int) -> dict[str, Any]:
    """The seat, with what only its present player knows if that is who asks."""
    if seat.player_id != player_id:
        kept = _written(seat, "lent") or {}
        own = {name: kept.get(name) for name in _LENT}
        return {"table": table.code, "seat": seat.seat, "name": owner_name(seat), "played_by": own_name(seat), **own}
    words = {"words_to_guests": table.words} if table.host_id == player_id else {}
    return {"table": table.code, "name": own_name(seat), **words, **_fields(seat, *_SEAT)}
