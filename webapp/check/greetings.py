"""Asks what kind of server answers at a port: an address for fetching may name the port for sending, and the reverse.

Sources: the greetings of RFC 5321 (SMTP), RFC 9051 (IMAP) and RFC 1939 (POP3).
"""

import socket
import ssl
from dataclasses import dataclass

GREETINGS = ((b"220", "SMTP"), (b"* ", "IMAP"), (b"+OK", "POP3"))
PATIENCE = 5.0  # seconds to wait for a greeting


@dataclass(frozen=True, slots=True)
class Greeting:
    """The kind of a server, such as "SMTP", and whether its port is encrypted from the first byte."""

    kind: str
    is_tls: bool


def greeting_at(host: str, port: int, *, is_tls: bool) -> Greeting | None:
    """How the server at that port greets, in the way `is_tls` says or else in the other; None if it does neither.

    Nothing is sent to it, so that its certificate does not matter.
    """
    for way in (is_tls, not is_tls):
        try:
            said = _said(host, port, is_tls=way)
        except OSError:
            continue
        for beginning, kind in GREETINGS:
            if said.startswith(beginning):
                return Greeting(kind, way)
    return None


def _said(host: str, port: int, *, is_tls: bool) -> bytes:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection((host, port), timeout=PATIENCE) as plain:
        if not is_tls:
            return plain.recv(100)
        with context.wrap_socket(plain, server_hostname=host) as line:
            return line.recv(100)
