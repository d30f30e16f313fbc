"""A mailbox with moods: an IMAP server that gives what has come, or breaks in one of the ways in which such servers do.

It has one user, and of RFC 9051 what a reader of mails needs, with IDLE (RFC 2177), MOVE (RFC 6851) and UIDPLUS
(RFC 4315).
"""

import base64
import random
import re
import select
import socketserver
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from typing import NoReturn

from tests.worker.loopback import Loopback

USER, PASSWORD = "hearts", "a password of the tests"
ADDRESS = "hearts+@in.hearts.example.org"
INBOX = "INBOX"
CAPABILITIES = "IMAP4rev1 IDLE MOVE UIDPLUS LITERAL+ ID NAMESPACE"
NOW_AND_THEN = 3  # where only some commands fail: one of this number
LOOK = 0.05  # seconds between two looks for a mail
_ATOM = re.compile(rb'"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|[^\s()"\[\]]*\[[^\]]*\]\S*|[^\s()"]+')
_PART = re.compile(r"BODY(?:\.PEEK)?\[(.*?)\](?:<(\d+)\.(\d+)>)?", re.DOTALL)


class MailboxMood(StrEnum):
    """A behaviour of the mailbox; the values name it in the closing table."""

    REFUSES_LOGINS = "mailbox lets nobody in for now (LIMIT)"
    REFUSES_MAILS = "mailbox cannot give some mails for now (SERVERBUG)"
    SAYS_BYE = "mailbox ends sessions (BYE)"
    CUTS_MAILS = "mailbox cuts the connection within a mail"
    ENDS_IDLE = "mailbox hangs up in IDLE"
    HANGS = "mailbox hangs"
    REPEATS = "mailbox gets each mail twice"
    RENUMBERS = "mailbox numbers its mails anew"


class _HungUp(Exception):
    """The session is over."""


class MoodyMailbox(Loopback):
    """Keeps what it `takes`. `mood` is None while all is well."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self._luck = luck
        self.mood: MailboxMood | None = None
        self.folders: dict[str, dict[int, bytes]] = {INBOX: {}}  # mails by their numbers
        self.validity, self._last = 1, 0
        self.done: Counter[MailboxMood] = Counter()  # how often it did what its mood says
        self._lock = threading.RLock()
        self._server = _Server(("127.0.0.1", 0), _Session)
        self._server.mailbox = self
        self.url = f"imap://{USER}@127.0.0.1:{self._server.server_address[1]}"

    def take(self, sender: str, to: str, raw: bytes) -> int:
        """Takes a mail as a provider's server does, which notes the envelope. Returns SMTP's answer."""
        head = f"Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n".encode()
        mail = head + b"\r\n".join(raw.splitlines()) + b"\r\n"
        for _ in range(2 if self.is_struck(MailboxMood.REPEATS) else 1):
            self.put(INBOX, mail)
        return 250

    def put(self, folder: str, mail: bytes) -> None:
        with self._lock:
            self._last += 1
            self.folders[folder][self._last] = mail

    def renumber(self) -> None:
        """Gives all mails new numbers, as after a repair of the server."""
        with self._lock:
            self.validity += 1
            self._last = 0
            for folder, mails in self.folders.items():
                kept = list(mails.values())
                self.folders[folder] = {}
                for mail in kept:
                    self.put(folder, mail)

    @property
    def newest(self) -> int:
        """The number of the last mail in the inbox; 0 if it is empty."""
        with self._lock:
            return max(self.folders[INBOX], default=0)

    @property
    def next_number(self) -> int:
        return self._last + 1

    def copy_of(self, folder: str) -> dict[int, bytes]:
        with self._lock:
            return dict(self.folders[folder])

    def remove(self, folder: str, uids: list[int]) -> None:
        with self._lock:
            for uid in uids:
                self.folders[folder].pop(uid, None)

    def is_struck(self, mood: MailboxMood, one_of: int = 1) -> bool:
        """Whether the mood shows now: in one of `one_of` cases, which is always for 1."""
        is_struck = self.mood is mood and self._luck.randrange(one_of) == 0
        self.done[mood] += is_struck
        return is_struck

    @property
    def is_over(self) -> bool:
        return self._over.is_set()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    mailbox: MoodyMailbox


class _Session(socketserver.StreamRequestHandler):
    """One session, which ends with its connection."""

    server: _Server

    def handle(self) -> None:
        self._box = self.server.mailbox
        self._folder, self._marked = "", set[int]()
        self._announced = 0
        with suppress(OSError, _HungUp):
            self._say("* OK here")
            while line := self._line():
                self._obey(line)

    def _line(self) -> bytes:
        """The next command, with its literals in quotes; empty once the client has gone."""
        line = self.rfile.readline()
        while match := re.search(rb"\{(\d+)(\+?)\}\r\n$", line):
            if not match[2]:
                self._say("+ go on")
            literal = self.rfile.read(int(match[1])).replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            line = line[: match.start()] + b'"' + literal + b'"' + self.rfile.readline()
        return line

    def _obey(self, line: bytes) -> None:
        tag, verb, *words = (one.decode("utf-8", "surrogateescape") for one in _ATOM.findall(line))
        if verb.upper() == "UID":
            verb, words = f"UID {words[0]}", words[1:]
        if self._box.is_struck(MailboxMood.SAYS_BYE, NOW_AND_THEN):
            self._say("* BYE the server is going down")
            raise _HungUp
        while self._box.mood is MailboxMood.HANGS and not self._box.is_over:
            time.sleep(LOOK)
        answer = _COMMANDS.get(verb.upper(), _Session._unknown)(self, tag, words)
        if self._folder and verb.upper() != "SELECT":
            self._announce()
        self._say(f"{tag} {answer or 'OK done'}")
        if verb.upper() == "LOGOUT":
            raise _HungUp

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def _announce(self) -> None:
        count = len(self._box.copy_of(self._folder))
        if count != self._announced:
            self._announced = count
            self._say(f"* {count} EXISTS")

    def _unknown(self, _: str, __: list[str]) -> str:
        return "BAD no such command"

    def _done(self, _: str, __: list[str]) -> str | None:
        return None

    def _capability(self, _: str, __: list[str]) -> None:
        self._say(f"* CAPABILITY {CAPABILITIES}")

    def _namespace(self, _: str, __: list[str]) -> None:
        self._say('* NAMESPACE (("" "/")) NIL NIL')

    def _id(self, _: str, __: list[str]) -> None:
        self._say("* ID NIL")

    def _bye(self, _: str, __: list[str]) -> None:
        self._say("* BYE come again")

    def _login(self, _: str, words: list[str]) -> str | None:
        return self._let_in(*map(_unquoted, words))

    def _authenticate(self, _: str, words: list[str]) -> str | None:
        if len(words) == 1:
            self._say("+ ")
            words.append(self.rfile.readline().decode().strip())
        return self._let_in(*base64.b64decode(words[1]).decode().split("\0")[1:])

    def _let_in(self, user: str, password: str) -> str | None:
        if self._box.is_struck(MailboxMood.REFUSES_LOGINS):
            return "NO [LIMIT] too many sessions"
        return None if (user, password) == (USER, PASSWORD) else "NO [AUTHENTICATIONFAILED] wrong password"

    def _list(self, _: str, words: list[str]) -> None:
        pattern = re.escape(_unquoted(words[-1])).replace(r"\*", ".*").replace("%", "[^/]*")
        for name in self._box.folders:
            if re.fullmatch(pattern, name):
                self._say(f'* LIST () "/" "{name}"')

    def _create(self, _: str, words: list[str]) -> None:
        self._box.folders.setdefault(_unquoted(words[0]), {})

    def _select(self, _: str, words: list[str]) -> str | None:
        folder = _unquoted(words[0])
        if folder not in self._box.folders:
            return "NO [NONEXISTENT] no such folder"
        self._folder, self._announced = folder, len(self._box.copy_of(folder))
        for line in (
            f"{self._announced} EXISTS",
            "0 RECENT",
            "FLAGS (\\Seen \\Deleted)",
            f"OK [UIDVALIDITY {self._box.validity}] valid",
            f"OK [UIDNEXT {self._box.next_number}] next",
        ):
            self._say(f"* {line}")
        return None

    def _search(self, _: str, words: list[str]) -> None:
        found = set(self._box.copy_of(self._folder))
        for word, value in zip(words, [*words[1:], ""], strict=True):
            if word.upper() == "UID":
                found &= set(self._numbers(value))
        self._say(" ".join(["* SEARCH", *map(str, sorted(found))]))

    def _numbers(self, text: str) -> list[int]:
        """The numbers of the mails in a set such as `3:*,7`, in order."""
        there = sorted(self._box.copy_of(self._folder))
        found = set[int]()
        for one in text.split(","):
            first, _, last = one.partition(":")
            ends = [there[-1] if end == "*" and there else int(end.replace("*", "0")) for end in (first, last or first)]
            found |= {uid for uid in there if min(ends) <= uid <= max(ends)}
        return sorted(found)

    def _fetch(self, _: str, words: list[str]) -> str | None:
        if self._box.is_struck(MailboxMood.REFUSES_MAILS, NOW_AND_THEN):
            return "NO [SERVERBUG] this mail cannot be read"
        mails, items = self._box.copy_of(self._folder), " ".join(words[1:])
        places = {uid: place for place, uid in enumerate(mails, 1)}
        for uid in self._numbers(words[0]):
            parts = [f"UID {uid}".encode()]
            if "FLAGS" in items.replace("HEADER.FIELDS", ""):
                parts.append(b"FLAGS ()")
            if "RFC822.SIZE" in items:
                parts.append(f"RFC822.SIZE {len(mails[uid])}".encode())
            if "INTERNALDATE" in items:
                parts.append(f'INTERNALDATE "{datetime.now(UTC):%d-%b-%Y %H:%M:%S} +0000"'.encode())
            parts += _parts(mails[uid], items)
            said = f"* {places[uid]} FETCH (".encode() + b" ".join(parts) + b")\r\n"
            if self._box.is_struck(MailboxMood.CUTS_MAILS, NOW_AND_THEN):
                self.wfile.write(said[: len(said) * 2 // 3])
                self._hang_up()
            self.wfile.write(said)
        return None

    def _store(self, _: str, words: list[str]) -> None:
        if "\\DELETED" in " ".join(words[1:]).upper():
            self._marked |= set(self._numbers(words[0]))

    def _expunge(self, _: str, words: list[str]) -> None:
        self._box.remove(self._folder, sorted(self._marked & set(self._numbers(words[0]))))
        self._announced = len(self._box.copy_of(self._folder))

    def _copy(self, _: str, words: list[str]) -> str | None:
        folder = _unquoted(words[1])
        if folder not in self._box.folders:
            return "NO [TRYCREATE] no such folder"
        mails = self._box.copy_of(self._folder)
        for uid in self._numbers(words[0]):
            self._box.put(folder, mails[uid])
        return None

    def _move(self, tag: str, words: list[str]) -> str | None:
        uids = self._numbers(words[0])
        if refused := self._copy(tag, words):
            return refused
        self._box.remove(self._folder, uids)
        self._announced = len(self._box.copy_of(self._folder))
        return None

    def _idle(self, _: str, __: list[str]) -> None:
        self._say("+ idling")
        while not self._box.is_over:
            if self._box.is_struck(MailboxMood.ENDS_IDLE):
                self._hang_up()
            if self._box.mood is not MailboxMood.HANGS:
                self._announce()
            if select.select([self.connection], [], [], LOOK)[0]:
                self.rfile.readline()
                return

    def _hang_up(self) -> NoReturn:
        raise _HungUp


def _unquoted(word: str) -> str:
    return re.sub(r"\\(.)", r"\1", word[1:-1]) if word.startswith('"') else word


def _parts(mail: bytes, items: str) -> Iterator[bytes]:
    """The parts of a mail that a FETCH asks for, as literals."""
    for match in _PART.finditer(items):
        section, first, most = match.groups()
        whole = _section(mail, section)
        origin = f"<{first}>" if first else ""
        part = whole[int(first) : int(first) + int(most)] if first else whole
        yield f"BODY[{section}]{origin} {{{len(part)}}}\r\n".encode() + part


def _section(mail: bytes, section: str) -> bytes:
    head, _, text = mail.partition(b"\r\n\r\n")
    words = section.replace("(", " ").replace(")", " ").split()
    match words:
        case []:
            return mail
        case ["HEADER"]:
            return head + b"\r\n\r\n"
        case ["TEXT"]:
            return text
        case ["HEADER.FIELDS", *names]:
            wanted = {name.strip('"').upper().encode() for name in names}
            fields = re.findall(rb"[^\r\n]+(?:\r\n[ \t][^\r\n]*)*", head)
            return b"".join(one + b"\r\n" for one in fields if one.partition(b":")[0].upper() in wanted) + b"\r\n"
    raise ValueError(section)


_COMMANDS: dict[str, Callable[[_Session, str, list[str]], str | None]] = {
    "CAPABILITY": _Session._capability,
    "NAMESPACE": _Session._namespace,
    "ID": _Session._id,
    "LOGIN": _Session._login,
    "AUTHENTICATE": _Session._authenticate,
    "LIST": _Session._list,
    "CREATE": _Session._create,
    "SUBSCRIBE": _Session._done,
    "SELECT": _Session._select,
    "EXAMINE": _Session._select,
    "UID SEARCH": _Session._search,
    "UID FETCH": _Session._fetch,
    "UID STORE": _Session._store,
    "UID EXPUNGE": _Session._expunge,
    "UID COPY": _Session._copy,
    "UID MOVE": _Session._move,
    "IDLE": _Session._idle,
    "NOOP": _Session._done,
    "CLOSE": _Session._done,
    "UNSELECT": _Session._done,
    "LOGOUT": _Session._bye,
}
