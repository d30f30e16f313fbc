"""A worker that dies or freezes keeps nobody waiting: what it had in hand is somebody else's within seconds."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from redis import Redis

from hearts.robot import Level
from scripts.run import read_procfile, start, stop
from tests.cast import letters, load, play_first, start_game
from tests.end_to_end.service import Service, parts_of, running_service
from tests.servers import fresh_database, wait_until
from tests.worker.scripted import SILENCE, ScriptedRelay
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, TurnSource

TEN_MINUTES = timedelta(minutes=10)
LIVE = timedelta(seconds=7)
GAMES = 13  # of four players each, so that there are more questions than a batch holds
WITHIN = 120  # seconds, of which a lease is the most, and a worker that starts on a busy machine the rest
HANGS = {"RCPT": [SILENCE] * 20}


@pytest.fixture
def relay() -> Iterator[ScriptedRelay]:
    with ScriptedRelay() as scripted:
        yield scripted


@pytest.fixture(params=["SQLite and files", "PostgreSQL and Valkey"])
def service(request: pytest.FixtureRequest, tmp_path: Path, relay: ScriptedRelay) -> Iterator[Service]:
    settings = {"SMTP_URL": relay.url}
    with ExitStack() as stack:
        if request.param != "SQLite and files":
            settings["DATABASE_URL"] = stack.enter_context(fresh_database(request.getfixturevalue("postgres")))
            settings["BROKER_URL"] = request.getfixturevalue("valkey")
        yield stack.enter_context(running_service(tmp_path, **settings))


@pytest.fixture
def runtime(service: Service) -> Iterator[Runtime]:
    with parts_of(service) as made:
        yield made


def ask_many(runtime: Runtime) -> None:
    """Questions to as many players as a batch has letters, and two more; nothing else is owed."""
    for number in range(GAMES):
        start_game(runtime, tuple(f"{name}{number}" for name in ("Ann", "Bo", "Cy", "Di")), pace=TEN_MINUTES)
    with runtime.database.writing() as session:
        for letter in letters(runtime):
            if letter.kind is not LetterKind.PASS:
                session.merge(letter).state = LetterState.SUPERSEDED


def questions(runtime: Runtime) -> list[LetterRow]:
    return letters(runtime, LetterKind.PASS)


def claimed(runtime: Runtime) -> list[LetterRow]:
    now = runtime.now()
    return [one for one in questions(runtime) if one.state is LetterState.QUEUED and one.next_at and one.next_at > now]


def all_are_sent(runtime: Runtime) -> bool:
    return {letter.state for letter in questions(runtime)} == {LetterState.SENT}


def copies(relay: ScriptedRelay) -> Counter[str]:
    """How often each mail was handed over as a whole."""
    return Counter(message_from_bytes(mail)["Message-ID"] for mail in relay.kept)


def played_for(runtime: Runtime) -> list[TurnSource]:
    ways = [record.way for game_id in range(1, GAMES + 1) for record in load(runtime, game_id).records]
    return [way for way in ways if way is TurnSource.TIMEOUT]


def test_the_letters_of_a_killed_worker_go_out_long_before_the_deadline(
    service: Service, runtime: Runtime, relay: ScriptedRelay
) -> None:
    service.kill("worker")
    ask_many(runtime)
    relay.script = {name: list(steps) for name, steps in HANGS.items()}
    service.start_again("worker")
    wait_until("a worker holds a whole batch", lambda: len(claimed(runtime)) >= 50)
    service.kill("worker")
    relay.script = {}
    service.start_again("worker")
    wait_until("every question went out", lambda: all_are_sent(runtime), WITHIN)
    assert set(copies(relay).values()) == {1}
    assert len(copies(relay)) == 4 * GAMES
    assert played_for(runtime) == []
    service.check()


@pytest.mark.parametrize("service", ["PostgreSQL and Valkey"], indirect=True)
def test_a_frozen_worker_sends_nothing_that_another_has_taken_meanwhile(
    service: Service, runtime: Runtime, relay: ScriptedRelay, tmp_path: Path
) -> None:
    service.kill("worker")
    ask_many(runtime)
    relay.script = {name: list(steps) for name, steps in HANGS.items()}
    service.start_again("worker")
    wait_until("a worker holds a whole batch", lambda: len(claimed(runtime)) >= 50)
    frozen = service.running["worker"].pid
    os.killpg(frozen, signal.SIGSTOP)
    relay.script = {}
    with (tmp_path / "other.log").open("wb") as log:
        other = start({"worker": read_procfile()["worker"]}, service.environment, log)
        try:
            wait_until("another worker sends", lambda: len(relay.kept) > 0, WITHIN)
            os.killpg(frozen, signal.SIGCONT)
            wait_until("every question went out", lambda: all_are_sent(runtime), WITHIN)
        finally:
            os.killpg(frozen, signal.SIGCONT)
            stop(other)
    assert set(copies(relay).values()) == {1}
    assert {letter.tries for letter in questions(runtime)} == {1}


def test_a_live_table_goes_on_soon_after_its_worker_was_killed_while_a_robot_thought(
    service: Service, runtime: Runtime
) -> None:
    game_id = start_game(runtime, ("Ann",), robots=3, pace=LIVE)
    with runtime.database.writing() as session:
        session.merge(load(runtime, game_id).table).robots = Level.STRONG
    wait_until("only Ann is to pass", lambda: load(runtime, game_id).game.to_act == (0,))
    service.rows_at_rest()  # a worker that is frozen in a transaction would keep us from playing
    os.killpg(service.running["worker"].pid, signal.SIGSTOP)
    while load(runtime, game_id).game.to_act == (0,):
        play_first(runtime, game_id)
    turns = load(runtime, game_id).row.turns
    wait_until("a scheduler has claimed the game", lambda: is_claimed(runtime, game_id))
    service.kill("worker")
    forget_rings(runtime)
    service.start_again("worker")
    wait_until("a robot has played", lambda: load(runtime, game_id).row.turns > turns, 30)


def is_claimed(runtime: Runtime, game_id: int) -> bool:
    wake_at = load(runtime, game_id).row.wake_at
    return wake_at is not None and wake_at > runtime.now()


def forget_rings(runtime: Runtime) -> None:
    """As if the dead worker had taken every ring from the broker."""
    if runtime.settings.broker_url:
        with Redis.from_url(runtime.settings.broker) as redis:
            redis.flushdb()
    for file in (runtime.settings.data_dir / "broker" / "queue").glob("*.msg"):
        file.unlink(missing_ok=True)
