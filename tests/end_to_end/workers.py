"""Workers that are killed or stopped while they hold letters or games, and what becomes of those."""

import os
import signal
from collections import Counter
from datetime import timedelta
from email import message_from_bytes

from redis import Redis

from hearts.robot import Level
from hearts.rules import preset_rules
from tests.cast import letters, load, play_first, start_game
from tests.end_to_end.service import Service
from tests.servers import wait_until
from tests.worker.scripted import SILENCE, ScriptedRelay
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow, LetterState, TurnSource

TWO_PACKS = preset_rules("cancellation", players=11)
TEN_MINUTES = timedelta(minutes=10)
LIVE = timedelta(seconds=7)
TABLE = tuple(f"{name}{number}" for name in ("Ann", "Bo", "Cy", "Di") for number in (1, 2, 3))[:11]
GAMES = 5  # of eleven players each, so that there are more questions than a batch holds
WITHIN = 120  # seconds, of which a lease is the most, and a worker that starts on a busy machine the rest
HANGS = {"RCPT": [SILENCE] * 20}


def ask_many(runtime: Runtime) -> None:
    """Questions to as many players as a batch has letters, and a few more; nothing else is queued."""
    for number in range(GAMES):
        start_game(runtime, tuple(f"{name}-{number}" for name in TABLE), rules=TWO_PACKS, pace=TEN_MINUTES)
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
    """How often each mail was handed over completely."""
    return Counter(message_from_bytes(mail)["Message-ID"] for mail in relay.kept)


def hang_with_a_batch(service: Service, runtime: Runtime, relay: ScriptedRelay) -> None:
    """Waits until a worker has claimed a whole batch and hangs at the first letter, as the relay is silent."""
    service.kill("worker")
    ask_many(runtime)
    relay.script = {name: list(steps) for name, steps in HANGS.items()}
    service.start_again("worker")
    wait_until("a worker holds a whole batch", lambda: len(claimed(runtime)) >= 50)


def played_for(runtime: Runtime) -> list[TurnSource]:
    ways = [record.source for game_id in range(1, GAMES + 1) for record in load(runtime, game_id).records]
    return [way for way in ways if way is TurnSource.TIMEOUT]


def check_live_table_goes_on(service: Service, runtime: Runtime) -> None:
    """Kills a worker while a robot thinks, and checks that another one soon plays for the robot."""
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
    drop_rings(runtime)
    service.start_again("worker")
    wait_until("a robot has played", lambda: load(runtime, game_id).row.turns > turns, 60)


def is_claimed(runtime: Runtime, game_id: int) -> bool:
    wake_at = load(runtime, game_id).row.wake_at
    return wake_at is not None and wake_at > runtime.now()


def drop_rings(runtime: Runtime) -> None:
    """Empties the broker, as if the dead worker had taken every ring."""
    if runtime.settings.broker_url:
        with Redis.from_url(runtime.settings.broker) as redis:
            redis.flushdb()
    for file in (runtime.settings.data_dir / "broker" / "queue").glob("*.msg"):
        file.unlink(missing_ok=True)
