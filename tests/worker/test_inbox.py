"""The listener, over real connections: which addresses exist, what is stored before it is acknowledged, how it ends."""

import asyncio
import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest
from sqlmodel import SQLModel, select

from hearts.cards import card_text
from tests.answers import first_cards, mail, question, typed_turns
from tests.cast import address, start_game
from tests.runtimes import make_runtime
from tests.servers import LONG, ROOT, free_port, wait_until
from webapp.core.addresses import Postmark, Purpose
from webapp.core.runtime import Runtime
from webapp.games.clock import way_in
from webapp.inbox.acting import process_inbound
from webapp.inbox.receiving import LARGEST, LARGEST_ON_WIRE, OF_ADDRESS
from webapp.models import InboundRow
from webapp.replies.received import body_lines, parse_mail
from worker.inbox import LATER, NOT_OURS, RECIPIENTS, TOO_MUCH, listen

CLIENTS = {"smtp": smtplib.SMTP, "lmtp": smtplib.LMTP}


@contextmanager
def listening(runtime: Runtime) -> Iterator[int]:
    """The listener in a thread of its own; gives its port."""
    loop, stop = asyncio.new_event_loop(), Future()

    async def run() -> None:
        event = asyncio.Event()
        stop.set_result(lambda: loop.call_soon_threadsafe(event.set))
        await listen(runtime, event)

    def listen_until_stopped() -> None:
        with asyncio.Runner(loop_factory=lambda: loop) as runner:
            runner.run(run())

    thread = Thread(target=listen_until_stopped)
    thread.start()
    port = int(runtime.settings.inbox_url.rpartition(":")[2])
    wait_until("the listener", lambda: _is_open(port))
    try:
        yield port
    finally:
        stop.result()()
        thread.join()


def _is_open(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), LONG) as probe:
            probe.sendall(b"QUIT\r\n")
            while probe.recv(1000):  # until the listener has closed its end, which else lies about unclosed
                pass
    except OSError:
        return False
    return True


@pytest.fixture(params=CLIENTS)
def runtime(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Runtime]:
    """A runtime whose mails come in by SMTP, and by LMTP."""
    made = make_runtime(tmp_path / "var", inbox_url=f"{request.param}://127.0.0.1:{free_port()}")
    yield made
    made.database.engine.dispose()


def test_the_listener_notes_that_mail_comes_in(runtime):
    def noted():
        with runtime.database.reading() as session:
            return way_in.newest(session)

    with listening(runtime):
        wait_until("the note", lambda: noted() is not None)
    assert noted().read_up_to == runtime.now()


@pytest.fixture
def table(runtime):
    return start_game(runtime)


@pytest.fixture
def client(runtime) -> Iterator[smtplib.SMTP]:
    with listening(runtime) as port, CLIENTS[runtime.settings.inbox_url[:4]]("127.0.0.1", port) as line:
        line.ehlo_or_helo_if_needed()
        yield line


def own(runtime, number=1, purpose=Purpose.REPLY):
    return runtime.postmark.address(purpose, number)


def kept(runtime):
    with runtime.database.reading() as session:
        return session.exec(select(InboundRow).order_by(InboundRow.id)).all()


def data(line, sender, recipients, raw):
    """One email, command by command. Returns the codes: for each recipient, and those after the mail."""
    line.mail(sender)
    codes = [line.rcpt(recipient)[0] for recipient in recipients]
    last = line.data(raw)[0] if 250 in codes else None
    if isinstance(line, smtplib.LMTP):  # answers for each recipient
        others = codes.count(250) - 1
        assert [line.getreply()[0] for _ in range(others)] == [last] * others
    return codes, last


def test_a_reply_is_stored_and_then_played(runtime, table, client):
    cards = first_cards(table, 0)
    letter = question(runtime, "Ann")
    raw = mail("Ann", " ".join(map(card_text, cards)))
    assert data(client, address("Ann"), [own(runtime, letter.id)], raw) == ([250], 250)
    process_inbound(runtime)
    (record,) = typed_turns(table)
    assert list(record.turn.cards) == cards


@pytest.mark.parametrize("purpose", Purpose)
def test_each_kind_of_our_addresses_is_accepted(runtime, client, purpose):
    assert data(client, "", [own(runtime, purpose=purpose)], b"Subject: x\n\nx") == ([250], 250)
    assert kept(runtime)[0].sender == ""


@pytest.mark.parametrize("name", ["postmaster", "Abuse", "feedback"])
def test_mail_to_the_operators_is_accepted(runtime, client, name):
    codes = data(client, "eve@example.org", [f"{name}@hearts.localhost"], b"Subject: x\n\nx")
    assert codes == ([250], 250)
    assert kept(runtime)[0].player_id is None


@pytest.mark.parametrize(
    "recipient",
    [
        pytest.param("ann@example.org", id="somebody else's"),
        pytest.param("ann@hearts.localhost", id="a name at our domain"),
        pytest.param("postmaster@hearts.example.org", id="an operator of another domain"),
        pytest.param(Postmark(["e" * 40], "hearts.localhost").address(Purpose.REPLY, 1), id="signed by Eve"),
        pytest.param("r-@hearts.localhost", id="cut off"),
        pytest.param("x" * 300 + "@hearts.localhost", id="long"),
    ],
)
def test_a_foreign_address_is_refused_before_the_mail(runtime, client, recipient):
    client.mail("eve@example.org")
    code, text = client.rcpt(recipient)
    assert f"{code} {text.decode()}" == NOT_OURS
    assert kept(runtime) == []


def test_an_address_in_capitals_is_accepted(runtime, client):
    assert data(client, "ann@example.org", [own(runtime).upper()], b"\n\nQS") == ([250], 250)
    assert kept(runtime)[0].recipient == own(runtime)


def test_a_mail_to_several_addresses_is_stored_for_each(runtime, client):
    recipients = [own(runtime, number) for number in (1, 2, 3)]
    codes, last = data(client, "ann@example.org", [*recipients, "eve@example.org"], b"Subject: x\n\nx")
    assert (codes, last) == ([250, 250, 250, 550], 250)
    assert [row.recipient for row in kept(runtime)] == recipients
    assert client.noop()[0] == 250, "nothing is left over on the line"


def test_too_many_recipients_are_deferred_to_another_mail(runtime, client):
    codes, _ = data(client, "a@example.org", [own(runtime, number) for number in range(1, RECIPIENTS + 2)], b"\n\nx")
    assert codes == [250] * RECIPIENTS + [452]


@pytest.mark.parametrize("line", [b"x" * 76 + b"\r\n", b"x"], ids=["in lines", "as one line"])
def test_of_a_large_mail_the_beginning_is_kept(runtime, client, line):
    raw = b"Subject: x\r\n\r\nQS\r\n" + line * ((LARGEST + 1000) // len(line))
    assert data(client, "ann@example.org", [own(runtime)], raw) == ([250], 250)
    assert kept(runtime)[0].raw == raw[:LARGEST]


def test_a_reply_with_pictures_of_megabytes_is_read(runtime, client):
    picture = b"--b\r\nContent-Type: image/png\r\n\r\n" + (b"A" * 76 + b"\r\n") * 40_000
    head = b"From: ann@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    text = b"--b\r\nContent-Type: text/plain\r\n\r\nQS\r\n"
    assert data(client, "ann@example.org", [own(runtime)], head + picture + text + b"--b--\r\n") == ([250], 250)
    (row,) = kept(runtime)
    assert len(row.raw) < 1000
    lines = [line.text for line in body_lines(parse_mail(row.raw))]
    assert "QS" in lines


def test_a_mail_announcing_too_large_a_size_is_refused_immediately(client):
    assert client.mail("ann@example.org", [f"SIZE={LARGEST_ON_WIRE + 1}"])[0] == 552


def test_long_lines_and_binary_bytes_are_stored(runtime, client):
    raw = b"Subject: x\r\n\r\nQS\r\n" + b"y" * 50_000 + b"\r\n\xff\xfe\x00\r\n"
    assert data(client, "ann@example.org", [own(runtime)], raw) == ([250], 250)
    assert kept(runtime)[0].raw == raw


def test_a_line_with_half_an_ending_ends_no_mail(runtime, client):
    """Otherwise a second mail could hide in the first (RFC 5321, 2.3.8)."""
    client.mail("ann@example.org")
    client.rcpt(own(runtime))
    client.docmd("DATA")
    client.send(b"Subject: x\r\n\r\nQS\n.\nMAIL FROM:<eve@example.org>\r\n.\r\n")
    assert client.getreply()[0] == 250
    assert b"MAIL FROM:<eve@example.org>" in kept(runtime)[0].raw
    assert len(kept(runtime)) == 1


def test_a_mail_that_cannot_be_stored_is_deferred(runtime, client, caplog):
    with runtime.database.writing() as session:
        SQLModel.metadata.tables["inbound"].drop(session.connection())
    client.mail("ann@example.org")
    client.rcpt(own(runtime))
    code, text = client.data(b"Subject: x\n\nQS")
    assert f"{code} {text.decode()}" == LATER
    assert "could not be stored" in caplog.text
    assert own(runtime) not in caplog.text


def test_an_address_over_its_limit_is_deferred(runtime, client):
    for number in range(OF_ADDRESS.mails):
        assert data(client, "ann@example.org", [own(runtime)], b"Subject: x\n\n%d" % number) == ([250], 250)
    client.mail("bo@example.org")
    code, text = client.rcpt(own(runtime))
    assert f"{code} {text.decode()}" == TOO_MUCH
    assert client.rcpt(own(runtime, 2))[0] == 250


def test_mail_over_an_address_limit_is_stored_for_the_others(runtime, client):
    line = b"x" * 70 + b"\r\n"
    large = line * (LARGEST // len(line) - 10)
    for number in range(OF_ADDRESS.size // LARGEST):
        assert data(client, "ann@example.org", [own(runtime)], b"Subject: %d\r\n\r\n" % number + large) == ([250], 250)
    for _ in range(2):
        recipients = [own(runtime), own(runtime, 2)]
        assert data(client, "ann@example.org", recipients, b"Subject: x\r\n\r\n" + large) == ([250, 250], 452)
    assert [row.recipient for row in kept(runtime)].count(own(runtime, 2)) == 1, "the second time it was a copy"


def test_mail_is_deferred_while_nothing_can_be_counted(runtime, client):
    with runtime.database.writing() as session:
        SQLModel.metadata.tables["inbound"].drop(session.connection())
    assert data(client, "ann@example.org", [own(runtime)], b"Subject: x\n\nQS") == ([250], 451)


def test_the_listener_does_not_reveal_which_addresses_exist(runtime, client):
    assert client.vrfy(own(runtime))[0] == 502
    assert client.expn(own(runtime))[0] == 502


def test_the_listener_offers_no_sign_in(client):
    assert "auth" not in client.esmtp_features
    assert client.docmd("AUTH PLAIN AGFubgBhbm4=")[0] >= 500


# the process


def start(tmp_path: Path, **settings: str) -> subprocess.Popen[str]:
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "var"), **settings}
    command = [sys.executable, "-m", "worker.inbox"]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_listener_logs_no_command_and_ends_on_a_signal(tmp_path, number):
    port = free_port()
    process = start(tmp_path, INBOX_URL=f"smtp://127.0.0.1:{port}", PYTHONWARNINGS="error")
    wait_until("the listener", lambda: _is_open(port))
    with smtplib.SMTP("127.0.0.1", port) as line:
        for command in ("SECRET ann@example.org", "\xff\xfe", "MAIL FROM:ann@example.org", "RCPT TO:<ann@example.org>"):
            line.putcmd(command) if command.isascii() else line.send(command.encode("latin-1") + b"\r\n")
            line.getreply()
        line.ehlo()
        data(line, "ann@example.org", ["ann@example.org"], b"x")
    with socket.create_connection(("127.0.0.1", port)) as open_line:
        assert open_line.recv(3) == b"220"
        process.send_signal(number)
        _, said = process.communicate(timeout=LONG)
    assert (process.returncode, said) == (0, "")


def test_several_listeners_together_accept_no_more_than_one(tmp_path):
    """A listener in this process and one in a process of its own have the same clock."""
    made = make_runtime(tmp_path / "var", inbox_url=f"smtp://127.0.0.1:{free_port()}")
    runtime = Runtime(made.settings)
    recipient, other = own(runtime), free_port()
    process = start(tmp_path, INBOX_URL=f"smtp://127.0.0.1:{other}")
    codes = []
    with listening(runtime) as here:
        wait_until("the other listener", lambda: _is_open(other))
        for number in range(OF_ADDRESS.mails + 4):
            with smtplib.SMTP("127.0.0.1", (here, other)[number % 2]) as line:
                line.ehlo()
                codes += data(line, "ann@example.org", [recipient], b"Subject: x\n\n%d" % number)[0]
    process.terminate()
    process.communicate(timeout=20)
    assert codes == [250] * OF_ADDRESS.mails + [452] * 4
    runtime.database.engine.dispose()


def test_a_port_in_use_ends_the_listener_with_a_message(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        url = f"lmtp://127.0.0.1:{other.getsockname()[1]}"
        process = start(tmp_path, INBOX_URL=url)
        _, said = process.communicate(timeout=LONG)
    assert (process.returncode, said) == (2, f"INBOX_URL is {url}, where nobody can listen: address already in use.\n")


def test_an_invalid_name_ends_the_listener_with_a_message(tmp_path):
    process = start(tmp_path, INBOX_URL="smtp://no-such-name.invalid:8025")
    _, said = process.communicate(timeout=LONG)
    assert process.returncode == 2
    assert said.startswith("INBOX_URL is smtp://no-such-name.invalid:8025, where nobody can listen: ")
    assert "Traceback" not in said
