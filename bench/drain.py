"""How fast a worker drains turns that are due all at once, and how long a mail waits meanwhile: python -m bench.drain

Starts the scheduler and the worker of the Procfile on embedded defaults, or on DATABASE_URL and BROKER_URL where they
are set, in a folder of their own. Every game waits for one player who is late and three robots to pass.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from sqlmodel import col, func, insert, select

from hearts.deal import deal
from hearts.robot import Level
from hearts.rules import preset_rules, rules_mapping
from hearts.seats import Seat
from hearts.turns import turn_mapping
from webapp import letters, migrations
from webapp.config import read_settings
from webapp.models import (
    GameRow,
    GameState,
    LetterRow,
    LetterState,
    PlayerRow,
    SeatRow,
    SeatState,
    TableRow,
    TableState,
    TurnRow,
    Way,
)
from webapp.parts import Parts

TURNS = 10_000
PASSES = 4  # in each game
LONGEST = 1200.0  # seconds


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        parts = Parts.made_for(read_settings())
        migrations.upgrade(parts.settings.database)
        fill(parts, TURNS // PASSES)
        log = (Path(folder) / "log").open("wb")
        commands = ("-m celery --quiet -A worker.app worker -P threads -c 4", "-m worker.scheduler")
        workers = [subprocess.Popen([sys.executable, *command.split()], stdout=log, stderr=log) for command in commands]
        try:
            measure(parts)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.wait()
            log.close()
    return 0


def fill(parts: Parts, games: int) -> None:
    """So many games in which Ann is late to pass, and three robots wait for their turn."""
    now = parts.now()
    rules = preset_rules("classic")
    cards = turn_mapping(deal(rules, Seat(0), random.Random(1)))
    with parts.database.writing() as rows:
        ann = PlayerRow(address="ann@example.org", name="Ann", created_at=now)
        rows.add(ann)
        rows.flush()
        numbers = range(1, games + 1)
        about = {"host_id": ann.id, "rules": rules_mapping(rules), "pass_seconds": 86400, "play_seconds": 86400}
        about |= {"robots": Level.STRONG, "state": TableState.PLAYING, "created_at": now}
        rows.exec(insert(TableRow), params=[{"id": n, "code": f"{n:05}", **about} for n in numbers])
        people = [("Ann", ann.id, SeatState.HOST), *((name, None, SeatState.ROBOT) for name in ("Pip", "Ruby", "Jack"))]
        chairs = [
            {"table_id": n, "seat": seat, "name": name, "player_id": player, "state": state}
            for n in numbers
            for seat, (name, player, state) in enumerate(people)
        ]
        rows.exec(insert(SeatRow), params=chairs)
        late = {"due_at": now - timedelta(hours=1), "wake_at": now, "started_at": now, "number": 1, "turns": 1}
        rows.exec(
            insert(GameRow), params=[{"id": n, "table_id": n, "state": GameState.PLAYING, **late} for n in numbers]
        )
        dealt = {"number": 1, "turn": cards, "way": Way.FORCED, "at": now}
        rows.exec(insert(TurnRow), params=[{"game_id": n, **dealt} for n in numbers])


def measure(parts: Parts) -> None:
    """Watches until nobody is late; every second somebody asks to sign in, and waits for her mail."""
    begun = time.monotonic()
    while chosen(parts) == 0:
        time.sleep(0.05)
    first = time.monotonic()
    while (done := chosen(parts)) < TURNS and time.monotonic() - begun < LONGEST:
        with parts.database.writing() as rows:
            letters.owe_sign_in(rows, parts, rows.exec(select(PlayerRow)).one(), parts.now())
        parts.bell.deliver()
        time.sleep(1)
    seconds = time.monotonic() - first
    waited = sorted(waits(parts))
    say(f"{done} turns of robots and of the late in {seconds:.0f} s: {done / seconds:.0f} a second")
    say(f"the first {first - begun:.1f} s after the start of worker and scheduler")
    say(f"{len(waited)} sign-in mails meanwhile: the median waited {waited[len(waited) // 2]:.2f} s, ", end="")
    say(f"the slowest {waited[-1]:.2f} s")
    with parts.database.reading() as rows:
        other = rows.exec(select(func.count()).select_from(LetterRow).where(LetterRow.state == LetterState.KEPT)).one()
    say(f"{other} mails were written in that time")


def chosen(parts: Parts) -> int:
    ways = col(TurnRow.way).in_([Way.ROBOT, Way.TIMEOUT])
    with parts.database.reading() as rows:
        return rows.exec(select(func.count()).select_from(TurnRow).where(ways)).one()


def waits(parts: Parts) -> list[float]:
    """For each sign-in mail, seconds from the moment when it was owed until it was written."""
    with parts.database.reading() as rows:
        sent = rows.exec(select(LetterRow).where(LetterRow.kind == "sign_in", LetterRow.state == LetterState.KEPT))
        return [(letter.sent_at - letter.created_at).total_seconds() for letter in sent if letter.sent_at]


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
