"""All players at their inboxes: threads that read the mails as they come, some at once, some late, some never."""

import heapq
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import count
from threading import Condition, Event, Lock, Thread

from tests.chaos.browsers import Unavailable
from tests.chaos.notes import Notes
from tests.chaos.players import Person
from tests.chaos.relay import MoodyRelay
from tests.servers import Mail

LOOK_SECONDS = 0.05  # between two looks into the inboxes
NEVER = 0.15  # the share of their mails that forgetful players do not read
LATE = 0.1  # the share that waits for up to `LATE_SECONDS`; the others are read within `SOON_SECONDS`
LATE_SECONDS, SOON_SECONDS = 10.0, 1.0
RETRY_SECONDS = 2.0
COPIES_READ = 0.5  # the share of copies of a mail that are read, too


@dataclass(frozen=True, slots=True)
class Errand:
    """An errand of a player: to read a mail, or to do what they had put off."""

    player: Person
    what: str
    do: Callable[[], object]


class Crowd:
    """Players who read their mails from `start` until `stop`."""

    def __init__(self, relay: MoodyRelay, notes: Notes, luck: random.Random, threads: int = 4) -> None:
        self._relay, self._notes, self._luck = relay, notes, luck
        self._players: dict[str, Person] = {}  # by the addresses of their inboxes
        self._forgetful: set[str] = set()
        self._hands: dict[str, Lock] = {}  # by player: nobody does two things at the same time
        self._waiting: list[tuple[float, int, Errand]] = []
        self._numbers = count()
        self._seen: set[str] = set()
        self._changed = Condition()
        self._over = Event()
        self._threads = [Thread(target=self._feed, daemon=True)]
        self._threads += [Thread(target=self._read_on, daemon=True) for _ in range(threads)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def join(self, players: Iterable[Person], *, forgetful: bool) -> None:
        """Gives players their inboxes; forgetful ones miss a deadline now and then."""
        for player in players:
            self._hands[player.name] = Lock()
            self._players |= dict.fromkeys(player.inboxes, player)
            player.doings.later = partial(self._put_off, player)
            if forgetful:
                self._forgetful.add(player.name)

    def stop(self) -> None:
        """Has everybody finish what they are doing, and do nothing more."""
        self._over.set()
        with self._changed:
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()
        for player in {one.name: one for one in self._players.values()}.values():
            player.browser.close()

    @property
    def unread(self) -> int:
        """How many mails wait for their readers, and other things to be done."""
        return len(self._waiting)

    def _feed(self) -> None:
        """Puts the mails that have come on the piles of their readers."""
        read = 0
        while not self._over.wait(LOOK_SECONDS):
            come = self._relay.mails[read:]
            read += len(come)
            for mail in come:
                self._lay(mail)

    def _lay(self, mail: Mail) -> None:
        number = str(mail.message["Message-ID"])
        is_copy = number in self._seen
        self._seen.add(number)
        reader = self._players[mail.to]
        is_forgotten = reader.name in self._forgetful and self._luck.random() < NEVER
        if is_forgotten or (is_copy and self._luck.random() > COPIES_READ) or not reader.is_asked(mail):
            return
        seconds = self._luck.uniform(0, LATE_SECONDS if self._luck.random() < LATE else SOON_SECONDS)
        self._later(Errand(reader, mail.subject, partial(reader.read, mail)), seconds)

    def read_again(self, mails: Iterable[Mail]) -> None:
        """Has everybody read the last of these mails to them that asks for something, as if nobody had answered it."""
        last = {self._players[mail.to].name: mail for mail in mails if self._players[mail.to].is_asked(mail)}
        for mail in last.values():
            reader = self._players[mail.to]
            self._later(Errand(reader, mail.subject, partial(reader.read, mail)), self._luck.uniform(0, LATE_SECONDS))

    def _put_off(self, player: Person, what: str, do: Callable[[], object], seconds: float) -> None:
        self._later(Errand(player, what, do), seconds)

    def _later(self, errand: Errand, seconds: float) -> None:
        with self._changed:
            heapq.heappush(self._waiting, (time.monotonic() + seconds, next(self._numbers), errand))
            self._changed.notify()

    def _read_on(self) -> None:
        while (errand := self._next()) is not None:
            player = errand.player
            try:
                with self._hands[player.name]:
                    errand.do()
            except Unavailable:
                self._later(errand, self._luck.uniform(0.5, 1) * RETRY_SECONDS)
            except Exception as error:  # noqa: BLE001  whatever a page did to a player is to be reported
                self._notes.unexpected.append(f"{player.name}, {errand.what}: {type(error).__name__} {error}"[:300])

    def _next(self) -> Errand | None:
        """Waits for the time of the next errand, and returns it; None once all is over."""
        with self._changed:
            while not self._over.is_set():
                wait = self._waiting[0][0] - time.monotonic() if self._waiting else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._waiting)[2]
                self._changed.wait(wait)
        return None
