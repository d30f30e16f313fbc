"""The clock of each hand is one value in its game's row: what its players were granted, and when it stood still

Running games keep their deadlines to the second: each player who was asked has been told that time. What a hand asks is
not in its rows, so its clock takes the question that it finds. In live play of a slow game, that one's clock stands.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0058"
down_revision = "0057"

FAIR: Final = 3 * 60 * 60  # seconds, at least, once a clock goes on; a quarter of the pace, if that is more
TIMES: Final = ("due_at", "asked_at", "given_until")
KEPT: Final = (*TIMES, "moved_by", "first_asked")
_JSON = sa.JSON(none_as_null=True)


def _clock(name: str, *others: sa.ColumnClause[Any]) -> sa.TableClause:
    times = (sa.column(one, UTCDateTime()) for one in TIMES)
    return sa.table(name, *times, sa.column("moved_by"), sa.column("first_asked", _JSON), *others)


GAME = _clock("game", *map(sa.column, ("id", "table_id", "state", "at_once")), sa.column("clocks", _JSON))
HAND = _clock("hand_clock", sa.column("game_id"), sa.column("hand"))
TABLE = sa.table("card_table", *map(sa.column, ("id", "pass_seconds", "play_seconds", "live_seconds")))
SEAT = sa.table("seat", *map(sa.column, ("table_id", "seat", "player_id")))
TURN = sa.table("turn", *map(sa.column, ("game_id", "number", "hand")), sa.column("turn", sa.JSON))


def upgrade() -> None:
    op.add_column("game", sa.Column("clocks", sa.JSON))
    connection = op.get_bind()
    for game in connection.execute(sa.select(GAME).where(GAME.c.state == "playing")).mappings().all():
        table = connection.execute(sa.select(TABLE).where(TABLE.c.id == game["table_id"])).mappings().one()
        seats = connection.execute(sa.select(SEAT.c.seat, SEAT.c.player_id).where(SEAT.c.table_id == table["id"]))
        players = {seat: player for seat, player in seats if player is not None}
        clocks = {str(hand): _brought_over(row, table, players) for hand, row in _hands(connection, game)}
        values = {"clocks": {hand: one for hand, one in clocks.items() if one} or None}
        connection.execute(GAME.update().where(GAME.c.id == game["id"]).values(values))
    op.drop_table("hand_clock")
    for name in ("asked_at", "given_until", "moved_by", "first_asked"):
        op.drop_column("game", name)


def _hands(connection: sa.Connection, game: Any) -> Iterator[tuple[int, Any]]:
    """The hands of a game with the rows of their clocks. The number of a single hand is that of the deals by now."""
    if game["at_once"] > 1:
        rows = connection.execute(sa.select(HAND).where(HAND.c.game_id == game["id"])).mappings().all()
        yield from ((row["hand"], row) for row in rows)
        return
    turns = connection.execute(sa.select(TURN.c.turn).where(TURN.c.game_id == game["id"])).scalars()
    yield sum(turn["turn"] == "deal" for turn in turns), game


def _brought_over(row: Any, table: Any, players: Mapping[int, int]) -> dict[str, Any] | None:
    """The clock of a hand, as pydantic writes it; None if it has asked nobody."""
    first = row["first_asked"] or {}
    stopped = _read(first.get("stopped"))
    told_at, due_at = row["asked_at"], row["due_at"]
    if stopped is None and due_at is None:
        return None
    pace = min(table["pass_seconds"], table["play_seconds"])
    starts = {int(seat): [(one, _read(at)) for one, at in found] for seat, found in first.get("seats", {}).items()}
    starts = starts or {seat: [(player, told_at)] for seat, player in players.items()}
    asked = [(seat, player, at) for seat, found in starts.items() for player, at in found if player and at]
    slow = {"question": None, "pace": pace, "grants": [_grant(*one, pace, "asked") for one in asked]}
    told, since = (_read(first.get("due_at")), stopped) if stopped else (due_at, told_at)
    if told is not None and since is not None:
        slow["grants"] += [_grant(seat, player, since, told - since, "told") for seat, player in players.items()]
    if resumed := _read(first.get("resumed_at")):
        fair = min(pace, max(pace / 4, FAIR))
        slow["grants"] += [_grant(seat, player, resumed, fair, "resumed") for seat, player, _ in asked]
    if stopped:
        slow["stops"] = [{"since": _write(stopped)}]
    else:
        slow |= {"due_at": _write(due_at), "first_due_at": _write(due_at - timedelta(seconds=row["moved_by"]))}
        if row["given_until"]:
            slow["given_until"] = _write(row["given_until"])
    if not table["live_seconds"]:
        return slow
    if not stopped:
        return slow | {"pace": table["live_seconds"], "is_together": True}
    if due_at is None:
        return slow
    grants = [_grant(seat, player, told_at, due_at - told_at, "asked") for seat, player in players.items()]
    times = {"due_at": _write(due_at), "first_due_at": _write(due_at)}
    live = {"question": None, "pace": table["live_seconds"], "grants": grants, "is_together": True}
    return {**live, **times, "aside": slow}


def _grant(seat: int, player: int, at: datetime, time: timedelta | float, why: str) -> dict[str, Any]:
    seconds = time.total_seconds() if isinstance(time, timedelta) else time
    return {"seat": seat, "player": player, "at": _write(at), "time": seconds, "why": why}


def _write(at: datetime) -> str:
    return at.isoformat()


def _read(text: str | None) -> datetime | None:
    if text is None:
        return None
    at = datetime.fromisoformat(text)
    return at if at.tzinfo else at.replace(tzinfo=UTC)
