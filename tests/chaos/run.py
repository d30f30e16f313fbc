"""One run on one set-up: games begin, things break, everything is repaired, comes to rest, and is checked."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from scripts.run import answers, stop
from tests.chaos.checks import answers as kept
from tests.chaos.checks import besides, contents, last_words, letters, records, seats, turns, waiting
from tests.chaos.checks.aftermath import A_MOMENT, Aftermath
from tests.chaos.clocks import JUMP, Clock, NoClock
from tests.chaos.crowd import Crowd
from tests.chaos.disk import Disk
from tests.chaos.disturbances import Planned, Stage, kinds_for, plan
from tests.chaos.keeper import Keeper, Server
from tests.chaos.mailbox import MoodyMailbox
from tests.chaos.notes import Notes
from tests.chaos.relay import MoodyRelay
from tests.chaos.rest import is_at_rest, is_calm, is_read, spare_the_waiting
from tests.chaos.restoring import Lost, make_backup, restore_backup
from tests.chaos.setups import SET_UPS, Around, Scene, SetUp
from tests.chaos.stranger import Stranger
from tests.chaos.tables import Opener, finished, unfinished
from tests.end_to_end.service import runtime_of
from tests.worker.push_service import PushService
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.operators.backup_contents import BackupError

DATABASE = "database"  # the folder of its backup, beside the log
CLOCKED = "worker"  # the process on a machine whose clock jumps
TICK = 0.1  # seconds
OPENING = 0.75  # the share of a run in which tables are opened: most games end
BACKED_UP, RESTORED = 0.4, 0.5  # shares of a run after which that happens, in a run that restores
LOOK_EVERY = 0.5  # seconds between two looks whether the service is calm
SAY_EVERY = 15.0
MOST_TO_REST = 180.0  # seconds
CHECKS: dict[str, Callable[[Aftermath], Iterator[str]]] = {
    "every game is over, or waits for a person who was asked": waiting.check,
    "the records have no gaps, and the doctor finds nothing": records.check,
    "what was acknowledged is in the records, or was refused by mail": kept.check,
    "who confirmed, dealt, or took a seat has what they asked for": seats.check,
    "the last word of a player wins": last_words.check,
    "every letter that is due was sent, and copies are copies": letters.check,
    "nobody was played for too early, or unasked; each turn was chosen for its decision": turns.check,
    "no question came twice, and each mail names its reader's cards alone": contents.check,
    "what players do besides is kept, and shows nobody what is not theirs to know": besides.check,
}


@dataclass(frozen=True)
class Options:
    """The options of a run; `seconds` is how long things break."""

    seconds: float
    games: int
    seed: int
    without: tuple[str, ...] = ()  # groups of disturbances
    named: tuple[str, ...] = ()  # only these disturbances, if any
    at_once: int = 40
    haste: float = 1
    scenes: tuple[Scene, ...] = ()


@dataclass
class Broken:
    """A disturbance that has taken place, and how many seconds after its end the service was calm, if it ever was."""

    planned: Planned
    began: float
    ended: float | None = None
    calm_after: float | None = None


@dataclass
class Outcome:
    """The result of a run."""

    name: str
    options: Options
    broken: list[Broken]
    violations: dict[str, list[str]]
    left: Aftermath
    keeper: Keeper
    opened: int
    seconds_to_rest: float | None
    log: Path
    said_again: int  # decisions on which a player said one thing after another
    odd: int  # mails of a stranger

    @property
    def count(self) -> int:
        return sum(map(len, self.violations.values()))


class Run:
    """A run in progress, in the thread that has made it."""

    def __init__(self, options: Options, set_up: SetUp, runtime: Runtime, say: Callable[[str], None]) -> None:
        self._options, self._set_up, self._runtime, self._say = options, set_up, runtime, say
        servers: dict[str, Server | None] = {"broker": set_up.valkey, "database": set_up.postgres}
        settings = {CLOCKED: set_up.around.clock.environment} if set_up.around.clock else {}
        self._keeper = Keeper(set_up.service, {name: one for name, one in servers.items() if one}, settings)
        self._notes = Notes()
        luck = random.Random(f"{options.seed} {set_up.name}")
        self._stage = Stage(set_up, runtime, self._keeper, luck)
        kinds = kinds_for(set_up, options.without, options.named)
        self._plan = list(plan(kinds, options.seconds, luck, options.haste))
        self._broken: list[Broken] = []
        self._crowd = Crowd(set_up.around.relay, self._notes, random.Random(f"{options.seed} crowd"))
        self._looked = self._said = self._began = 0.0
        self._backed_up_at: datetime | None = None
        self._lost: Lost | None = None

    @property
    def _now(self) -> float:
        return time.monotonic() - self._began

    def run(self) -> Outcome:
        options = self._options
        opener = Opener(
            *(self._runtime, self._crowd, self._notes, self._set_up),
            *(options.seed, options.games, options.at_once),
        )
        luck = random.Random(f"{options.seed} stranger")
        stranger = Stranger(self._set_up.post, self._set_up.around.relay, luck, self._set_up.addresses)
        if self._set_up.around.clock:  # whose environment the process gets when it is started again
            self._keeper.kill(CLOCKED, 0)
            self._keeper.look()
        self._crowd.start()
        opener.start()
        stranger.start()
        self._set_up.around.relay.wait(0)  # then all processes are at work
        self._began = time.monotonic()
        self._break_things(opener)
        opener.stop()
        stranger.stop()
        self._repair()
        self._let_them_finish()
        self._crowd.stop()
        return self._judge(opener.opened, self._wait_for_rest(), stranger.written)

    def _judge(self, opened: int, seconds_to_rest: float | None, odd: int) -> Outcome:
        """Ends the service and checks what it has left behind."""
        at = datetime.now(UTC)
        stop(self._set_up.service.running)
        left = Aftermath(
            self._set_up.service, self._runtime, self._set_up.around.relay, self._notes, at, self._lost, self._apart
        )
        found = {claim: found_by(check, left) for claim, check in CHECKS.items()}
        found["no player met an error"] = self._notes.unexpected
        if seconds_to_rest is None:
            found["it comes to rest"] = [f"not within {MOST_TO_REST:.0f} seconds"]
        log = self._set_up.service.log
        said = last_words.count(left)  # while the database runs
        if any(found.values()):
            self._keep_database(log.parent / DATABASE)
        return Outcome(
            self._set_up.name,
            self._options,
            self._broken,
            found,
            left,
            self._keeper,
            opened,
            seconds_to_rest,
            log,
            said,
            odd,
        )

    def _keep_database(self, folder: Path) -> None:
        try:
            make_backup(self._runtime, folder)
        except BackupError as error:  # the report must follow
            self._say(f"the database is not kept: {error}")

    def _break_things(self, opener: Opener) -> None:
        waiting = self._plan[::-1]
        while waiting or self._now < self._options.seconds:
            if self._now > self._options.seconds * OPENING:
                opener.stop()
            while waiting and waiting[-1].at <= self._now:
                self._begin(waiting.pop())
            if Scene.RESTORE in self._options.scenes:
                self._lose(opener)
            self._tick()

    def _lose(self, opener: Opener) -> None:
        """Makes a backup at its time, and later restores it, while nothing else is broken."""
        share = self._now / self._options.seconds
        if self._backed_up_at is None and share > BACKED_UP and self._is_whole:
            self._backed_up_at = make_backup(self._runtime, self._backup)
            self._say(f"{self._now:6.1f} s  backed up")
        elif self._backed_up_at and self._lost is None and share > RESTORED:
            while not self._is_whole:
                self._tick()
            with opener.hold:
                self._keeper.stop_processes()
                self._lost = Lost(self._backed_up_at, restore_backup(self._runtime, self._backup))
                self._keeper.start_processes()
            self._crowd.read_again(self._set_up.around.relay.before(self._lost.since))
            self._say(f"{self._now:6.1f} s  restored")

    @property
    def _apart(self) -> timedelta:
        return A_MOMENT + (JUMP if self._set_up.around.clock else timedelta())

    @property
    def _backup(self) -> Path:
        return self._set_up.service.log.parent / "backup"

    @property
    def _is_whole(self) -> bool:
        """Whether nothing is broken."""
        return self._keeper.is_complete and all(one.ended is not None for one in self._broken)

    def _is_over(self) -> bool:
        """Whether all games are over; False if the database is down."""
        with suppress(DatabaseDown):
            return unfinished(self._runtime) == 0
        return False

    def _begin(self, one: Planned) -> None:
        self._say(f"{self._now:6.1f} s  {one.kind.name}, for {one.seconds:.1f} s")
        self._broken.append(Broken(one, self._now))
        one.kind.begin(self._stage, one.seconds)

    def _tick(self) -> None:
        for one in self._broken:
            if one.ended is None and self._now >= one.began + one.planned.seconds:
                one.planned.kind.end(self._stage)
                one.ended = self._now
        self._keeper.look()
        if self._now - self._looked >= LOOK_EVERY:
            self._looked = self._now
            self._note_calm()
            if self._crowd.unread == 0 and self._set_up.around.relay.mood is None:
                self._spare()
        if self._now - self._said >= SAY_EVERY:
            self._said = self._now
            self._say(self._progress())
        time.sleep(TICK)

    def _note_calm(self) -> None:
        restless = [one for one in self._broken if one.ended is not None and one.calm_after is None]
        if restless and self._is_calm():
            for one in restless:
                assert one.ended is not None
                one.calm_after = self._now - one.ended

    def _is_calm(self) -> bool:
        if not self._is_whole:
            return False
        with suppress(DatabaseDown):
            return is_calm(self._runtime) and answers(self._set_up.service.address)
        return False

    def _progress(self) -> str:
        mails = len(self._set_up.around.relay.mails)
        with suppress(DatabaseDown):
            games = f"{finished(self._runtime)} games over, {unfinished(self._runtime)} tables open"
            return f"{self._now:6.1f} s  {games}, {mails} mails, {len(self._notes.deeds)} deeds"
        return f"{self._now:6.1f} s  the database is down, {mails} mails"

    def _repair(self) -> None:
        """Ends what still lasts, and waits until every process runs."""
        for one in self._broken:
            if one.ended is None:
                one.planned.kind.end(self._stage)
                one.ended = self._now
        if self._set_up.around.mailbox:  # it reads on where it was, and so tries again what it had put off
            self._keeper.kill("inbox", 0)
        while not self._keeper.is_complete:
            self._tick()
        self._say(f"{self._now:6.1f} s  everything runs again")

    def _let_them_finish(self) -> None:
        """The players play on until every game is over, for a while."""
        until = self._now + max(4.0, min(60.0, self._options.seconds / 4))
        while self._now < until and not self._is_over():
            self._tick()

    def _wait_for_rest(self) -> float | None:
        """The seconds until no work was left; None if some was after `MOST_TO_REST`."""
        began = self._now
        while self._now < began + MOST_TO_REST:
            self._spare()
            self._tick()
            with suppress(DatabaseDown):
                if is_at_rest(self._runtime) and is_read(self._runtime, self._set_up.around.mailbox):
                    return self._now - began
        return None

    def _spare(self) -> None:
        with suppress(DatabaseDown):
            spare_the_waiting(self._runtime)


def found_by(check: Callable[[Aftermath], Iterator[str]], left: Aftermath) -> list[str]:
    """Returns a check's findings; a game that cannot be loaded may keep it from looking at the rest."""
    found: list[str] = []
    try:
        found.extend(check(left))
    except Exception as error:  # noqa: BLE001  then all that was found must still be reported
        found.append(f"this could not be checked to its end: {type(error).__name__} {error}")
    return found


def run_on(name: str, options: Options, folder: Path, disk: Disk | None, say: Callable[[str], None]) -> Outcome:
    """Runs on the set-up of that name, whose logs go to `folder`."""
    relay = MoodyRelay(random.Random(f"{options.seed} relay"))
    relay.start()
    try:
        with ExitStack() as parts:
            push = parts.enter_context(PushService())
            mailbox = None
            if Scene.MAILBOX in options.scenes:
                mailbox = parts.enter_context(MoodyMailbox(random.Random(f"{options.seed} mailbox")))
            clock = _clock(folder, say) if Scene.CLOCK in options.scenes else None
            around = Around(relay, push, mailbox, disk, clock)
            set_up = parts.enter_context(SET_UPS[name](folder, around, options.scenes))
            runtime = parts.enter_context(runtime_of(set_up.service))
            return Run(options, set_up, runtime, say).run()
    finally:
        relay.stop()


def _clock(folder: Path, say: Callable[[str], None]) -> Clock | None:
    try:
        return Clock(folder)
    except NoClock as error:
        say(f"no clock jumps: {error}")
        return None
