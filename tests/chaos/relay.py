"""A relay with moods: it takes mails, or breaks in one of the ways in which relays break."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NoReturn

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.servers import Mail, MailServer

NOW_AND_THEN = 3  # where only some mails fail: one of this number; a mail that may have arrived waits for ten minutes


class Mood(StrEnum):
    """A behaviour of the relay; the values name it in the closing table."""

    REFUSES_ALL = "relay refuses all for now (451)"
    REFUSES_US = "relay refuses our session (530)"
    REFUSES_SOME = "relay refuses some recipients for now (450)"
    REFUSES_FOR_GOOD = "relay refuses one recipient for good (550)"
    REFUSES_CONTENT = "relay refuses contents for now (452)"
    HANGS = "relay hangs"
    CUTS_CONTENT = "relay cuts the connection within DATA"
    CUTS_ANSWER = "relay cuts the connection after the final dot"


class MoodyRelay(MailServer):
    """Keeps every email that it has taken, also those whose answer it cut off. `mood` is None while all is well."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__(_Controller)
        self._luck = luck
        self._lost: set[str] = set()  # the envelopes' senders, one for each letter, of what was lost when it hung up
        self.mood: Mood | None = None
        self.never: set[str] = set()  # addresses that it has refused for good
        self._times: list[datetime] = []  # of each mail that it has taken
        self.taken_at: dict[str, datetime] = {}  # by Message-ID, when it first took the mail
        self.came_at: dict[tuple[str, str], datetime] = {}  # by Message-ID and recipient
        self.done: Counter[Mood] = Counter()  # how often it did what its mood says

    def _is_struck(self, mood: Mood, one_of: int = 1) -> bool:
        """Whether the mood shows now: in one of `one_of` cases, which is always for 1."""
        is_struck = self.mood is mood and self._luck.randrange(one_of) == 0
        self.done[mood] += is_struck
        return is_struck

    async def handle_MAIL(self, _: SMTP, __: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        if self._is_struck(Mood.REFUSES_ALL):
            return "451 4.3.0 not now"
        if self._is_struck(Mood.REFUSES_US):
            return "530 5.7.0 log in first"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(
        self, line: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self._is_struck(Mood.HANGS):
            await asyncio.Event().wait()  # until the client hangs up
        if self._is_struck(Mood.REFUSES_SOME, NOW_AND_THEN):
            return "450 4.2.1 try again"
        if self._is_struck(Mood.REFUSES_FOR_GOOD):
            self.mood = None
            self.never.add(address)
        if address in self.never:
            return "550 5.1.1 no such person"
        return await super().handle_RCPT(line, session, envelope, address, options)

    async def handle_DATA(self, line: SMTP, session: Session, envelope: Envelope) -> str:
        if self._is_struck(Mood.REFUSES_CONTENT):
            return "452 4.3.1 no room"
        if self._is_struck(Mood.CUTS_ANSWER, NOW_AND_THEN):
            await self._cut_answer(line, session, envelope)
        return await self._take(line, session, envelope)

    async def _cut_answer(self, line: SMTP, session: Session, envelope: Envelope) -> NoReturn:
        """Takes the mail or loses it, and hangs up."""
        if self._luck.random() < 0.5 or not self.may_lose(envelope):
            await self._take(line, session, envelope)
        hang_up(line)

    def may_lose(self, envelope: Envelope) -> bool:
        """Whether an email may get lost with its connection: nobody can know, so it is sent once more only."""
        letter = envelope.mail_from or ""
        is_first = letter not in self._lost
        self._lost.add(letter)
        return is_first

    def cuts_content(self, envelope: Envelope) -> bool:
        return self._is_struck(Mood.CUTS_CONTENT, NOW_AND_THEN) and self.may_lose(envelope)

    async def _take(self, line: SMTP, session: Session, envelope: Envelope) -> str:
        number, now = _message_id(envelope), datetime.now(UTC)
        for recipient in envelope.rcpt_tos:
            self._note_time(number, recipient, now)
        return await super().handle_DATA(line, session, envelope)

    def _note_time(self, number: str, recipient: str, at: datetime) -> None:
        self._times.append(at)
        self.taken_at.setdefault(number, at)
        self.came_at.setdefault((number, recipient), at)

    def before(self, at: datetime) -> list[Mail]:
        """The mails that it took before that moment."""
        return [mail for mail, time in zip(self.mails, self._times, strict=False) if time < at]

    def forget(self, is_lost: Callable[[Mail, datetime], bool]) -> None:
        """Forgets mails, as a service does that has lost a part of its database."""
        taken = list(zip(self.mails, self._times, strict=True))
        self.mails.clear()
        self._times.clear()
        self.taken_at.clear()
        self.came_at.clear()
        for mail, at in taken:
            if not is_lost(mail, at):
                self.mails.append(mail)
                self._note_time(str(mail.message["Message-ID"]), mail.to, at)


def _message_id(envelope: Envelope) -> str:
    assert isinstance(envelope.content, bytes)
    lines = envelope.content.partition(b"\r\n\r\n")[0].splitlines()
    return next(line.partition(b":")[2].strip().decode() for line in lines if line.lower().startswith(b"message-id:"))


def hang_up(line: SMTP) -> NoReturn:
    """Closes the connection at once, and ends what is being done for it, as the library does when it is lost."""
    assert line.transport is not None
    line.transport.abort()
    raise asyncio.CancelledError


class _Line(SMTP):
    async def smtp_DATA(self, arg: str) -> None:
        assert self.envelope is not None
        if not self.event_handler.cuts_content(self.envelope):
            await super().smtp_DATA(arg)
            return
        await self.push("354 go on")
        await self._reader.readline()
        hang_up(self)


class _Controller(Controller):
    def factory(self) -> Any:
        return _Line(self.handler, **self.SMTP_kwargs)
