"""A mailbox with moods: it gives what has come, or breaks in one of the ways in which IMAP servers do."""

import random
import socketserver
import threading
import time
from collections import Counter
from enum import StrEnum

from tests.scripted_imap import PASSWORD, USER, Command, Cut, ScriptedImap

__all__ = ["ADDRESS", "PASSWORD", "USER", "MailboxMood", "MoodyMailbox"]

ADDRESS = "hearts+@in.hearts.example.org"
NOW_AND_THEN = 3  # where only some commands fail: one of this number
LOOK = 0.05  # seconds between two looks whether the mood is over


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


class MoodyMailbox(ScriptedImap):
    """Keeps what it `takes`. `mood` is None while all is well."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__(odd={"LOGIN": self._let_in, "AUTHENTICATE": self._let_in, "UID FETCH": self._give})
        self._luck = luck
        self._changes = threading.Lock()  # players and strangers write at once
        self.mood: MailboxMood | None = None
        self.done: Counter[MailboxMood] = Counter()  # how often it did what its mood says

    def take(self, sender: str, to: str, raw: bytes) -> int:
        """Takes a mail as a provider's server does, which notes the envelope. Returns SMTP's answer."""
        mail = f"Return-Path: <{sender}>\nDelivered-To: {to}\n".encode() + raw.replace(b"\r\n", b"\n")
        self.put(*[mail] * (2 if self._is_struck(MailboxMood.REPEATS) else 1))
        return 250

    def put(self, *mails: bytes) -> None:
        """Mails come in, while threads read those that are there."""
        with self._changes:
            self.mails = {**self.mails, **dict(enumerate(mails, self.following))}
            self.following += len(mails)

    def renumber(self) -> None:
        """Gives all mails new numbers, as after a repair of the server."""
        with self._changes:
            self.validity += 1
            self.mails = dict(enumerate(self.mails.values(), 1))
            self.following = len(self.mails) + 1

    def _is_struck(self, mood: MailboxMood, one_of: int = 1) -> bool:
        """Whether the mood shows now: in one of `one_of` cases, which is always for 1."""
        is_struck = self.mood is mood and self._luck.randrange(one_of) == 0
        self.done[mood] += is_struck
        return is_struck

    def _answer(self, line: socketserver.StreamRequestHandler, command: Command) -> None:
        while self.mood is MailboxMood.HANGS and not self._over.is_set():
            time.sleep(LOOK)
        if self._is_struck(MailboxMood.SAYS_BYE, NOW_AND_THEN):
            raise Cut(b"* BYE the server is going down\r\n")
        if command.word == "IDLE" and self._is_struck(MailboxMood.ENDS_IDLE):
            raise Cut(b"+ idling\r\n")
        super()._answer(line, command)

    def _let_in(self, _: ScriptedImap, command: Command) -> bytes | None:
        return command.done("NO [LIMIT] too many") if self._is_struck(MailboxMood.REFUSES_LOGINS) else None

    def _give(self, _: ScriptedImap, command: Command) -> bytes | None:
        if self._is_struck(MailboxMood.REFUSES_MAILS, NOW_AND_THEN):
            return command.done("NO [SERVERBUG] this mail cannot be read")
        if self._is_struck(MailboxMood.CUTS_MAILS, NOW_AND_THEN):
            said = b"".join(self.fetched(uid, command) for uid in self.named(command))
            raise Cut(said[: len(said) * 2 // 3])
        return None
