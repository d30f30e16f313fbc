"""Measures how many mails per second one worker composes and delivers, and where the time goes: python -m bench.mail

The worker claims turn mails from a SQLite database in batches and sends them over one connection to a server process
that discards them; first unsigned, then signed with an RSA key of 2048 bits, with an Ed25519 key, and with both. A
distant relay would answer more slowly.
"""

import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from bench.printing import say
from tests.cast import letters, load, make_runtime, start_game
from tests.keys import new_ed25519_key, new_key
from tests.servers import ROOT, free_port, wait_until
from webapp import service
from webapp.core.runtime import Runtime
from webapp.core.smtp_connection import connect
from webapp.games.due import due_of
from webapp.models import LetterKind, LetterRow, LetterState, TurnSource
from webapp.outbox import leases
from webapp.robots.thinking import by_rule
from worker import attempts, mail, postman, sending
from worker.relay import Relay

GAMES, COPIES = 6, 25  # the number of games, and of mails about each
STEPS = {
    "claim the letters": (leases, "claim"),
    "load the game, make the view": (mail, "letter_context"),
    "render text and HTML": (mail, "_rendered"),
    "the headers": (mail, "set_headers"),
    "text and HTML into a message": (mail, "set_texts"),
    "the message as text": (EmailMessage, "as_string"),
    "sign": (sending, "signed"),
    "SMTP": (Relay, "send"),
    "note the outcome": (attempts, "note_sent"),
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, sink() as url:
        runtime = make_runtime(Path(folder), smtp_url=url, mails_a_day=100_000)
        games = [with_a_turn(runtime) for _ in range(GAMES)]
        queue_copies(runtime, games[:1], "the first, which find everything cold")
        postman.deliver(runtime)
        rsa, ed25519 = keys_in(Path(folder))
        for label, keys in (
            ("as they are", ()),
            ("signed by RSA", (rsa,)),
            ("signed by Ed25519", (ed25519,)),
            ("signed by both", (rsa, ed25519)),
        ):
            settings = {"dkim_key": ",".join(keys), "dkim_selector": ",".join(("hearts", "fast")[: len(keys)])}
            there = Runtime(runtime.settings.model_copy(update=settings), runtime.now)
            queue_copies(there, games, label)
            report(label, *measure(there))
            there.database.engine.dispose()
        runtime.database.engine.dispose()
    return 0


@contextmanager
def sink() -> Iterator[str]:
    """A mail server process that discards everything; yields its URL."""
    port = free_port()
    command = ["-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", "-c", "bench.sink.PipeliningSink"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([sys.executable, *command], cwd=ROOT, **quiet)
    try:
        wait_until("a mail server that listens", lambda: is_up(f"smtp://127.0.0.1:{port}"))
        yield f"smtp://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def is_up(url: str) -> bool:
    try:
        connect(url, 1).quit()
    except OSError:
        return False
    return True


def keys_in(folder: Path) -> list[str]:
    """Makes an RSA and an Ed25519 key; returns their files."""
    files = [folder / "rsa.pem", folder / "ed25519.pem"]
    new_key(files[0], 2048)
    new_ed25519_key(files[1])
    return [str(file) for file in files]


def with_a_turn(runtime: Runtime) -> int:
    """A game of four in which somebody has to play after a few tricks; its other mails are dropped."""
    game_id = start_game(runtime)
    for _ in range(4 + 13):
        game = load(runtime, game_id).game
        seat = game.to_act[0]
        due = due_of(game, seat)
        assert due is not None
        service.take_turn(runtime, game_id, due, by_rule(game, seat), TurnSource.LINK, runtime.now())
    with runtime.database.writing() as session:
        for letter in letters(runtime):
            session.merge(letter).state = LetterState.SUPERSEDED
    return game_id


def queue_copies(runtime: Runtime, games: list[int], label: str) -> None:
    """Queues the newest question of each game `COPIES` times."""
    with runtime.database.writing() as session:
        for game_id in games:
            question = [row for row in letters(runtime, LetterKind.TURN) if row.game_id == game_id and not row.tries][
                -1
            ]
            fresh = {"id", "state", "created_at", "next_at", "message", "subject", "dedupe", "message_id", "requested"}
            about = question.model_dump(exclude=fresh)
            for number in range(COPIES):
                name = f"{label} {game_id} {number}"
                mail_id = f"<{name.replace(' ', '.')}@hearts.localhost>"
                now = runtime.now()  # none of them is late
                copy = LetterRow(**about, dedupe=name, message_id=mail_id, created_at=now, next_at=now)
                copy.requested = True  # else all questions to one player would make one mail
                session.add(copy)


def measure(runtime: Runtime) -> tuple[int, float, float, dict[str, float]]:
    """The number of mails sent, the seconds that took, the processor's seconds, and the seconds of each step."""
    spent: dict[str, float] = defaultdict(float)
    before = sent_letters(runtime)
    with timed(spent):
        begun, busy = time.perf_counter(), time.process_time()
        postman.deliver(runtime)
        seconds, busy = time.perf_counter() - begun, time.process_time() - busy
    return sent_letters(runtime) - before, seconds, busy, spent


def sent_letters(runtime: Runtime) -> int:
    return sum(letter.state is LetterState.SENT for letter in letters(runtime))


@contextmanager
def timed(spent: dict[str, float]) -> Iterator[None]:
    """Within the block, adds up the seconds of each step in `spent`."""
    before = {name: getattr(where, function) for name, (where, function) in STEPS.items()}
    inliner = mail._inliner()
    for name, (where, function) in STEPS.items():
        setattr(where, function, clocked(before[name], name, spent))
    mail._inliner = lambda: SimpleNamespace(inline=clocked(inliner.inline, "inline the styles", spent))  # type: ignore[assignment]
    try:
        yield
    finally:
        for name, (where, function) in STEPS.items():
            setattr(where, function, before[name])
        mail._inliner = lambda: inliner  # type: ignore[assignment]


def clocked(function: Callable[..., Any], name: str, spent: dict[str, float]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        begun = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            spent[name] += time.perf_counter() - begun

    return run


def report(label: str, sent: int, seconds: float, busy: float, spent: dict[str, float]) -> None:
    say(f"{sent} turn emails {label} in {seconds:.1f} s: {sent / seconds:.0f} a second by one worker, ", end="")
    say(f"{1000 * busy / sent:.0f} ms of the processor each")
    spent = {**spent, "transactions, and the rest": seconds - sum(spent.values())}
    for name, took in spent.items():
        say(f"  {name:<32}{1000 * took / sent:7.2f} ms  {100 * took / seconds:4.0f} %")


if __name__ == "__main__":
    sys.exit(main())
