"""Replies are fetched from a mailbox on a real Dovecot, among other mail that nobody touches."""

import threading
from collections.abc import Iterator
from email.utils import format_datetime
from pathlib import Path

import pytest

from tests.answers import inbound_rows, mail, player, question
from tests.cast import address, letters, start_game
from tests.mta.dovecot import PASSWORD, USER, WITHOUT_IDLE, Dovecot, running_dovecot, why_not
from tests.mta.fetched import fetch, fetching_from, last_uid, stored
from tests.runtimes import make_runtime
from tests.servers import wait_until
from webapp.core.addresses import Purpose
from webapp.core.mail_server import LoginError
from webapp.core.runtime import Runtime
from webapp.models import LetterKind, LetterRow
from worker import fetching

PRIVATE = b"From: Di <di@example.org>\nTo: hearts@example.org\nSubject: Private\nMessage-ID: <private@home>\n\nLunch?\n"


@pytest.fixture(scope="module", params=["", WITHOUT_IDLE], ids=["idle", "no idle"])
def server(request: pytest.FixtureRequest) -> Iterator[Dovecot]:
    if reason := why_not():
        pytest.fail(reason, pytrace=False)
    with running_dovecot(request.param) as running:
        yield running


@pytest.fixture
def dovecot(server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> Dovecot:
    """The server, with an empty inbox; where it has no IDLE, it is looked at more often."""
    monkeypatch.setattr(fetching, "POLL", 0.2)
    server.empty()
    return server


def runtime_for(dovecot: Dovecot, folder: Path, **settings: str) -> Runtime:
    own = {"inbox_url": dovecot.url, "inbox_password": PASSWORD, "reply_mailbox": "hearts+@example.org"}
    return make_runtime(folder, **(own | settings))


@pytest.fixture
def runtime(dovecot: Dovecot, tmp_path: Path) -> Iterator[Runtime]:
    made = runtime_for(dovecot, tmp_path / "var")
    start_game(made)
    yield made
    made.database.engine.dispose()


def reply(runtime: Runtime, letter: LetterRow, number: int = 1) -> bytes:
    """Ann's answer to the letter, at its signed address."""
    to = runtime.postmark.address(Purpose.REPLY, letter.id)
    return mail("Ann", "QS", To=to, Subject=f"Answer {number}", Message_ID=f"<{number}@home>")


def test_only_our_mail_is_taken_and_none_is_marked(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    dovecot.put(PRIVATE, reply(runtime, letter))
    with fetching_from(runtime):
        stored(runtime, 1)
        dovecot.put(reply(runtime, letter, 2))
        stored(runtime, 2)
    assert [row.recipient for row in inbound_rows(runtime)] == [runtime.postmark.address(Purpose.REPLY, letter.id)] * 2
    assert not any("\\Seen" in flags for flags in dovecot.mails().values())
    assert set(dovecot.mails()) == {"Private", "Answer 1", "Answer 2"}


def test_an_answer_without_a_plus_address_finds_its_letter(dovecot: Dovecot, tmp_path: Path) -> None:
    runtime = runtime_for(dovecot, tmp_path / "var", reply_mailbox=USER)
    start_game(runtime)
    letter = question(runtime, "Ann")
    by_bo = mail("Bo", "QS", To=USER, Subject="Forged", References=letter.message_id, Message_ID="<2@home>")
    by_ann = mail("Ann", "QS", To=USER, In_Reply_To=letter.message_id, Message_ID="<1@home>")
    dovecot.put(by_bo, by_ann)
    with fetching_from(runtime):
        stored(runtime, 1)
    (row,) = inbound_rows(runtime)
    assert (row.sender, row.recipient) == (address("Ann"), runtime.postmark.address(Purpose.REPLY, letter.id))
    runtime.database.engine.dispose()


@pytest.mark.parametrize(("handled", "left"), [("delete", {"Private"}), ("Played", {"Private"})])
def test_what_is_stored_is_moved_or_deleted(dovecot: Dovecot, tmp_path: Path, handled: str, left: set[str]) -> None:
    runtime = runtime_for(dovecot, tmp_path / "var", inbox_handled=handled)
    start_game(runtime)
    dovecot.put(PRIVATE, reply(runtime, question(runtime, "Ann")))
    with fetching_from(runtime):
        wait_until("our mail is cleared away", lambda: set(dovecot.mails()) == left)
    assert "\\Seen" not in dovecot.mails()["Private"]
    assert len(inbound_rows(runtime)) == 1
    assert ("Answer 1" in dovecot.mails("Played")) == (handled == "Played")
    runtime.database.engine.dispose()


def test_two_processes_store_a_mail_once(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    with fetching_from(runtime, runtime):
        for number in range(5):
            dovecot.put(reply(runtime, letter, number))
        stored(runtime, 5)


def test_a_process_goes_on_where_the_last_one_stopped(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    dovecot.put(reply(runtime, letter))
    with fetching_from(runtime):
        stored(runtime, 1)
        wait_until("its place is noted", lambda: last_uid(runtime) > 0)
    dovecot.put(reply(runtime, letter, 2))
    with fetching_from(runtime):
        stored(runtime, 2)
    assert [row.copies for row in inbound_rows(runtime)] == [0, 0], "the first one was not read again"


def test_mails_that_the_server_numbers_anew_are_stored_once(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    dovecot.put(reply(runtime, letter))
    with fetching_from(runtime):
        stored(runtime, 1)
    dovecot.renumber()
    dovecot.put(reply(runtime, letter, 2))
    with fetching_from(runtime):
        stored(runtime, 2)


def test_a_line_that_breaks_is_opened_again(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    with fetching_from(runtime):
        dovecot.put(reply(runtime, letter))
        stored(runtime, 1)
        dovecot.stop()
        dovecot.start()
        dovecot.put(reply(runtime, letter, 2))
        stored(runtime, 2)


def test_a_wrong_password_ends_the_process(dovecot: Dovecot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "ONCE_MORE", 0.1)
    runtime = runtime_for(dovecot, tmp_path / "var", inbox_password="wrong")
    with pytest.raises(LoginError):
        fetch(runtime, threading.Event())
    runtime.database.engine.dispose()


def test_a_mail_without_a_letter_is_answered_and_stays(dovecot: Dovecot, runtime: Runtime) -> None:
    letter, headers = question(runtime, "Ann"), {"To": USER, "Date": format_datetime(runtime.now())}
    dovecot.put(mail("Bo", "QS", **headers, Subject="My card"), mail("Eve", "QS", **headers, Subject="Hello"))
    dovecot.put(reply(runtime, letter))
    with fetching_from(runtime):
        stored(runtime, 1)
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert (ours.reason, ours.player_id) == ("unaddressed", player(runtime, "Bo").id)
    assert {"My card", "Hello"} <= set(dovecot.mails())


def test_a_report_about_a_letter_finds_it(dovecot: Dovecot, runtime: Runtime) -> None:
    letter = question(runtime, "Ann")
    head = b"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.org\nTo: hearts@example.org\nSubject: Failed\n\n"
    dovecot.put(head + b"ann@example.org: no such user\n\nMessage-ID: " + letter.message_id.encode() + b"\n")
    dovecot.put(head + b"eve@example.org: no such user\n\nMessage-ID: <other@example.org>\n")
    with fetching_from(runtime):
        stored(runtime, 1)
    (row,) = inbound_rows(runtime)
    assert (row.sender, row.recipient) == ("", runtime.postmark.address(Purpose.QUOTED, letter.id))
