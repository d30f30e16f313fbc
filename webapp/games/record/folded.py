"""Folds games over their turn records, and keeps them, so that the next page or turn folds only what came since.

A turn record that is committed never changes, so a record that one session has read holds for every later one. Only
sessions on a snapshot keep games: others may see changes that are rolled back.
"""

from collections.abc import Sequence
from datetime import datetime
from threading import Lock
from typing import Final, NamedTuple, Self
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from sqlalchemy import Pool
from sqlmodel import Session

from hearts.cycle import Cycle, before_deal, play_on
from hearts.rules import Rules
from webapp.core.database import only_reads
from webapp.games.record.records import Record, numbered
from webapp.models import GameRow

# Records kept in one process, of the games that were loaded last: 10 MB, or more where robots gave reasons.
MOST: Final = 50_000


class Folded(NamedTuple):
    """A game after its first records. `started_at` tells it from another that had its number before a restore."""

    rules: Rules
    started_at: datetime
    records: tuple[Record, ...]
    cycle: Cycle

    @property
    def turns(self) -> int:
        """After how many records it is the game."""
        return len(self.records)

    def after(self, records: Sequence[Record]) -> Self:
        """The same after some more records. Raises IllegalTurn."""
        if not records:
            return self
        dealt = self.records[-1].hand if self.records else 0
        new = numbered(records, dealt, self.turns)
        cycle = play_on(self.cycle, ((one.hand, one.turn) for one in new))
        return self._replace(records=(*self.records, *new), cycle=cycle)


_Kept = LRUCache[int, Folded]  # by game
_kept: WeakKeyDictionary[Pool, _Kept] = WeakKeyDictionary()  # by database
_lock = Lock()  # the cache knows no threads


def known(session: Session, row: GameRow, rules: Rules, most: int) -> Folded:
    """The game after as many of its first `most` records as are known without asking the database, perhaps none."""
    with _lock:
        found = _of_database(session).get(row.id)
    is_same = found is not None and (found.rules, found.started_at) == (rules, row.started_at)
    if found is not None and is_same and found.turns <= most:
        return found
    return Folded(rules, row.started_at, (), before_deal(rules, row.at_once))


def keep(session: Session, row: GameRow, folded: Folded) -> None:
    """Keeps the game for later sessions, if this one reads only what is committed."""
    if only_reads(session) and len(folded.records) <= MOST:
        with _lock:
            _of_database(session)[row.id] = folded


def _of_database(session: Session) -> _Kept:
    pool = session.get_bind().engine.pool
    return _kept.setdefault(pool, LRUCache(MOST, getsizeof=lambda folded: len(folded.records)))
