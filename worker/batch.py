"""The letters that a worker has claimed: it begins one after the other, and hands back those that it has not begun.

A letter gets a longer lease when it is begun, because with a slow relay it may take that long.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from types import TracebackType

from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow
from webapp.outbox import letters

BEGUN = timedelta(seconds=90)  # the lease of the letter that is being sent
MARGIN = timedelta(seconds=3)  # before the end of a lease, as other machines' clocks may be ahead


class Batch(AbstractContextManager["Batch"]):
    """Letters, here their kinds by id, of the claim `by`. Leaving its context hands back those not begun."""

    def __init__(self, runtime: Runtime, claimed: Mapping[int, LetterKind], by: str) -> None:
        self.by = by
        self.kinds = claimed
        self.rest = list(claimed)  # the letters not begun
        self._runtime = runtime
        self._until = runtime.now()  # the end of the lease of the letter begun last

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self.rest:
            with suppress(DatabaseDown), self._runtime.database.writing() as session:  # else their leases end soon
                letters.hand_back(session, self.rest, self.by, self._runtime.now())

    def each(self, seconds: float) -> Iterator[int]:
        """Yields the ids of the letters, one by one; begins none later than `seconds` from now."""
        ends = time.monotonic() + seconds
        while self.rest and time.monotonic() < ends:
            yield self.rest.pop(0)

    @property
    def done(self) -> int:
        """How many letters were begun."""
        return len(self.kinds) - len(self.rest)

    def begin(self, letter: LetterRow) -> None:
        """Gives a letter from `letters.held_letters` its lease, which counts once that transaction has committed."""
        letter.next_at = self._until = self._runtime.now() + BEGUN

    def holds(self) -> bool:
        """Whether the lease of the begun letter still holds, so that no other worker can have claimed it."""
        return self._runtime.now() < self._until - MARGIN
