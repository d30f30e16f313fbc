"""Disturbances: kinds of breakage, and a plan of what breaks when, and for how long, that follows from a seed."""

import random
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from redis import RedisError

from tests.chaos.clocks import JUMP, Clock
from tests.chaos.keeper import PROCESSES, Keeper
from tests.chaos.mailbox import MailboxMood, MoodyMailbox
from tests.chaos.relay import Mood
from tests.chaos.setups import SetUp
from tests.end_to_end.workers import drop_rings
from webapp.core.runtime import Runtime

GROUPS = ("processes", "broker", "database", "relay", "mailbox", "disk", "clock")
FIRST, GAP, OVERLAPS = 3.0, (3.0, 9.0), 0.25  # seconds before the first, and between two; the share that overlaps
LONG_HANG = (21.0, 30.0)  # longer than a worker waits for the relay, or for the broker


@dataclass
class Stage:
    """The set-up, runtime and keeper that disturbances act on. `luck` is that of the run's seed."""

    set_up: SetUp
    runtime: Runtime
    keeper: Keeper
    luck: random.Random


def _nothing(_: Stage) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of disturbance. It lasts between the two numbers of `seconds`; the start gets how long it will last."""

    name: str
    group: str
    begin: Callable[[Stage, float], object]
    end: Callable[[Stage], object] = _nothing
    seconds: tuple[float, float] = (0.5, 5.0)


@dataclass(frozen=True, slots=True, order=True)
class Planned:
    """A disturbance that begins `at` seconds after the start."""

    at: float
    seconds: float
    kind: Kind = field(compare=False)

    @property
    def ends_at(self) -> float:
        return self.at + self.seconds


def kinds_for(set_up: SetUp, without: Collection[str] = (), named: Collection[str] = ()) -> list[Kind]:
    """Returns the kinds that can break a set-up, but for the groups `without`; if some are `named`, only those."""
    kinds = [*_of_processes(), Kind("broker emptied", "broker", _empty)]
    if valkey := set_up.valkey:
        kinds.append(Kind("broker killed", "broker", _kill("broker"), seconds=(1, 8)))
        kinds.append(Kind("broker hangs", "broker", lambda *_: valkey.freeze(), lambda _: valkey.thaw(), LONG_HANG))
    if set_up.postgres:
        kinds.append(Kind("database killed", "database", _kill("database"), seconds=(1, 8)))
    kinds += [
        Kind(mood, "relay", partial(_set_mood, mood), partial(_lift_mood, mood), _seconds_of(mood)) for mood in Mood
    ]
    if mailbox := set_up.around.mailbox:
        kinds += [_of_mailbox(mailbox, mood) for mood in MailboxMood]
    if disk := set_up.around.disk:
        kinds.append(Kind("disk full", "disk", lambda *_: disk.fill(), lambda _: disk.free(), (2, 10)))
    if clock := set_up.around.clock:
        kinds.append(_of_clock("a worker's clock is ahead", clock, JUMP))
        kinds.append(_of_clock("a worker's clock is behind", clock, -JUMP))
    return [kind for kind in kinds if kind.group not in without and (kind.name in named or not named)]


def plan(kinds: list[Kind], seconds: float, luck: random.Random, haste: float = 1) -> Iterator[Planned]:
    """Disturbances, all of which end within `seconds`: each kind once, then each once more, and so on.

    `haste` makes them shorter, and the pauses between them.
    """
    at = FIRST / haste
    while kinds:
        for kind in luck.sample(kinds, len(kinds)):
            one = Planned(at, luck.uniform(*kind.seconds) / haste, kind)
            if one.ends_at > seconds:
                return
            yield one
            at += luck.uniform(*GAP) / haste + (0 if luck.random() < OVERLAPS else one.seconds)


def _of_processes() -> list[Kind]:
    kinds = [Kind(f"{name} killed", "processes", _kill(name)) for name in PROCESSES]
    return [*kinds, Kind("all processes killed", "processes", _kill(*PROCESSES))]


def _kill(*names: str) -> Callable[[Stage, float], None]:
    def kill(stage: Stage, seconds: float) -> None:
        for name in names:
            stage.keeper.kill(name, seconds)

    return kill


def _empty(stage: Stage, _: float) -> None:
    with suppress(RedisError):  # of one that is down or hangs
        drop_rings(stage.runtime)


def _of_mailbox(mailbox: MoodyMailbox, mood: MailboxMood) -> Kind:
    def begin(*_: object) -> None:
        mailbox.mood = mood
        if mood is MailboxMood.RENUMBERS:
            mailbox.renumber()

    def end(_: Stage) -> None:
        if mailbox.mood is mood:
            mailbox.mood = None

    return Kind(mood, "mailbox", begin, end, LONG_HANG if mood is MailboxMood.HANGS else (2.0, 8.0))


def _of_clock(name: str, clock: Clock, ahead: timedelta) -> Kind:
    return Kind(name, "clock", lambda *_: clock.set(ahead), lambda _: clock.set(timedelta()), (5.0, 15.0))


def _seconds_of(mood: Mood) -> tuple[float, float]:
    return LONG_HANG if mood is Mood.HANGS else (2.0, 8.0)


def _set_mood(mood: Mood, stage: Stage, _: float) -> None:
    stage.set_up.around.relay.mood = mood


def _lift_mood(mood: Mood, stage: Stage) -> None:
    if stage.set_up.around.relay.mood is mood:
        stage.set_up.around.relay.mood = None
