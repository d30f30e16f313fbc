"""Replies are fetched from a real Courier, which says no UIDNEXT, has no MOVE, and puts `INBOX.` before each folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.answers import inbound_rows, mail, question
from tests.cast import start_game
from tests.mta.courier import Courier, running_courier, why_not
from tests.mta.dovecot import PASSWORD, USER
from tests.mta.fetched import fetching_from, last_uid, stored
from tests.runtimes import make_runtime
from tests.servers import wait_until
from webapp.core.addresses import Purpose
from webapp.core.runtime import Runtime
from worker import fetching


@pytest.fixture(scope="module")
def server() -> Iterator[Courier]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_courier() as running:
        yield running


@pytest.fixture
def courier(server: Courier, monkeypatch: pytest.MonkeyPatch) -> Courier:
    """The server, with an empty inbox. It misses a mail that comes in the second in which it has looked."""
    monkeypatch.setattr(fetching, "IDLE", 2.0)
    for file in server.inbox:
        file.unlink()
    return server


def answers(runtime: Runtime, *numbers: int) -> list[bytes]:
    to = runtime.postmark.address(Purpose.REPLY, question(runtime, "Ann").id)
    return [mail("Ann", "QS", To=to, Subject=f"Answer {one}", Message_ID=f"<{one}@home>") for one in numbers]


@pytest.mark.parametrize(("handled", "left"), [("stay", 4), ("delete", 1), ("Played", 1)])
def test_answers_are_read_and_cleared_away(courier: Courier, tmp_path: Path, handled: str, left: int) -> None:
    own = {"inbox_url": courier.url, "inbox_password": PASSWORD, "reply_mailbox": "hearts+@example.org"}
    runtime = make_runtime(tmp_path / "var", inbox_handled=handled, **own)
    start_game(runtime)
    courier.put(b"From: di@example.org\nSubject: Private\n\nLunch?\n", *answers(runtime, 1, 2))
    with fetching_from(runtime):
        stored(runtime, 2)
        wait_until("all is read", lambda: last_uid(runtime) > 2)
        courier.put(*answers(runtime, 3))
        stored(runtime, 3)
        wait_until("they are cleared away", lambda: len(courier.inbox) == left)
    assert [row.copies for row in inbound_rows(runtime)] == [0] * 3
    if handled == "Played":
        assert len(list((courier.mails / USER / ".Played").rglob("*:2,*"))) == 3
    runtime.database.engine.dispose()
