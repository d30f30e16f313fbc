"""`mail check`: names what is missing, with the record to create, and shows no secret."""

import socketserver
import ssl
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import SQLModel, update

from tests.cast import NAMES, address, letters, start_game
from tests.certificates import certificate
from tests.names import deaf_resolver
from tests.runtimes import make_runtime
from tests.servers import free_port
from tests.sites import site_of
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.core.config import read_settings
from webapp.models import LetterKind, LetterRow, PlayerRow
from webapp.operators import mail_check
from webapp.operators.mail_check import Greeting, check, check_listener, check_relay, greeting_at, try_out
from webapp.operators.mail_servers import State
from webapp.outbox import holding
from worker import postman

pytestmark = pytest.mark.usefixtures("haste")


@contextmanager
def listener_with_greeting(greeting):
    class Greet(socketserver.BaseRequestHandler):
        def handle(self):
            self.request.sendall(greeting)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Greet) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=[0.05])
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def line_about(runtime, word):
    return next(finding for finding in check(runtime, deaf_resolver(), runtime.now()) if finding.text.startswith(word))


@pytest.mark.parametrize(
    ("script", "state", "words"),
    [
        pytest.param({}, State.OK, "takes our mail", id="well"),
        pytest.param({"EHLO": ["421 no"], "HELO": ["421 no"]}, State.MISSING, "does not take our mail", id="refuses"),
        pytest.param({"banner": ["554 go away"]}, State.MISSING, "does not take our mail", id="shuts the door"),
    ],
)
def test_the_check_connects_to_the_relay(sending_runtime, script, state, words):
    with ScriptedRelay(script) as scripted:
        finding = line_about(with_relay(sending_runtime, scripted.url), "relay")
    assert (finding.state, words in finding.text) == (state, True)


def test_a_wrong_password_is_reported_but_not_shown(sending_runtime):
    with ScriptedRelay({"AUTH": ["535 no"] * 9}, greeting="relay\r\n250-AUTH PLAIN") as scripted:
        there = with_relay(sending_runtime, scripted.url.replace("smtp://", "smtp://user:sesame@"))
        words = [finding.text for finding in check(there, deaf_resolver(), there.now())]
    assert any("does not accept the user and password (535)" in text for text in words)
    assert "sesame" not in "".join(words)


def test_an_unreachable_relay_is_missing_but_an_unresolvable_one_unknown(sending_runtime):
    assert line_about(with_relay(sending_runtime, f"smtp://127.0.0.1:{free_port()}"), "relay").state is State.MISSING
    assert line_about(with_relay(sending_runtime, "smtp://relay.invalid"), "relay").state is State.UNKNOWN


@pytest.mark.parametrize(
    ("greeting", "state"), [(b"220 here\r\n", State.OK), (b"SSH-2.0\r\n", State.MISSING), (None, State.MISSING)]
)
def test_the_check_connects_to_the_listener(sending_runtime, greeting, state):
    with listener_with_greeting(greeting or b"") as port:
        there = with_relay(
            sending_runtime,
            sending_runtime.settings.relay,
            inbox_url=f"lmtp://127.0.0.1:{port if greeting else free_port()}",
        )
        assert line_about(there, "listener").state is state


@pytest.mark.parametrize(
    ("scheme", "greeting", "words"),
    [
        ("smtp", b"* OK IMAP4rev1 ready\r\n", "a server for IMAP answers, and we need one for SMTP"),
        ("smtp", b"+OK ready\r\n", "a server for POP3 answers, and we need one for SMTP"),
        ("smtps", b"* OK IMAP4rev1 ready\r\n", "a server for IMAP answers, and we need one for SMTP"),
        ("smtps", b"220 here\r\n", "begins unencrypted, so its address begins with smtp://"),
        ("imap", b"220 here\r\n", "a server for SMTP answers, and we need one for IMAP"),
        ("imap", b"+OK ready\r\n", "a server for POP3 answers, and we need one for IMAP"),
        ("imaps", b"220 here\r\n", "a server for SMTP answers, and we need one for IMAP"),
        ("imaps", b"* OK ready\r\n", "begins unencrypted, so its address begins with imap://"),
    ],
)
def test_another_servers_port_is_named(tmp_path, scheme, greeting, words):
    check = check_relay if scheme.startswith("smtp") else check_listener
    with listener_with_greeting(greeting) as port:
        address = f"{scheme}://hearts%40example.org@127.0.0.1:{port}"
        box = {"reply_mailbox": "hearts@example.org", "inbox_password": "sesame"}
        named = {"smtp_url" if check is check_relay else "inbox_url": address}
        finding = check(read_settings(data_dir=tmp_path, **({"inbox_url": "imap://a@b.example"} | box | named)))
    assert (finding.state, f"port {port}" in finding.text, words in finding.text) == (State.MISSING, True, True)


def test_limits_by_network_are_ok_where_a_proxy_is_trusted(runtime):
    assert not [one for one in check(runtime, deaf_resolver(), runtime.now()) if one.text.startswith("networks")]
    for proxies, state in ((0, State.NOT_USED), (1, State.OK)):
        public = {"base_url": "https://hearts.example.org", "trusted_proxies": proxies}
        settings = runtime.settings.model_copy(update=public)
        assert line_about(replace(runtime, settings=settings), "networks").state is state


def test_notifications_are_ok_with_their_own_key_or_locally(runtime, tmp_path):
    assert line_about(runtime, "notifications").text == "notifications: signed with a key that is kept in DATA_DIR"
    public = runtime.settings.model_copy(update={"base_url": "https://hearts.example.org"})
    without = line_about(replace(runtime, settings=public), "notifications")
    assert (without.state, without.text.partition(",")[0]) == (State.NOT_USED, "notifications: VAPID_KEY is not set")
    given = public.model_copy(update={"vapid_key": tmp_path / "push.pem"})
    assert line_about(replace(runtime, settings=given), "notifications").state is State.OK


def test_late_questions_count_unless_delayed_by_preference(runtime):
    start_game(runtime, NAMES[:2], robots=2)
    assert line_about(runtime, "sending").state is State.OK
    runtime.now.pass_by(timedelta(minutes=5))
    late = line_about(runtime, "sending")
    assert (late.state, "2 of them late questions" in late.text) == (State.MISSING, True)
    with runtime.database.writing() as session:
        later = runtime.now() + timedelta(hours=5)
        session.exec(update(LetterRow).values(created_at=later, next_at=later))
        session.exec(update(PlayerRow).values(turns_at=later))
    assert line_about(runtime, "sending").state is State.OK


def test_the_check_says_since_when_the_relay_says_no(runtime):
    with runtime.database.writing() as session:
        holding.pause(session, holding.EVERY_DOMAIN, runtime.now(), "550 no", runtime.now())
    down = line_about(runtime, "sending")
    assert down.state is State.MISSING
    assert "takes no mail of ours since 2026-03-02 12:00 UTC (550 no)" in down.text


def test_a_test_mail_goes_through_the_outbox(runtime):
    worker = threading.Timer(0.5, postman.deliver, [runtime])
    worker.start()
    finding = try_out(runtime, address("Eve"), seconds=20)
    worker.join()
    assert finding.state is State.OK
    (letter,) = letters(runtime, LetterKind.TRIAL)
    assert "To: Operator <eve@example.org>" in letter.message
    assert "List-Unsubscribe" not in letter.message


def test_a_test_mail_reports_the_relays_answer(runtime):
    with ScriptedRelay({"RCPT": ["550 5.7.1 relaying denied"]}) as scripted:
        there = with_relay(runtime, scripted.url)
        worker = threading.Timer(0.5, postman.deliver, [there])
        worker.start()
        finding = try_out(there, address("Eve"), seconds=20)
        worker.join()
    assert finding.state is State.MISSING
    assert "(550 5.7.1 relaying denied)" in finding.text


def test_a_test_mail_that_no_worker_sends_says_so(runtime):
    assert "no worker has taken it" in try_out(runtime, address("Eve"), seconds=0.1).text


def test_the_command_exits_with_1_if_something_is_missing(tmp_path):
    runtime = make_runtime(tmp_path / "var", port=free_port())
    run = site_of(runtime).test_cli_runner().invoke
    said = run(args=["mail", "check"])
    runtime.database.engine.dispose()
    assert said.exit_code == 1
    assert "not used  relay, records and listener: SMTP_URL is not set" in said.output
    assert f"missing   pages at http://127.0.0.1:{runtime.settings.port}: it does not answer" in said.output
    assert "ok        sending: 0 letters queued, none for long" in said.output


def test_the_command_refuses_an_invalid_address(runtime):
    said = site_of(runtime).test_cli_runner().invoke(args=["mail", "check", "--to", "nobody"])
    assert (said.exit_code, "not an email address" in said.output) == (2, True)
    assert letters(runtime) == []


def test_a_database_without_tables_is_reported(runtime):
    SQLModel.metadata.drop_all(runtime.database.engine)
    assert "hearts-by-mail migrate" in line_about(runtime, "database").text


HERE = "127.0.0.1"


@contextmanager
def server(greeting, file=None):
    """A server that greets, on a line encrypted with the certificate in `file`, if one is given."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if file:
        context.load_cert_chain(file)

    class Greet(socketserver.BaseRequestHandler):
        def handle(self):
            with suppress(OSError):
                if file:
                    with context.wrap_socket(self.request, server_side=True) as line:
                        line.sendall(greeting)
                else:
                    self.request.sendall(greeting)

    with socketserver.ThreadingTCPServer((HERE, 0), Greet) as listening:
        listening.daemon_threads = True
        thread = threading.Thread(target=listening.serve_forever, args=[0.05])
        thread.start()
        try:
            yield listening.server_address[1]
        finally:
            listening.shutdown()
            thread.join()


@pytest.mark.parametrize("is_tls", [True, False], ids=["encrypted", "plain"])
@pytest.mark.parametrize("asks_tls", [True, False], ids=["asked so", "asked plain"])
def test_a_server_is_known_either_way(tmp_path, monkeypatch, is_tls, asks_tls):
    monkeypatch.setattr(mail_check, "PATIENCE", 0.5)
    file = certificate(tmp_path, "another.example.org") if is_tls else None
    with server(b"* OK ready\r\n", file) as port:
        assert greeting_at(HERE, port, is_tls=asks_tls) == Greeting("IMAP", is_tls)


@pytest.mark.parametrize(
    ("greeting", "kind"),
    [
        (b"220 here", "SMTP"),
        (b"220-here\r\n220 ready", "SMTP"),
        (b"* PREAUTH hello", "IMAP"),
        (b"* BYE full", "IMAP"),
        (b"+OK ready", "POP3"),
    ],
)
def test_each_greeting_has_its_kind(greeting, kind):
    with server(greeting) as port:
        assert greeting_at(HERE, port, is_tls=False) == Greeting(kind, is_tls=False)


def test_what_greets_otherwise_or_not_is_unknown():
    with server(b"SSH-2.0\r\n") as port:
        assert greeting_at(HERE, port, is_tls=False) is None
    assert greeting_at(HERE, free_port(), is_tls=True) is None
