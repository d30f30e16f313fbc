"""A push service and its browsers, on the loopback: each decrypts its notifications, as only it can.

Sources: RFC 8291 (encryption), RFC 8292 (signature).
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.worker.loopback import Loopback
from tests.worker.push_decryption import decrypt
from webapp.accounts.devices import Subscription

SILENCE = 0  # in place of an answer


def base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass(frozen=True)
class Notification:
    """A notification as the browser got it, and its headers."""

    path: str
    headers: dict[str, str]
    shown: dict[str, Any]

    @property
    def claims(self) -> dict[str, Any]:
        """The signed claims of the sender; the signature is valid."""
        signed = self.headers["authorization"]
        assert Vapid02.verify(signed)
        claims = signed.partition("t=")[2].split(".")[1]
        read: dict[str, Any] = json.loads(urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
        return read

    @property
    def signed_by(self) -> str:
        """The public key of the sender."""
        return self.headers["authorization"].partition("k=")[2]


@dataclass
class Browser:
    """A subscribed browser, with its own keys."""

    subscription: Subscription
    opens: Any
    notifications: list[Notification] = field(default_factory=list)

    @property
    def form(self) -> dict[str, str]:
        """The subscription that it sends."""
        hers = self.subscription
        return {"endpoint": hers.endpoint, "p256dh": hers.public_key, "auth": hers.secret}


class PushService(Loopback):
    """`script`: the response to the first, second, … request, as a status; after that 201."""

    def __init__(self, *script: int) -> None:
        super().__init__()
        self.script = list(script)
        self.asked = 0
        self.leads_to: str | None = None  # the target of a response of 3xx
        self._browsers: dict[str, Browser] = {}
        service = self

        class Answer(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                with suppress(ConnectionError):
                    service._answer(self)

            do_GET = do_POST  # which only a redirect could bring

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"

    def browser(self) -> Browser:
        """One more browser that has subscribed here."""
        key, secret = generate_private_key(SECP256R1()), os.urandom(16)
        public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        path = f"/send/{base64url(os.urandom(16))}"

        def opens(content: bytes) -> bytes:
            return decrypt(content, key, secret)

        made = Browser(Subscription(self.origin + path, base64url(public), base64url(secret)), opens)
        self._browsers[path] = made
        return made

    def hang_up(self) -> None:
        """Ends every silent wait without a response."""
        self._over.set()

    def _answer(self, call: BaseHTTPRequestHandler) -> None:
        self.asked += 1
        content = call.rfile.read(int(call.headers["Content-Length"] or 0))
        status = self.script.pop(0) if self.script else 201
        if status == SILENCE:
            self._over.wait()
            return
        if status == 201:
            browser = self._browsers[call.path]
            headers = {name.lower(): value for name, value in call.headers.items()}
            browser.notifications.append(Notification(call.path, headers, json.loads(browser.opens(content))))
        call.send_response(status)
        if self.leads_to:
            call.send_header("Location", self.leads_to)
        call.send_header("Content-Length", "0")
        call.end_headers()
