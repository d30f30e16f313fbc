"""Keeps the letters that a worker has claimed: renews their leases while it works, and hands back those not begun.

A thread renews the leases, because with a slow relay a single letter may take longer than its lease.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from types import TracebackType
from typing import Self

from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow
from webapp.outbox import leases

RENEW_EVERY = 5.0  # seconds; a lease outlives three failed renewals
LONGEST_RENEWAL = 300.0  # seconds; a worker that hangs for longer counts as dead
MARGIN = timedelta(seconds=3)  # before the end of a lease, as other machines' clocks may be ahead


class Batch(AbstractContextManager["Batch"]):
    """Letters, here their kinds by id, that were claimed at `at` under the claim `by`.

    In its context each keeps its lease until it is done.
    """

    def __init__(self, runtime: Runtime, letters: Mapping[int, LetterKind], by: str, at: datetime) -> None:
        self.by = by
        self.kinds = letters
        self.rest = list(letters)  # the letters not begun
        self._runtime = runtime
        self._until = dict.fromkeys(letters, at + leases.LEASE)  # the end of each lease
        self._over = Event()
        self._renewer = Thread(target=self._keep_renewing, name="leases", daemon=True)

    def __enter__(self) -> Self:
        self._renewer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._over.set()
        self._renewer.join()
        with suppress(DatabaseDown):  # then the letters are free at the end of their leases
            self._hand_back()

    def each(self, seconds: float) -> Iterator[int]:
        """Yields the ids of the letters, one by one; begins none later than `seconds` from now."""
        ends = time.monotonic() + seconds
        while self.rest and time.monotonic() < ends:
            letter_id = self.rest.pop(0)
            yield letter_id
            self._until.pop(letter_id, None)

    @property
    def done(self) -> int:
        """How many letters were begun."""
        return len(self.kinds) - len(self.rest)

    def begin(self, letter: LetterRow) -> None:
        """Gives a letter from `leases.held_letters` a whole lease, which counts once that transaction has committed."""
        letter.next_at = self._until[letter.id] = self._runtime.now() + leases.LEASE

    def holds(self, letter_id: int) -> bool:
        """Whether the letter's lease still holds, so that no other worker can have claimed it."""
        until = self._until.get(letter_id)
        return until is not None and self._runtime.now() < until - MARGIN

    def _keep_renewing(self) -> None:
        ends = time.monotonic() + LONGEST_RENEWAL
        while not self._over.wait(RENEW_EVERY) and time.monotonic() < ends:
            with suppress(DatabaseDown):  # it may be back before the leases end
                self._renew()

    def _renew(self) -> None:
        now = self._runtime.now()
        with self._runtime.database.writing() as session:
            kept = leases.renew(session, list(self._until), self.by, now)
        self._until.update((letter_id, now + leases.LEASE) for letter_id in kept if letter_id in self._until)

    def _hand_back(self) -> None:
        if not self.rest:
            return
        with self._runtime.database.writing() as session:
            leases.hand_back(session, self.rest, self.by, self._runtime.now())
