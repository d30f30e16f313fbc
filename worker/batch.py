"""The letters that a worker has in hand: they stay its own while it lives, and are handed back when it leaves them.

A thread renews their leases, because one letter alone may take longer than a lease with a relay that is slow to answer.
"""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from types import TracebackType
from typing import Self

from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.models import LetterRow
from webapp.outbox import leases

RENEW_EVERY = 5.0  # seconds; a lease outlives three renewals that fail
LONGEST = 300.0  # seconds; a worker that hangs for longer is as good as dead
MARGIN = timedelta(seconds=3)  # before the end of a lease: other machines' clocks may be ahead


class Batch(AbstractContextManager["Batch"]):
    """Letters that were claimed as `by` at the moment `at`; from then on they are kept, until each is seen to."""

    def __init__(self, runtime: Runtime, letter_ids: list[int], by: str, at: datetime) -> None:
        self.by = by
        self.rest = list(letter_ids)  # what nobody has begun with
        self._runtime = runtime
        self._until = dict.fromkeys(letter_ids, at + leases.LEASE)
        self._over = Event()
        self._keeper = Thread(target=self._keep, name="leases", daemon=True)

    def __enter__(self) -> Self:
        self._keeper.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._keeper.join()
        with suppress(DatabaseDown):  # then they are free when the lease is over
            self._hand_back()

    def in_turn(self, seconds: float) -> Iterator[int]:
        """One letter after the other, as long as a next one is begun with within so many seconds."""
        ends = time.monotonic() + seconds
        while self.rest and time.monotonic() < ends:
            letter_id = self.rest.pop(0)
            yield letter_id
            self._until.pop(letter_id, None)

    def begin(self, letter: LetterRow) -> None:
        """A letter that the caller has locked is begun with: it has a whole lease, as soon as that is committed."""
        assert letter.id is not None
        letter.next_at = self._until[letter.id] = self._runtime.now() + leases.LEASE

    def holds(self, letter_id: int) -> bool:
        """Whether nobody else can have taken the letter yet."""
        until = self._until.get(letter_id)
        return until is not None and self._runtime.now() < until - MARGIN

    def _keep(self) -> None:
        ends = time.monotonic() + LONGEST
        while not self._over.wait(RENEW_EVERY) and time.monotonic() < ends:
            with suppress(DatabaseDown):  # it may be back before the lease is over
                self._renew()

    def _renew(self) -> None:
        now = self._runtime.now()
        with self._runtime.database.writing() as session:
            kept = leases.renew(session, list(self._until), self.by, now)
        self._until.update((letter_id, now + leases.LEASE) for letter_id in kept if letter_id in self._until)

    def _hand_back(self) -> None:
        if self.rest:
            with self._runtime.database.writing() as session:
                leases.hand_back(session, self.rest, self.by, self._runtime.now())
