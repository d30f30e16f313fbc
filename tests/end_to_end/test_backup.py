"""A service is lost, restored from a backup that was made while people played, and played on by the links of old mails.

What is typed is what stands in the README, with another folder.
"""

import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from sys import executable

import pytest

from tests.end_to_end.players import Inboxes, Player
from tests.end_to_end.service import Rows, Service, running_service
from tests.end_to_end.test_by_mail import A_DAY
from tests.servers import POSTGRES_PROGRAMS, ROOT, Mail, MailServer, fresh_database, wait_until

FOLDER = "/backups/monday"
STEP = re.compile(rf"^ *(flask --app webapp (backup|restore) {FOLDER})$", re.MULTILINE)
TRIES = 10
NewDatabase = Callable[[], Mapping[str, str]]


@pytest.fixture(params=["SQLite and files", "PostgreSQL and Valkey"])
def new_database(request: pytest.FixtureRequest) -> Iterator[NewDatabase]:
    """Makes an empty database. Returns the settings that name it, and the broker beside it."""
    with ExitStack() as stack:

        def make() -> Mapping[str, str]:
            if request.param == "SQLite and files":
                return {}
            url = stack.enter_context(fresh_database(request.getfixturevalue("postgres")))
            return {"DATABASE_URL": url, "BROKER_URL": request.getfixturevalue("valkey")}

        yield make


def type_step(name: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Does what the README says to type, in a shell."""
    steps = {step[2]: step[1] for step in STEP.finditer((ROOT / "README.md").read_text(encoding="utf-8"))}
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
    return len(service.rows()["turn"])


@contextmanager
def somebody_playing(service: Service, mail_server: MailServer) -> Iterator[None]:
    """Somebody plays with robots in a thread, turn by turn."""
    ann = Player("Ann-with-robots")
    first, done = len(mail_server.mails), threading.Event()

    def play() -> None:
        read = first
        while not done.wait(0.05):
            for mail in mail_server.mails[read:]:
                read += 1
                if mail.to == ann.address:
                    ann.read(mail)

    ann.open_table(service.address, [], 3, preset="classic", target="500", pass_time=A_DAY, play_time=A_DAY)
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


def is_next_question(mail: Mail) -> bool:
    return mail.subject.startswith("Your turn: trick 1") and "robots" not in mail.to


def test_a_lost_service_is_restored_and_played_on_by_old_links(
    new_database: NewDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    ann, *guests = players = [Player("Ann"), Player("Bo"), Player("Cy"), Player("Di")]
    settings = {"SMTP_URL": mail_server.url, "SECRET_KEYS": ""}
    inboxes = Inboxes(mail_server)
    for name in ("lost", "restored"):
        (tmp_path / name).mkdir()
    with running_service(tmp_path / "lost", **settings, **new_database()) as lost:
        ann.open_table(lost.address, guests, preset="classic", target="50", pass_time=A_DAY, play_time=A_DAY)
        ann.read(inboxes.next())
        for mail in [inboxes.next() for _ in guests]:
            next(player for player in guests if player.address == mail.to).read(mail)
        questions = {mail.to: mail for mail in [inboxes.next() for _ in players]}
        with somebody_playing(lost, mail_server):
            backup = back_up_while_turns_are_written(lost, tmp_path / "backups")
        rows = lost.rows()

    settings |= {**new_database(), "PORT": lost.environment["PORT"]}
    environment = {**lost.environment, **settings, "DATA_DIR": str(tmp_path / "restored" / "var")}
    type_step("restore", backup, environment)
    before = len(mail_server.mails)
    found = stored_rows(settings.get("DATABASE_URL") or f"sqlite:///{tmp_path / 'restored' / 'var' / 'hearts.db'}")
    assert len(found["player"]) == len(rows["player"])
    assert 0 < len(found["turn"]) < len(rows["turn"]), "what came after the backup is forgotten"
    with running_service(tmp_path / "restored", **settings) as restored:
        for player in players:
            player.read(questions[player.address])
        assert [player.answered[-1] for player in players] == ["pass"] * 4
        wait_until("the next question", lambda: any(is_next_question(mail) for mail in mail_server.mails[before:]))
        restored.check()
    for player in players:
        player.browser.close()
