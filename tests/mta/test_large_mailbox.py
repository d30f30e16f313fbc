"""`inbox` reads a mailbox with 50,000 other mails: its memory stays as it was, and so do they."""

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import format_datetime
from pathlib import Path

import psutil
import pytest

from tests.answers import inbound_rows, mail, question
from tests.cast import start_game
from tests.mta.dovecot import PASSWORD, USER, Dovecot, running_dovecot, why_not
from tests.mta.fetched import last_uid, stored
from tests.runtimes import make_runtime
from tests.servers import ROOT, wait_until
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime

OTHERS = 50_000
FLAGS = ("", "S", "FS", "RS")  # of mails in a maildir: new, read, marked, answered
MORE_MEMORY = 16 << 20  # bytes; the bodies alone of all these mails have more


def lay(folder: Path, number: int, raw: bytes, flags: str = "", place: str = "other") -> None:
    """Puts a mail into a maildir, as a server for mail does."""
    file = folder / "cur" / f"{1_700_000_000 + number}.{place}.mx:2,{flags}"
    file.write_bytes(raw)


def others(folder: Path) -> dict[str, int]:
    """The names of all files of mails, which have their flags, and their sizes."""
    return {file.name: file.stat().st_size for file in os.scandir(folder / "cur")}


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_dovecot() as running:
        for name in ("cur", "new", "tmp"):
            (running.folder / "mail" / USER / name).mkdir(parents=True)
        yield running


@contextmanager
def inbox(runtime: Runtime, dovecot: Dovecot) -> Iterator[psutil.Process]:
    """The process that reads the mailbox, and clears away what is ours."""
    own = {"INBOX_URL": dovecot.url, "INBOX_PASSWORD": PASSWORD, "REPLY_MAILBOX": "hearts+@example.org"}
    own |= {"DATA_DIR": str(runtime.settings.data_dir), "INBOX_HANDLED": "delete"}
    process = psutil.Popen([sys.executable, "-m", "worker.inbox"], env={**os.environ, **own}, cwd=ROOT)
    try:
        yield process
    finally:
        process.terminate()
        assert process.wait(30) == 0


def most_memory(process: psutil.Process) -> int:
    """The most memory, in bytes, that a process has had."""
    (line,) = [one for one in Path(f"/proc/{process.pid}/status").read_text().splitlines() if one.startswith("VmHWM")]
    return int(line.split()[1]) << 10


def test_of_fifty_thousand_mails_ours_alone_costs_memory(dovecot: Dovecot, tmp_path: Path) -> None:
    folder = dovecot.folder / "mail" / USER
    runtime = make_runtime(tmp_path / "var", inbox_url=dovecot.url, reply_mailbox="hearts+@example.org")
    start_game(runtime)
    letter = question(runtime, "Ann")
    to = runtime.postmark.address(Purpose.REPLY, letter.id)

    def take(number: int, count: int, last: int) -> int:
        lay(folder, number, mail("Ann", "QS", To=to, Message_ID=f"<{number}@home>"), place="ours")
        _owned(folder)
        with inbox(runtime, dovecot) as process:
            stored(runtime, count)
            wait_until("all is read", lambda: last_uid(runtime) >= last, 300)
            return most_memory(process)

    alone = take(1, 1, 1)
    text = b"Lunch?\n" * 60
    head = f"From: Eve <eve@elsewhere.example>\nTo: {USER}\nDate: {format_datetime(runtime.now())}\n"
    for number in range(2, OTHERS + 2):
        raw = f"{head}Subject: Private {number}\nMessage-ID: <{number}@elsewhere.example>\n\n".encode() + text
        lay(folder, number, raw, FLAGS[number % len(FLAGS)])
    before = others(folder)
    among = take(OTHERS // 2, 2, OTHERS + 2)
    print(f"{alone >> 20} MB alone, {among >> 20} MB among {OTHERS} others")  # noqa: T201 - `pytest -rP` shows it
    assert others(folder) == before
    assert len(before) == OTHERS
    assert among - alone < MORE_MEMORY < OTHERS * len(text)
    assert [row.recipient for row in inbound_rows(runtime)] == [to, to]
    runtime.database.engine.dispose()


def _owned(folder: Path) -> None:
    user = pwd.getpwnam("mail")
    subprocess.run(["chown", "-R", f"{user.pw_uid}:{user.pw_gid}", folder], check=True)
