"""The little that a page polls in order to know when to reload itself.

Nothing here folds a game or knows a card: every page that follows a game asks for this every few seconds.
"""

import json
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlmodel import Session

from webapp.games import talk
from webapp.games.clock.presence import is_reading, may_go_live
from webapp.games.record.rows import TableRows
from webapp.models import GameRow, OfferState, SeatRow, TableRow

POLL_MS: Final = 3000  # milliseconds between two polls
LIVE_POLL_MS: Final = 1000  # the same at a live pace
GOES_ON_POLL_MS: Final = 400  # the same while robots play in front of the reader


def news(session: Session, rows: TableRows, reader: int, now: datetime) -> dict[str, Any]:
    """The state of the table for the player of the seat `reader`, as a JSON mapping; `rows` are those of its newest
    game.

    `version` changes whenever their page would. `left` is the number of seconds until the deadline.
    """
    return news_of(rows.table, rows.game, rows.seats, reader, talk.newest_line(session, rows.table, now), now)


def news_of(
    table: TableRow, game: GameRow | None, seats: Sequence[SeatRow], reader: int, said: int | None, now: datetime
) -> dict[str, Any]:
    """Does the same as `news` for rows that are loaded already; `game` is the table's newest, if there is one.

    `said` is the id of the newest line of its recent talk.
    """
    due_at = game.due_at if game else None
    state = {
        "game": game and [game.number, game.turns, game.state],
        "table": [table.state, table.talk, table.pause is not None, table.link_number],
        "live": [table.live_seconds, may_go_live(table, seats, now), [seat.wants_live for seat in seats]],
        "proposals": [[one.key, len(one.agreed)] for one in table.proposals or ()],
        "due": due_at and due_at.isoformat(),
        "said": said,
        "seats": [
            [seat.name, seat.state, seat.by_link, seat.away, _spare_days(seat), seat.wants_pause, _joins(seat)]
            for seat in seats
        ],
        "offer": [[seat.offered_name, seat.offer_state] for seat in seats if seat.seat == reader],
        "here": [seat.seat for seat in seats if seat.seat != reader and is_reading(seat, seat.player, now)],
    }
    version = f"{zlib.crc32(json.dumps(state).encode()):x}"
    return {**state, "version": version, "left": (due_at - now).total_seconds() if due_at else None}


def _spare_days(seat: SeatRow) -> list[object] | None:
    """The spare days of the seat's player, taken by them and for them; None before the first."""
    kept = seat.vacation
    return [sorted(map(str, kept.dates)), kept.automatic, kept.taken_for] if kept else None


def _joins(seat: SeatRow) -> str | None:
    """The name of the newcomer who gets the seat once this hand is over; None if its player stays."""
    return seat.offered_name if seat.offer_state is OfferState.ACCEPTED else None
