"""A relay with a script: it answers, hangs up or keeps silent, command by command."""

import re
import socketserver
import threading
from collections import Counter
from contextlib import suppress
from email import message_from_bytes

from pydantic import SecretStr

from tests.worker.loopback import Loopback
from webapp.core.runtime import Runtime

CUT, SILENCE = "cut", "silence"
_VERB = re.compile("^(?:mail from|rcpt to)", re.IGNORECASE)
HOLD = "hold"  # the response comes once the test has set `released`


class ScriptedRelay(Loopback):
    """An SMTP server on the loopback. `script` maps a step to its first, second, … response; after that it says yes.

    The steps are "banner", the commands ("RCPT", or "RCPT bo@example.org" for one address), and "dot".
    """

    def __init__(self, script: dict[str, list[str]] | None = None, greeting: str = "relay") -> None:
        super().__init__()
        self.script = script or {}
        self.kept: list[bytes] = []  # every mail whose dot has come
        self.heard: list[str] = []  # every command
        self.connections = 0
        self.held, self.released = threading.Event(), threading.Event()
        relay = self

        class Answer(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                relay.connections += 1
                with suppress(ConnectionError):
                    relay._talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        self._greeting = greeting
        self.url = f"smtp://127.0.0.1:{self._server.server_address[1]}"

    def _talk(self, line: socketserver.StreamRequestHandler) -> None:
        if _ends(self._answer(line, ["banner"], "220 here")):
            return
        for command in line.rfile:
            words = command.decode().strip()
            verb = words[:4].upper()
            self.heard.append(_VERB.sub(lambda verb: verb[0].lower(), words))  # Python 3.13 writes them small
            steps = [f"{verb} {words.partition('<')[2].partition('>')[0]}", verb]
            good = {
                "DATA": "354 go on",
                "QUIT": "221 goodbye",
                "AUTH": "235 hello",
                "EHLO": f"250-{self._greeting}\r\n250 8BITMIME",
            }
            said = self._answer(line, steps, good.get(verb, "250 fine"))
            if _ends(said) or verb == "QUIT":
                return
            if verb == "DATA" and said.startswith("354") and not self._take_mail(line):
                return

    def _take_mail(self, line: socketserver.StreamRequestHandler) -> bool:
        content = b""
        while (row := line.rfile.readline()) not in (b".\r\n", b""):
            content += row[1:] if row.startswith(b"..") else row
        if not row:
            return False
        self.kept.append(content)
        return not _ends(self._answer(line, ["dot"], "250 taken"))

    def _answer(self, line: socketserver.StreamRequestHandler, steps: list[str], good: str) -> str:
        """Does what the script says, and returns that."""
        response = next((self.script[step].pop(0) for step in steps if self.script.get(step)), good)
        if response == HOLD:
            self.held.set()
            self.released.wait(60)
            response = good
        if response == SILENCE:
            self._over.wait()
        if response not in (CUT, SILENCE):
            line.wfile.write(f"{response}\r\n".encode())
        return response


def _ends(said: str) -> bool:
    """Whether the connection ends with this response."""
    return said in (CUT, SILENCE) or said.startswith("421")


def with_relay(runtime: Runtime, url: str, **settings: object) -> Runtime:
    """The same runtime, but for the relay and other settings."""
    changed = runtime.settings.model_copy(update={"smtp_url": SecretStr(url), **settings})
    made = Runtime(changed, runtime.now, runtime.chance)
    made.__dict__["database"] = runtime.database  # the same engine, which is disposed of with `runtime`
    return made


def sent(relay: ScriptedRelay) -> Counter[str]:
    """How often each email was handed over, by its Message-ID."""
    return Counter(message_from_bytes(mail)["Message-ID"] for mail in relay.kept)
