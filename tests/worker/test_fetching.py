"""Fetching from a mailbox whose server answers oddly; `tests/mta` fetches from real ones."""

import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import REGISTRY

from tests.answers import inbound_rows, mail, question, typed_pass
from tests.cast import start_game
from tests.mta.fetched import fetching_from, last_uid, stored
from tests.runtimes import make_runtime
from tests.scripted_imap import CAPABILITIES, USER, Command, Cut, Odd, ScriptedImap, nothing_by_numbers, without
from tests.servers import wait_until
from tests.table import Table, ask_all
from webapp.core.addresses import Purpose
from webapp.core.mail_server import LoginError
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.inbox.acting import process_inbound
from webapp.models import TurnSource
from webapp.play import due_games
from worker import fetching

FAST = {"FIRST_WAIT": 0.02, "LONGEST_WAIT": 0.2, "POLL": 0.1, "GLANCE": 0.1, "PUT_OFF": 0.1, "ONCE_MORE": 0.05}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in FAST.items():
        monkeypatch.setattr(fetching, name, seconds)


@pytest.fixture
def runtime_for(tmp_path: Path) -> Iterator[Callable[..., Runtime]]:
    made: list[Runtime] = []

    def make(server: ScriptedImap, database_url: str = "", **settings: Any) -> Runtime:
        own = {"inbox_url": server.url, "inbox_password": server.password, "reply_mailbox": "hearts+@example.org"}
        made.append(make_runtime(tmp_path / "var", database_url, **(own | settings)))
        start_game(made[-1])
        return made[-1]

    yield make
    for runtime in made:
        runtime.database.engine.dispose()


def answers(runtime: Runtime, *numbers: int) -> list[bytes]:
    """Ann's answers to her question, at its signed address."""
    to = runtime.postmark.address(Purpose.REPLY, question(runtime, "Ann").id)
    return [mail("Ann", "QS", To=to, Subject=f"Answer {one}", Message_ID=f"<{one}@home>") for one in numbers]


def identities(runtime: Runtime) -> set[str]:
    return {row.identity for row in inbound_rows(runtime)}


def failed(outcome: str) -> float:
    """How many failures of mails this process has counted."""
    return REGISTRY.get_sample_value("hearts_failed_mails_total", {"outcome": outcome}) or 0


def always(said: str) -> Odd:
    return lambda _, command: command.done(said)


def first(times: int, odd: Odd) -> Odd:
    """Answers oddly only so often."""
    return lambda server, command: odd(server, command) if command.number <= times else None


def hang_up(last: bytes = b"") -> Odd:
    def answer(_: ScriptedImap, __: Command) -> None:
        raise Cut(last)

    return answer


def about(uid: int, part: str, odd: Odd) -> Odd:
    """Answers oddly if a fetch wants this part of that mail, alone or among others."""

    def answer(server: ScriptedImap, command: Command) -> bytes | None:
        return odd(server, command) if part in command.rest and uid in server.named(command) else None

    return answer


HEAD, BODY = "HEADER.FIELDS", "[]<0."


def nil(server: ScriptedImap, command: Command) -> bytes:
    return command.done(before=b"* 2 FETCH (UID 2 BODY[]<0> NIL)\r\n")


def notice(server: ScriptedImap, command: Command) -> bytes:
    """The body of a mail that is gone, as some servers make one up."""
    made_up = b"From: Administrator <root@localhost>\nSubject: message unavailable\n\nIt is gone.\n"
    return command.done(before=server.fetched(2, command, {2: made_up}))


def half_a_literal(server: ScriptedImap, command: Command) -> None:
    raise Cut(server.fetched(2, command)[:-40])


def in_pieces(server: ScriptedImap, command: Command) -> bytes:
    return command.done(before=b"".join(b"* SEARCH %d\r\n" % uid for uid in server.mails))


def news_first(server: ScriptedImap, command: Command) -> None:
    """Says that a mail is there before it says that it idles."""
    raise Cut(b"* 1 EXISTS\r\n+ idling\r\n")


def idles_and_hangs_up(last: bytes = b"") -> Odd:
    return hang_up(b"+ idling\r\n" + last)


def only_after_id(server: ScriptedImap, command: Command) -> bytes | None:
    return None if server.count("ID ") else command.done("NO EXAMINE Unsafe Login")


def not_yet_numbered(server: ScriptedImap, _: Command) -> None:
    """Numbers all mails anew at each look, until somebody opens the folder to change it."""
    server.validity += not server.count("SELECT")


def chatter(server: ScriptedImap, command: Command) -> bytes:
    """Says things between that nobody has asked for."""
    usual = b"".join(server.fetched(uid, command) for uid in server.named(command))
    between = b"* 1 FETCH (FLAGS (\\Seen))\r\n* OK [ALERT] Hello\r\n* 9 EXISTS\r\n* NO Watch out\r\n"
    return command.done(before=between + usual + between)


# Each of these servers gives answers 1 and 3 of the mails that are there first, and the one that comes later.
WHOLE = [
    pytest.param({"EXAMINE": without("UIDNEXT")}, id="no UIDNEXT"),
    pytest.param({"EXAMINE": without("UIDVALIDITY")}, id="no UIDVALIDITY"),
    pytest.param({"EXAMINE": without("RECENT")}, id="no RECENT"),
    pytest.param({"EXAMINE": not_yet_numbered}, id="no numbers that stay"),
    pytest.param({"EXAMINE": first(1, not_yet_numbered), "SELECT": always("NO look only")}, id="to be looked at alone"),
    pytest.param({"UID SEARCH": nothing_by_numbers}, id="nothing found by numbers"),
    pytest.param({"UID SEARCH": always("NO I can't")}, id="no SEARCH"),
    pytest.param({"UID SEARCH": always("BAD what?")}, id="SEARCH is bad"),
    pytest.param({"UID SEARCH": in_pieces}, id="SEARCH in pieces"),
    pytest.param({"UID FETCH": first(3, hang_up())}, id="the line breaks thrice"),
    pytest.param({"UID FETCH": chatter}, id="chatter"),
    pytest.param({"EXAMINE": first(2, always("NO [NONEXISTENT] no such folder"))}, id="the folder comes back"),
    pytest.param({"EXAMINE": first(2, hang_up(b"* BYE\r\n"))}, id="BYE for the folder"),
    pytest.param({"EXAMINE": only_after_id, "ID": always("OK pleased")}, id="ID first"),
    pytest.param({"ID": always("BAD what?")}, id="ID is bad"),
    pytest.param({"greeting": first(2, always("BYE too many of you"))}, id="BYE as greeting"),
    pytest.param({"greeting": first(2, hang_up())}, id="no greeting"),
    pytest.param({"LOGIN": first(1, hang_up(b"* BYE\r\n"))}, id="BYE for the password"),
    pytest.param({"LOGIN": first(1, always("NO wrong"))}, id="one bare NO"),
    pytest.param({"LOGIN": first(1, always("NO [AUTHENTICATIONFAILED] wrong"))}, id="one wrong password"),
    pytest.param({"LOGIN": first(3, always("NO [LIMIT] too many"))}, id="LIMIT"),
    pytest.param({"LOGIN": first(3, always("NO [UNAVAILABLE] later"))}, id="UNAVAILABLE"),
    pytest.param({"LOGIN": first(3, always("NO [ALERT] Please log in via your browser"))}, id="ALERT"),
    pytest.param({"LOGIN": first(3, always("BAD what?"))}, id="LOGIN is bad"),
    pytest.param({"IDLE": always("BAD what?")}, id="IDLE is bad"),
    pytest.param({"IDLE": always("NO not here")}, id="no IDLE"),
    pytest.param({"IDLE": news_first}, id="IDLE with news first"),
    pytest.param({"IDLE": idles_and_hangs_up()}, id="IDLE hangs up"),
    pytest.param({"IDLE": idles_and_hangs_up(b"* BYE it's \"late\r\n")}, id="BYE in IDLE"),
]
# These fail for the second of the mails that are there first, whatever is tried.
FAILING = [
    pytest.param({"UID FETCH": about(2, HEAD, always("NO [SERVERBUG] oh"))}, id="no head"),
    pytest.param({"UID FETCH": about(2, BODY, always("NO [SERVERBUG] oh"))}, id="no body"),
    pytest.param({"UID FETCH": about(2, BODY, always("BAD what?"))}, id="the body is bad"),
    pytest.param({"UID FETCH": about(2, BODY, nil)}, id="the body is nothing"),
    pytest.param({"UID FETCH": about(2, BODY, notice)}, id="a notice as body"),
    pytest.param({"UID FETCH": about(2, HEAD, hang_up())}, id="the line breaks at a head"),
    pytest.param({"UID FETCH": about(2, BODY, half_a_literal)}, id="the line breaks within a body"),
]


@pytest.mark.parametrize("odd", WHOLE)
def test_an_odd_server_holds_up_no_answer(runtime_for: Callable[..., Runtime], odd: dict[str, Odd]) -> None:
    with ScriptedImap(capabilities=CAPABILITIES + " ID", odd=odd) as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2, 3))
        with fetching_from(runtime):
            wait_until("three answers, and then more", lambda: len(inbound_rows(runtime)) >= 3 and server.count("IDLE"))
            server.put(*answers(runtime, 4))
            stored(runtime, 4)
    assert [row.copies for row in inbound_rows(runtime)] == [0] * 4, "each was read once"


@pytest.mark.parametrize("odd", FAILING)
def test_a_failing_mail_holds_up_no_other(runtime_for: Callable[..., Runtime], odd: dict[str, Odd]) -> None:
    before = failed("put aside")
    with ScriptedImap(odd=odd) as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2, 3))
        with fetching_from(runtime):
            wait_until("two answers", lambda: len(inbound_rows(runtime)) >= 2)
            assert last_uid(runtime) < 2, "a process that starts would find it again"
            server.put(*answers(runtime, 4))
            stored(runtime, 3)
    assert identities(runtime) == {"<1@home>", "<3@home>", "<4@home>"}
    assert failed("put aside") > before


@pytest.mark.parametrize("part", [HEAD, BODY])
def test_a_mail_that_failed_for_a_while_is_read(runtime_for: Callable[..., Runtime], part: str) -> None:
    failures = threading.Event()
    refusal = about(2, part, always("NO [SERVERBUG] oh"))
    with ScriptedImap(odd={"UID FETCH": lambda *said: None if failures.is_set() else refusal(*said)}) as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2, 3))
        with fetching_from(runtime):
            wait_until("two answers", lambda: len(inbound_rows(runtime)) == 2)
            failures.set()
            stored(runtime, 3)
            wait_until("the place moves on", lambda: last_uid(runtime) == 3)


def test_a_mail_that_always_fails_is_left_with_a_word(
    runtime_for: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(fetching, "PUT_OFF", 0.001)
    monkeypatch.setattr(fetching, "LONGER", 1)
    before = failed("left")
    with ScriptedImap(odd={"UID FETCH": about(2, BODY, always("NO [SERVERBUG] Subject: secret"))}) as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2, 3))
        with fetching_from(runtime):
            wait_until("the place moves on", lambda: last_uid(runtime) == 3)
            stored(runtime, 2)
    assert failed("left") == before + 1
    assert "UID 2 has failed 8 times (SERVERBUG); it is left unread" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Date": "Mon, 2 Mar 2026 12:00:00 +99999999999999999"},
        {"Date": "Mon, 2 Mar 99999999999999999999 12:00:00 +0000"},
        {"Date": "no date"},
        {"Date": "=?utf-8?q?=00?="},
        {"From": "Bo \0 <b\0o@example.org>"},
        {"From": "Bo \0<b\0o@example.org>"},  # of which half the letters could be zeros of UTF-16
        {"From": "Bj\xf6rn <bo@example.org>"},
        {"From": "=?utf-7?q?+2AA-?= <bo@example.org>"},
        {"Message-ID": "<\0\xff@home>"},
        {"Content-Type": "multipart/report; boundary*=x''%00; charset=\0"},
    ],
    ids=lambda headers: " ".join(headers).lower(),
)
def test_a_strangers_mail_holds_up_no_answer(
    runtime_for: Callable[..., Runtime], postgres_url: str, caplog: pytest.LogCaptureFixture, headers: dict[str, str]
) -> None:
    with ScriptedImap() as server:
        runtime = runtime_for(server, postgres_url)
        own = {"From": "Bo <bo@example.org>", "To": USER, "Date": format_datetime(runtime.now())} | headers
        head = "".join(f"{name}: {value}\n" for name, value in own.items()).encode("latin-1")
        before, after = answers(runtime, 1, 2)
        server.put(before, head + b"\nHello \0 there\n", after)
        with fetching_from(runtime):
            stored(runtime, 2)
            wait_until("all is read", lambda: last_uid(runtime) == 3)
    assert "has failed" not in caplog.text


def test_a_mail_that_vanishes_is_none(runtime_for: Callable[..., Runtime]) -> None:
    """Another process has stored and deleted it since this one has seen its head."""

    def gone(server: ScriptedImap, command: Command) -> bytes:
        del server.mails[2]
        return command.done()

    with ScriptedImap(odd={"UID FETCH": about(2, BODY, gone)}) as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2, 3))
        with fetching_from(runtime):
            stored(runtime, 2)
            wait_until("all is read", lambda: last_uid(runtime) == 3)
    assert all(row.raw for row in inbound_rows(runtime))


def test_two_processes_that_delete_store_each_mail_once(runtime_for: Callable[..., Runtime]) -> None:
    with ScriptedImap() as server:
        runtime = runtime_for(server, inbox_handled="delete")
        with fetching_from(runtime, runtime):
            for number in range(8):
                server.put(*answers(runtime, number))
            wait_until("all is deleted", lambda: not server.mails)
    assert identities(runtime) == {f"<{number}@home>" for number in range(8)}
    assert all(row.raw for row in inbound_rows(runtime))


def read_only(server: ScriptedImap, command: Command) -> bytes:
    return server.opened(command).replace(b"OK done", b"OK [READ-ONLY] done")


@pytest.mark.parametrize(
    ("handled", "odd"),
    [
        pytest.param("Played", {"CREATE": always("NO not there")}, id="CREATE"),
        pytest.param("Played", {"LIST": always("NO no list")}, id="LIST"),
        pytest.param("Played", {"LIST": hang_up()}, id="LIST hangs up"),
        pytest.param("Played", {"UID MOVE": always("NO [OVERQUOTA] full")}, id="MOVE"),
        pytest.param("Played", {"UID MOVE": hang_up(b"* BYE\r\n")}, id="MOVE hangs up"),
        pytest.param("delete", {"UID STORE": always("NO no such flag")}, id="STORE"),
        pytest.param("delete", {"UID EXPUNGE": always("BAD what?")}, id="EXPUNGE"),
        pytest.param("delete", {"SELECT": always("NO [NOPERM] look only")}, id="SELECT"),
        pytest.param("delete", {"SELECT": read_only}, id="read only"),
    ],
)
def test_tidying_holds_up_no_answer(
    runtime_for: Callable[..., Runtime],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    handled: str,
    odd: dict[str, Odd],
) -> None:
    monkeypatch.setattr(fetching, "IDLE", 0.2)
    with ScriptedImap(odd=odd) as server:
        runtime = runtime_for(server, inbox_handled=handled)
        server.put(*answers(runtime, 1))
        with fetching_from(runtime):
            stored(runtime, 1)
            server.put(*answers(runtime, 2))
            stored(runtime, 2)
            wait_until("all is read", lambda: last_uid(runtime) == 2)
            assert ("folder Played" if handled == "Played" else "folder INBOX") in caplog.text
            server.odd.clear()
            wait_until("it is tidied later", lambda: not server.mails)


@pytest.mark.parametrize(
    ("spaces", "handled", "folder"),
    [
        (b'(("INBOX." ".")) NIL NIL', "Played", "INBOX.Played"),
        (b'(("INBOX." ".")) NIL NIL', "Hearts/Played", "INBOX.Hearts.Played"),
        (b'(("INBOX." ".")) NIL NIL', "INBOX.Played", "INBOX.Played"),
        (b'(("INBOX." ".")) NIL (("#shared." "."))', "#shared.Played", "#shared.Played"),
        (b'(("" "/")) NIL NIL', "Played", "Played"),
        (b"NIL NIL NIL", "Played", "Played"),
    ],
)
def test_handled_mails_move_to_where_folders_are(
    runtime_for: Callable[..., Runtime], spaces: bytes, handled: str, folder: str
) -> None:
    odd: dict[str, Odd] = {"NAMESPACE": lambda _, command: command.done(before=b"* NAMESPACE %s\r\n" % spaces)}
    with ScriptedImap(capabilities=CAPABILITIES + " NAMESPACE", odd=odd) as server:
        runtime = runtime_for(server, inbox_handled=handled)
        server.put(*answers(runtime, 1))
        with fetching_from(runtime):
            wait_until("it is moved", lambda: len(server.folders.get(folder, [])) == 1)
    assert list(server.folders) == [folder]


def test_without_uidplus_deleting_marks_alone(runtime_for: Callable[..., Runtime]) -> None:
    with ScriptedImap(capabilities="IMAP4rev1") as server:
        runtime = runtime_for(server, inbox_handled="delete")
        server.put(*answers(runtime, 1), b"From: di@example.org\n\nLunch?\n")
        with fetching_from(runtime):
            wait_until("it is marked", lambda: server.deleted == {1})
    assert set(server.mails) == {1, 2}


@pytest.mark.parametrize("odd", [always("BAD what?"), always("NO"), idles_and_hangs_up()], ids=["BAD", "NO", "closed"])
def test_a_server_that_fails_in_idle_is_polled(runtime_for: Callable[..., Runtime], odd: Odd) -> None:
    with ScriptedImap(odd={"IDLE": odd}) as server:
        runtime = runtime_for(server)
        with fetching_from(runtime):
            wait_until("it has tried", lambda: server.count("IDLE") == 1)
            for number in range(1, 6):
                server.put(*answers(runtime, number))
                stored(runtime, number)
    assert (server.count("IDLE"), server.count("LOGIN") <= 2) == (1, True)


def test_waits_grow_until_a_line_has_lasted(
    runtime_for: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line breaks once the mailbox was read."""
    stop = threading.Event()
    waits: list[float] = []

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        if len(waits) == 6:
            monkeypatch.setattr(fetching, "PROVED", 0)
        if len(waits) == 8:
            stop.set()
        return stop.is_set()

    with ScriptedImap(odd={"IDLE": hang_up()}) as server:
        runtime = runtime_for(server)
        monkeypatch.setattr(fetching, "WITHOUT_IDLE", 0)
        monkeypatch.setattr(stop, "wait", wait)
        fetching.Fetcher(runtime, runtime.settings.mailbox, stop).run()
    assert waits == [0.02, 0.04, 0.08, 0.16, 0.2, 0.2, 0.02, 0.02]


def test_mails_numbered_anew_on_an_open_line_are_read(
    runtime_for: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "IDLE", 0.2)
    with ScriptedImap() as server:
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1, 2))
        with fetching_from(runtime):
            stored(runtime, 2)
            server.mails, server.validity, server.following = {}, 8, 1
            server.put(*answers(runtime, 3))
            stored(runtime, 3)
    assert server.count("LOGIN") == 1


@pytest.mark.parametrize("secret", ["pässword", 'back\\slash "quotes"', "пароль"])
@pytest.mark.parametrize("capabilities", [CAPABILITIES, CAPABILITIES + " LOGINDISABLED AUTH=PLAIN"])
def test_a_password_may_have_any_letters(
    runtime_for: Callable[..., Runtime], monkeypatch: pytest.MonkeyPatch, secret: str, capabilities: str
) -> None:
    with ScriptedImap(capabilities=capabilities) as server:
        server.password = secret
        runtime = runtime_for(server)
        server.put(*answers(runtime, 1))
        with fetching_from(runtime):
            stored(runtime, 1)


@pytest.mark.parametrize("said", ["", "[AUTHENTICATIONFAILED] ", "[AUTHORIZATIONFAILED] ", "[EXPIRED] "])
def test_a_password_refused_twice_ends_the_process(
    runtime_for: Callable[..., Runtime], capsys: pytest.CaptureFixture[str], said: str
) -> None:
    with ScriptedImap(odd={"LOGIN": always(f"NO {said}not you")}) as server:
        runtime = runtime_for(server)
        with pytest.raises(LoginError):
            fetching.Fetcher(runtime, runtime.settings.mailbox, threading.Event()).run()
    assert server.count("LOGIN") == 2


def read_up_to(runtime: Runtime) -> datetime | None:
    with runtime.database.reading() as session:
        stretch = way_in.newest(session)
        return stretch.read_up_to if stretch else None


def test_after_a_sleep_the_mailbox_is_read_first(runtime_for: Callable[..., Runtime]) -> None:
    """The sweep wakes before the mailbox is read, with a deadline that is over and the answer in the mailbox."""
    with ScriptedImap() as server:
        runtime = runtime_for(server, smtp_url="smtp://127.0.0.1:9")
        ask_all(runtime)
        with fetching_from(runtime):
            wait_until("the note", lambda: read_up_to(runtime) == runtime.now())
        runtime.now.pass_by(timedelta(hours=63))  # type: ignore[attr-defined]
        to = runtime.postmark.address(Purpose.REPLY, question(runtime, "Bo").id)
        server.put(mail("Bo", typed_pass(Table(runtime, 1), 1), To=to))
        due_games.play_due(runtime)
        with fetching_from(runtime):
            stored(runtime, 1)
            wait_until("the note", lambda: read_up_to(runtime) == runtime.now())
        process_inbound(runtime)
        due_games.play_due(runtime)
        assert [one.source for one in Table(runtime, 1).turns] == [TurnSource.FORCED, TurnSource.REPLY]


def test_what_cannot_be_read_is_not_noted_as_read(runtime_for: Callable[..., Runtime]) -> None:
    with ScriptedImap(odd={"EXAMINE": always("NO not now")}) as server:
        runtime = runtime_for(server)
        with fetching_from(runtime):
            wait_until("some attempts", lambda: server.count("EXAMINE") >= 3)
    assert read_up_to(runtime) is None
