"""The kind of a server by its greeting, encrypted or not, whatever its certificate."""

import socketserver
import ssl
import threading
from contextlib import contextmanager, suppress

import pytest

from tests.certificates import certificate
from tests.servers import free_port
from webapp.check import greetings
from webapp.check.greetings import Greeting, greeting_at

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
    monkeypatch.setattr(greetings, "PATIENCE", 0.5)
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
