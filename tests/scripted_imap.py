"""A scripted IMAP server: it has a few mails, and answers as servers do, or oddly where a test wants that."""

import base64
import re
import select
import socketserver
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from tests.worker.loopback import Loopback

USER, PASSWORD = "hearts@example.org", "pass word"
CAPABILITIES = "IMAP4rev1 IDLE UIDPLUS MOVE"
_WANTED = re.compile(r"BODY\.PEEK(\[[^\]]*\])")


class Cut(Exception):
    """The server hangs up, after these last bytes."""

    def __init__(self, last: bytes = b"") -> None:
        super().__init__(last)
        self.last = last


@dataclass(frozen=True)
class Command:
    """A command as it has come: the word, such as "UID FETCH", the rest of its line, and how often it came so far."""

    tag: str
    word: str
    rest: str
    number: int

    def done(self, said: str = "OK done", before: bytes = b"") -> bytes:
        return before + f"{self.tag} {said}\r\n".encode()


Odd = Callable[["ScriptedImap", Command], bytes | None]
"""Answers a command oddly, or as all servers do by returning None. May raise Cut."""


class ScriptedImap(Loopback):
    """An IMAP server on the loopback with an inbox. `odd` maps commands, and "greeting", to what answers them."""

    def __init__(self, *mails: bytes, capabilities: str = CAPABILITIES, odd: dict[str, Odd] | None = None) -> None:
        super().__init__()
        self.mails = dict(enumerate(mails, 1))
        self.validity, self.following = 7, len(mails) + 1
        self.capabilities, self.odd = capabilities, odd or {}
        self.password = PASSWORD
        self.folders: dict[str, list[bytes]] = {}  # besides the inbox
        self.deleted: set[int] = set()  # marked so
        self.heard: list[str] = []  # every command, without its tag
        self.connections = 0
        self.told: dict[socketserver.StreamRequestHandler, int] = {}  # up to which mail each line has been told of them
        imap = self

        class Answer(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                imap.connections += 1
                with suppress(ConnectionError):
                    imap._talk(self)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answer)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"imap://{USER}@127.0.0.1:{self.port}"

    def put(self, *mails: bytes) -> None:
        """Mails come in."""
        for raw in mails:
            self.mails[self.following] = raw
            self.following += 1

    def count(self, word: str) -> int:
        """How often a command has come."""
        return sum(one.startswith(word) for one in self.heard)

    def named(self, command: Command) -> list[int]:
        """The mails that a command names by their numbers."""
        last, found = max(self.mails, default=0), set()
        for part in command.rest.partition(" ")[0].split(","):
            ends = [last if one == "*" else int(one) for one in part.split(":")]
            found |= {uid for uid in self.mails if min(ends) <= uid <= max(ends)}
        return sorted(found)

    def opened(self, command: Command) -> bytes:
        """The answer to a command that opens the inbox."""
        said = [f"{len(self.mails)} EXISTS", "0 RECENT", "FLAGS (\\Deleted)"]
        said += [f"OK [UIDVALIDITY {self.validity}] ok", f"OK [UIDNEXT {self.following}] ok"]
        return command.done(before="".join(f"* {one}\r\n" for one in said).encode())

    def fetched(self, uid: int, command: Command, mails: dict[int, bytes] | None = None) -> bytes:
        """The answer about one mail."""
        raw = (mails or self.mails)[uid]
        said = f"* {sorted(self.mails).index(uid) + 1} FETCH (UID {uid}".encode()
        if wanted := _WANTED.search(command.rest):
            head, _, _ = raw.partition(b"\n\n")
            name, content = (b"[]<0>", raw) if wanted[1] == "[]" else (wanted[1].encode(), head + b"\n\n")
            said += b" BODY%s {%d}\r\n%s" % (name, len(content), content)
        return said + b")\r\n"

    def _talk(self, line: socketserver.StreamRequestHandler) -> None:
        try:
            self._answer(line, Command("*", "greeting", "", self.connections))
            for words in line.rfile:
                tag, _, rest = words.decode().strip().partition(" ")
                word, _, rest = rest.partition(" ")
                if word.upper() == "UID":
                    word, _, rest = rest.partition(" ")
                    word = f"UID {word}"
                self.heard.append(f"{word.upper()} {rest}")
                self._answer(line, Command(tag, word.upper(), rest, self.count(word.upper())))
        except Cut as cut:
            line.wfile.write(cut.last)

    def _answer(self, line: socketserver.StreamRequestHandler, command: Command) -> None:
        if command.word in ("EXAMINE", "SELECT", "UID FETCH"):
            self.told[line] = self.following
        answer = self.odd[command.word](self, command) if command.word in self.odd else None
        if answer is None:
            answer = self._usual(line, command)
        line.wfile.write(answer)

    def _usual(self, line: socketserver.StreamRequestHandler, command: Command) -> bytes:
        match command.word:
            case "greeting":
                return command.done("OK here")
            case "CAPABILITY":
                return command.done(before=f"* CAPABILITY {self.capabilities}\r\n".encode())
            case "LOGIN":
                quoted = self.password.replace("\\", "\\\\").replace('"', '\\"')
                return command.done("OK in" if command.rest == f'{USER} "{quoted}"' else "NO wrong")
            case "AUTHENTICATE":
                line.wfile.write(b"+ \r\n")
                said = base64.b64decode(line.rfile.readline()).decode()
                return command.done("OK in" if said == f"\0{USER}\0{self.password}" else "NO wrong")
            case "SELECT" | "EXAMINE":
                return self.opened(command)
            case "UID SEARCH":
                found = " ".join(map(str, self.mails))
                return command.done(before=f"* SEARCH {found}\r\n".encode())
            case "UID FETCH":
                return command.done(before=b"".join(self.fetched(uid, command) for uid in self.named(command)))
            case "UID STORE":
                self.deleted |= set(self.named(command))
            case "UID COPY" | "UID MOVE":
                folder = command.rest.partition(" ")[2].strip('"')
                if folder not in self.folders:
                    return command.done("NO [TRYCREATE] no such folder")
                self.folders[folder] += [self.mails[uid] for uid in self.named(command)]
                if command.word == "UID MOVE":
                    self._remove(self.named(command))
            case "UID EXPUNGE":
                self._remove([uid for uid in self.named(command) if uid in self.deleted])
            case "LIST":
                names = [name for name in self.folders if f'"{name}"' in command.rest]
                return command.done(before="".join(f'* LIST () "." "{name}"\r\n' for name in names).encode())
            case "CREATE":
                self.folders[command.rest.strip('"')] = []
            case "IDLE":
                return self._idle(line, command)
            case "LOGOUT":
                raise Cut(command.done(before=b"* BYE\r\n"))
            case "NOOP":
                pass
            case _:
                return command.done("BAD what?")
        return command.done()

    def _remove(self, uids: list[int]) -> None:
        for uid in uids:
            del self.mails[uid]

    def _idle(self, line: socketserver.StreamRequestHandler, command: Command) -> bytes:
        known = self.told[line]
        line.wfile.write(b"+ idling\r\n")
        while not select.select([line.connection], [], [], 0.02)[0]:
            if self._over.is_set():
                raise Cut
            if self.following != known:
                known = self.following
                line.wfile.write(b"* %d EXISTS\r\n" % len(self.mails))
        line.rfile.readline()
        return command.done()


def without(word: str) -> Odd:
    """Opens a folder without saying this."""

    def answer(server: ScriptedImap, command: Command) -> bytes:
        usual = server.opened(command)
        return b"".join(row for row in usual.splitlines(keepends=True) if word.encode() not in row)

    return answer


def nothing_by_numbers(_: ScriptedImap, command: Command) -> bytes | None:
    """Finds no mail by its number."""
    return command.done(before=b"* SEARCH\r\n") if command.rest.startswith("UID") else None
