"""Folds games over their turn records, and keeps them, so that the next page or turn folds only what came since.

A turn record that is committed never changes, so what one session has read holds for every later one. Only sessions on
a snapshot keep games: what others see may be rolled back.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from threading import Lock
from typing import Any, Final, NamedTuple, Self
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import Engine, Pool
from sqlmodel import Session

from hearts.cycle import Cycle, before_deal, play_on
from hearts.rules import Rules
from hearts.turns import Deal, Turn
from webapp.core.database import Snapshot
from webapp.models import GameRow, TurnSource

# Records kept in one process, of the games that were loaded last: 10 MB, or more where robots gave reasons.
MOST: Final = 50_000


class Record(NamedTuple):
    """A turn record: what was played, how it came to be played, a robot's reasons if one chose, and in which hand."""

    turn: Turn
    source: TurnSource
    choice: Mapping[str, Any] | None = None
    hand: int = 0  # 0 until it is appended


class Folded(NamedTuple):
    """A game after its first records. `started_at` tells it from another that had its number before a restore."""

    rules: Rules
    started_at: datetime
    records: tuple[Record, ...]
    cycle: Cycle

    def after(self, records: Sequence[Record]) -> Self:
        """The same after some more records. Raises IllegalTurn."""
        if not records:
            return self
        dealt = self.records[-1].hand if self.records else 0
        new = numbered(records, dealt)
        cycle = play_on(self.cycle, ((one.hand, one.turn) for one in new))
        return self._replace(records=(*self.records, *new), cycle=cycle)


_kept: WeakKeyDictionary[Pool, LRUCache[int, Folded]] = WeakKeyDictionary()  # by database, by game
_lock = Lock()  # the cache knows no threads


def known(session: Session, row: GameRow, rules: Rules, most: int) -> Folded:
    """The game after as many of its first `most` records as are known without asking the database; perhaps none."""
    with _lock:
        found = _of_database(session).get(row.id)
    if found and (found.rules, found.started_at) == (rules, row.started_at) and len(found.records) <= most:
        return found
    return Folded(rules, row.started_at, (), before_deal(rules, row.at_once))


def keep(session: Session, row: GameRow, folded: Folded) -> None:
    """Keeps the game for later sessions, if this one reads only what is committed."""
    if isinstance(session, Snapshot) and len(folded.records) <= MOST:
        with _lock:
            _of_database(session)[row.id] = folded


def numbered(records: Iterable[Record], dealt: int = 0) -> tuple[Record, ...]:
    """The records, each with the number of its hand: that of the row, or else how many hands were dealt until then.

    `dealt` is how many were dealt before these records.
    """
    records = tuple(records)
    hands = [*accumulate((isinstance(record.turn, Deal) for record in records), initial=dealt)][1:]
    return tuple(one if one.hand else one._replace(hand=hand) for one, hand in zip(records, hands, strict=True))


def _of_database(session: Session) -> LRUCache[int, Folded]:
    engine = session.get_bind()
    assert isinstance(engine, Engine)
    return _kept.setdefault(engine.pool, LRUCache(MOST, getsizeof=lambda folded: len(folded.records)))
