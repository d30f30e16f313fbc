"""A service is lost and restored from a backup made during play; the links of old mails go on working.

The commands are those of docs/operate.md, with another folder. On SQLite: `tests/webapp/operators/test_backup.py`.
"""

import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from sys import executable

import pytest

from scripts.run import answers
from tests.end_to_end.players import HOURS, Inboxes, Player
from tests.end_to_end.service import EVERY_CARD, Rows, Service, change_table, running_service
from tests.servers import POSTGRES_PROGRAMS, ROOT, Mail, MailServer, fresh_database, wait_until
from webapp.core.tokens import SKEW

FOLDER = "/backups/monday"
STEP = re.compile(rf"^ *(hearts-by-mail (backup|restore) {FOLDER})$", re.MULTILINE)
TRIES = 10
NEEDED = {"web", "worker", "scheduler"}  # a restored database is of the newest version, and links need no listener


def type_step(name: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Runs the commands of a step of that page in a shell."""
    steps = {step[2]: step[1] for step in STEP.finditer((ROOT / "docs" / "operate.md").read_text(encoding="utf-8"))}
    path = os.pathsep.join([str(Path(executable).parent), str(POSTGRES_PROGRAMS), environment["PATH"]])
    done = subprocess.run(
        steps[name].replace(FOLDER, str(folder)),
        shell=True,
        cwd=ROOT,
        env={**environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


def stored_rows(url: str) -> Rows:
    """Every row of a database that no process uses."""
    return Service("", url, Path(), {}, {}).rows()


def turns(service: Service) -> int:
    return service.count("turn")


@contextmanager
def somebody_playing(service: Service, mail_server: MailServer) -> Iterator[None]:
    """Plays with robots in a thread, turn by turn."""
    ann = Player("Ann-alone")
    first, done = len(mail_server.mails), threading.Event()

    def play() -> None:
        read = first
        while not done.wait(0.05):
            for mail in mail_server.mails[read:]:
                read += 1
                if mail.to == ann.address:
                    ann.read(mail)

    ann.open_table(service.address, [], 3, preset="classic", target="500", pass_time=HOURS, play_time=HOURS)
    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        ann.browser.close()


def back_up_while_turns_are_written(service: Service, folder: Path) -> Path:
    """Backs up until turns have been written meanwhile, and one more after that. Returns the folder."""
    for number in range(TRIES):
        before = turns(service)
        type_step("backup", folder / f"monday-{number}", service.environment)
        during = turns(service)
        wait_until("another turn", lambda turns_then=during: turns(service) > turns_then)
        if during > before:
            return folder / f"monday-{number}"
    raise AssertionError("nothing was written while a backup was made")


def asks_for_a_card(mail: Mail, table: str) -> bool:
    """Whether the mail asks for a card at the table, perhaps with what is asked at others."""
    return "/turn/" in mail.text and "trick" in mail.text.lower() and table in mail.subject


def table_of(mail: Mail) -> str:
    """The name of the table that an email is about."""
    found = re.search(r"\w+'s table", mail.subject)
    assert found, mail.subject
    return found[0]


@pytest.fixture
def players() -> Iterator[list[Player]]:
    cast = [Player("Ann"), Player("Bo")]
    yield cast
    for player in cast:
        player.browser.close()


def ask_to_pass(service: Service, mail_server: MailServer, players: list[Player]) -> dict[str, Mail]:
    """Players sit down at a table with robots. Returns the mail to each that asks for cards to pass, by address."""
    (host, *guests), inboxes = players, Inboxes(mail_server)
    host.open_table(service.address, guests, 2, preset="classic", target="50", pass_time=HOURS, play_time=HOURS)
    change_table(service, **EVERY_CARD)
    host.read(inboxes.next())
    for mail in [inboxes.next() for _ in guests]:
        next(player for player in guests if player.address == mail.to).read(mail)
    return {mail.to: mail for mail in [inboxes.next() for _ in players]}


@contextmanager
def lost(service: Service) -> Iterator[None]:
    """Meanwhile nobody answers at the address of a service, which goes on for later tests."""
    service.kill("web")
    try:
        yield
    finally:
        service.start_again("web")
        wait_until("the pages are back", lambda: answers(service.address))


def test_a_lost_service_is_restored_and_its_old_links_work(
    postgres_service: Service, mail_server: MailServer, players: list[Player], tmp_path: Path, postgres: str
) -> None:
    questions = ask_to_pass(postgres_service, mail_server, players)
    time.sleep(SKEW.total_seconds() + 1)  # what was signed just before a backup counts as lost
    with somebody_playing(postgres_service, mail_server):
        backup = back_up_while_turns_are_written(postgres_service, tmp_path / "backups")
    last = postgres_service.rows_at_rest()
    with fresh_database(postgres) as url, lost(postgres_service):
        settings = {"DATABASE_URL": url, "DATA_DIR": str(tmp_path / "restored" / "var"), "BROKER_URL": ""}
        (tmp_path / "restored").mkdir()
        type_step("restore", backup, {**postgres_service.environment, **settings})
        found = stored_rows(url)
        assert len(found["player"]) == len(last["player"])
        assert 0 < len(found["turn"]) < len(last["turn"]), "turns after the backup are lost"

        kept = {
            name: postgres_service.environment[name]
            for name in ("SMTP_URL", "SECRET_KEYS", "PORT", "SHORTEST_PACE_SECONDS")
        }
        before = len(mail_server.mails)
        with running_service(tmp_path / "restored", only=NEEDED, **settings, **kept) as restored:
            for player in players:
                player.read(questions[player.address])
            assert [player.answered[-1] for player in players] == ["pass"] * 2
            table = table_of(questions[players[0].address])
            wait_until(
                "the next question", lambda: any(asks_for_a_card(mail, table) for mail in mail_server.mails[before:])
            )
            restored.check()
