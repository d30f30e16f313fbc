"""The password for the relay: it leaves this machine on an encrypted connection, or not at all."""

import ssl
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import AuthResult, LoginPassword

from tests.cast import letters, open_table
from tests.certificates import certificate
from tests.names import deaf_resolver
from tests.servers import free_port
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.core.mail_server import NoLogin, connect_smtp
from webapp.models import LetterState
from webapp.operators.mail_check import check
from webapp.operators.mail_servers import State
from worker import postman

ELSEWHERE = "127.1"  # leads to this machine, but is none of its usual names
LOGS_IN = "relay\r\n250-AUTH PLAIN"


def elsewhere(relay: ScriptedRelay, user: str = "user:sesame@") -> str:
    return relay.url.replace("smtp://127.0.0.1", f"smtp://{user}{ELSEWHERE}")


def test_no_password_is_sent_unencrypted(runtime, caplog):
    open_table(runtime)
    with ScriptedRelay(greeting=LOGS_IN) as relay:
        postman.deliver(with_relay(runtime, elsewhere(relay)))
    assert [heard[:4] for heard in relay.heard] == ["ehlo"]
    assert relay.kept == []
    letter = letters(runtime)[0]
    assert (letter.state, letter.problem) == (LetterState.QUEUED, "the relay is not used until its settings are mended")
    assert "SMTP_URL has a user and password, and this relay offers no STARTTLS" in caplog.text
    assert "sesame" not in caplog.text


def test_mails_are_sent_unencrypted_where_there_is_no_password(runtime):
    open_table(runtime)
    with ScriptedRelay() as relay:
        postman.deliver(with_relay(runtime, elsewhere(relay, user="")))
    assert relay.kept


def test_on_this_machine_a_password_needs_no_encryption(runtime):
    with ScriptedRelay({"AUTH": ["235 come in"]}, greeting=LOGS_IN) as relay:
        connect_smtp(relay.url.replace("smtp://", "smtp://user:sesame@"), 5).close()
    assert any(heard.startswith("AUTH") for heard in relay.heard)


def test_a_relay_without_login_is_named_with_the_way_out(runtime, caplog):
    open_table(runtime)
    with ScriptedRelay() as relay:
        there = with_relay(runtime, relay.url.replace("smtp://", "smtp://user:sesame@"))
        postman.deliver(there)
        finding = next(one for one in check(there, deaf_resolver(), there.now()) if one.text.startswith("relay"))
    for said in (caplog.text, finding.text):
        assert "this relay offers no login (AUTH): leave the user out, or name another port" in said
    assert (relay.kept, finding.state) == ([], State.MISSING)


@pytest.mark.parametrize(
    ("offered", "user", "words"),
    [
        ("GSSAPI NTLM", "user:sesame", "offers the logins GSSAPI, NTLM, and we know CRAM-MD5, LOGIN, PLAIN"),
        ("PLAIN LOGIN", "user;AUTH=XOAUTH2:token", "offers the logins PLAIN, LOGIN, and we know XOAUTH2"),
    ],
)
def test_a_relay_with_other_logins_is_named_with_them(offered, user, words):
    with ScriptedRelay(greeting=f"relay\r\n250-AUTH {offered}") as relay, pytest.raises(NoLogin, match=words):
        connect_smtp(relay.url.replace("smtp://", f"smtp://{user}@"), 5)


def test_the_check_names_the_missing_encryption(runtime):
    with ScriptedRelay(greeting=LOGS_IN) as relay:
        there = with_relay(runtime, elsewhere(relay))
        finding = next(one for one in check(there, deaf_resolver(), there.now()) if one.text.startswith("relay"))
    assert finding.state is State.MISSING
    assert "this relay offers no STARTTLS to protect them" in finding.text
    assert "sesame" not in finding.text


@contextmanager
def encrypting_relay(folder: Path) -> Iterator[tuple[str, list[bytes]]]:
    """A relay that offers STARTTLS, and accepts no login before: its address, and the passwords that it got."""
    got: list[bytes] = []

    def take(_, __, ___, mechanism: str, login: LoginPassword) -> AuthResult:
        got.append(login.password)
        return AuthResult(success=True)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder, ELSEWHERE))
    server = Controller(Sink(), hostname="127.0.0.1", port=free_port(), tls_context=context, authenticator=take)
    server.start()
    try:
        yield f"smtp://user:sesame@{ELSEWHERE}:{server.port}", got
    finally:
        server.stop()


def test_a_password_is_sent_over_starttls_with_a_valid_certificate(tmp_path, monkeypatch):
    with encrypting_relay(tmp_path) as (url, got):
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        with connect_smtp(url, 10) as line:
            assert isinstance(line.sock, ssl.SSLSocket)
    assert got == [b"sesame"]


def test_no_password_is_sent_if_the_certificate_is_invalid(tmp_path):
    with encrypting_relay(tmp_path) as (url, got), pytest.raises(ssl.SSLError):
        connect_smtp(url, 10)
    assert got == []


def test_a_user_without_a_password_has_that_of_the_mailbox(runtime, caplog):
    open_table(runtime)
    with ScriptedRelay({"AUTH": ["235 come in"]}, greeting=LOGS_IN) as relay:
        url = relay.url.replace("smtp://", "smtp://user@")
        postman.deliver(with_relay(runtime, url))
        assert relay.kept == []
        assert "INBOX_PASSWORD must be set" in caplog.text
        connect_smtp(url, 5, lambda: "sesame").close()
    assert any(b64encode(b"\0user\0sesame").decode() in heard for heard in relay.heard)
