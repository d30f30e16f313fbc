"""The tables of a run: what is played there, and by whom, is decided by the run's seed and the table's number."""

import random
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Lock, Thread

from sqlmodel import col, func, select

from hearts.deal import hands_at_once
from hearts.robot import Level
from hearts.rules import preset_rules
from tests.chaos.crowd import Crowd
from tests.chaos.doings import Habit
from tests.chaos.notes import Notes
from tests.chaos.players import Person, person
from tests.chaos.setups import Scene, SetUp
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.forms.opening import LINK_SEAT, ROBOT_NAMES, NewSeat, NewTable
from webapp.models import GameRow, GameState, TableRow, TableState
from webapp.tables import seating

CAST = ("Ann", "Bo", "Cy", "Di")
PEOPLE = (1, 2, 2, 3, 4)  # at a table; robots have the other seats
SLOW = timedelta(hours=6)  # to answer
QUICK = timedelta(seconds=45)  # some deadlines are missed
WRITERS = 0.5  # the share of players who reply to their mails; the others use links
QUICK_SHARE, SIDE_BY_SIDE = 0.2, 0.2  # of the tables
ENDING = 0.3  # of the tables: the host proposes to end the game
BY_LINK = 0.9  # of the tables of several people: the host sends a link by messenger
VACATION_DAYS = 3
FRIEND = "Eve"  # of each: plays for them while they are away; and of the table: gets seats that the host gives away
TARGET = 10  # points, which somebody has after a hand or two
OPEN_EVERY = 0.5  # seconds


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table that its host opens in the run, and who gets its mails: host, guests, a newcomer, their friends."""

    table: NewTable
    players: list[Person]


def planned_table(seed: int, number: int, notes: Notes, set_up: SetUp) -> PlannedTable:
    """The table of that number in the run of that seed."""
    has_pages = Scene.NO_PAGES not in set_up.scenes
    luck = random.Random(f"{seed} table {number}")
    names = [f"{name}-{number}" for name in CAST[: luck.choice(PEOPLE)]]
    newcomer = f"{FRIEND}-{number}"
    seated = (*names, newcomer)
    friends = [f"{FRIEND}-{name}" for name in seated]
    pace = QUICK if luck.random() < QUICK_SHARE else SLOW
    by_link = has_pages and len(names) > 1 and luck.random() < BY_LINK
    chosen = {Habit.LINKS: by_link, Habit.ENDINGS: luck.random() < ENDING}
    has = {habit for habit, is_so in chosen.items() if is_so}
    players = [
        person(
            *(
                name,
                notes,
                set_up.post,
                set_up.around.push,
                random.Random(f"{seed} {name}"),
                friend,
                newcomer,
                names,
                has,
            ),
            writes=luck.random() < WRITERS,
            has_pages=has_pages,
        )
        for name, friend in zip((*seated, *friends), (*friends, *seated), strict=True)
    ]
    robots = [NewSeat(name, None) for name in ROBOT_NAMES[: len(CAST) - len(names)]]
    guests = [LINK_SEAT if by_link else NewSeat(player.name, player.address) for player in players[1 : len(names)]]
    if by_link:
        players[0].doings.guests.extend(player.doings for player in players[1 : len(names)])
    rules = preset_rules("classic", target=TARGET)
    table = NewTable(
        players[0].name,
        players[0].address,
        "UTC",
        (*guests, *robots),
        rules,
        pace,
        pace,
        Level.RULE,
        at_once=luck.choice(hands_at_once(rules)) if has_pages and luck.random() < SIDE_BY_SIDE else 1,
        vacation_days=VACATION_DAYS,
    )
    return PlannedTable(table, players)


class Opener(Thread):
    """Opens one table after another, so that `at_once` tables are playing, until there were `most` or it stops."""

    def __init__(
        self,
        runtime: Runtime,
        crowd: Crowd,
        notes: Notes,
        set_up: SetUp,
        seed: int,
        most: int,
        at_once: int,
    ) -> None:
        super().__init__(daemon=True)
        self._runtime, self._crowd, self._notes, self._set_up = runtime, crowd, notes, set_up
        self._seed, self._most, self._at_once = seed, most, at_once
        self._over = Event()
        self.hold = Lock()  # no table is opened while somebody else has it
        self.opened = 0

    def stop(self) -> None:
        self._over.set()
        self.join()

    def run(self) -> None:
        while self.opened < self._most and not self._over.wait(OPEN_EVERY):
            try:
                with self.hold:
                    self._fill()
            except (DatabaseDown, OSError):  # its disk may be full
                continue

    def _fill(self) -> None:
        free = self._at_once - unfinished(self._runtime)
        for _ in range(min(free, self._most - self.opened)):
            self._open(planned_table(self._seed, self.opened, self._notes, self._set_up))

    def _open(self, one: PlannedTable) -> None:
        self._crowd.join(one.players, forgetful=one.table.play_time == QUICK)  # before there is a mail to them
        seating.open_table(self._runtime, one.table, self._runtime.now())
        self.opened += 1
        self._runtime.bell.deliver()


def unfinished(runtime: Runtime) -> int:
    """How many tables are not over."""
    with runtime.database.reading() as session:
        return session.exec(select(func.count()).where(TableRow.state != TableState.OVER)).one()


def finished(runtime: Runtime) -> int:
    """How many games are over."""
    with runtime.database.reading() as session:
        return session.exec(select(func.count(col(GameRow.id))).where(GameRow.state == GameState.OVER)).one()
