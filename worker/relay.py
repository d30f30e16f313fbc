"""One connection to the relay, mail after mail: who said no, at which step, and whether the mail may be there anyway.

smtplib tells a line that was cut before the content from one that was cut after it by nothing; so the steps are taken
one by one. Sources: RFC 5321; RFC 3463 (status); RFC 1047 (what is lost after the dot); RFC 6531 (SMTPUTF8).
"""

import re
import smtplib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from enum import StrEnum
from types import TracebackType
from typing import Self

from webapp.core.smtp_connection import EncryptionMissing, connect

PATIENCE = 20.0  # seconds for each answer of the relay
MAILS_AT_MOST = 50  # through one connection; then, or after so many seconds, a fresh one
SECONDS_AT_MOST = 60.0
IDLE = 5.0  # seconds after which the relay is asked whether it is still there
NO_SUCH_LETTERS = "553 5.6.7 the relay cannot write to addresses with letters beyond a to z"
_STATUS = re.compile(rb"([245]\.\d{1,3}\.\d{1,3})(?!\S)")
_NOT_LOGGED_IN = (500, 501, 502, 503, 504, 521, 530, 534, 535, 538)  # said of our session, whatever the mail
_LINE_THAT_BEGINS_WITH_A_DOT = re.compile(rb"^\.", re.MULTILINE)


class Step(StrEnum):
    """How far it came."""

    CONNECTING = "connecting"
    SENDER = "sender"
    RECIPIENT = "recipient"
    CONTENT = "content"
    DOT = "dot"  # all of the content is out, and its end; what is missing is the answer


@dataclass
class NotSent(Exception):
    """The relay did not take a mail, or did not say so. `code` is None where it broke off or kept silent."""

    step: Step
    code: int | None = None
    status: str = ""  # as in "4.7.1", where it gave one
    words: str = ""  # what it said, for whom the mail is for
    ours: str = ""  # why it was not asked at all, for the operator

    @property
    def reason(self) -> str:
        """In one line, for the player; what a relay says of us is no news for her."""
        if self.step is Step.DOT and self.code is None:
            return "the relay broke off after the whole mail; it may have arrived"
        if self.ours:
            return "the relay is not used until its settings are mended"
        if self.code is None:
            return f"the relay broke off ({self.step})"
        return f"the relay does not take our mails now ({self.code})" if self.is_about_us else self.words

    @property
    def for_the_log(self) -> str:
        """In one line, without the relay's words: they may name the address."""
        return self.ours or f"{self.code or 'broken off'} {self.status} ({self.step})".replace("  ", " ")

    @property
    def is_about_us(self) -> bool:
        """Whether the next mail would fare no better: the relay is away, or does not let us in."""
        early = self.step in (Step.CONNECTING, Step.SENDER)
        return early or self.code in _NOT_LOGGED_IN

    @property
    def is_final(self) -> bool:
        """Whether this mail will never be taken."""
        return self.code is not None and self.code >= 500 and not self.is_about_us

    @property
    def may_have_arrived(self) -> bool:
        """Whether the relay had the whole mail when the line went dead."""
        return self.step is Step.DOT and self.code is None

    @property
    def asks_to_slow_down(self) -> bool:
        """Whether the recipient's domain wants fewer mails, or later ones."""
        return not self.is_about_us and (self.code == 421 or self.status.startswith("4.7."))

    @property
    def has_hung_up(self) -> bool:
        return self.code is None or self.code == 421


class NotOurs(Exception):
    """The mail was not handed over: somebody else may be sending it by now."""


class Relay(AbstractContextManager["Relay"]):
    """A connection that is made when the first mail needs it, and made again when it is worn out or has died."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._smtp: smtplib.SMTP | None = None
        self._opened = self._used = 0.0
        self._mails = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._say_goodbye()

    def send(self, sender: str, address: str, content: bytes, may_go: Callable[[], bool] = lambda: True) -> None:
        """Hands over one mail, whose lines end in CRLF, from and to these addresses. Raises NotSent.

        At the last moment before the content, `may_go` is asked; raises NotOurs where the answer is no.
        """
        self._let_go_of_what_is_worn_out()
        was_open = self._smtp is not None
        try:
            self._hand_over(sender, address, content, may_go)
        except NotSent as refusal:
            # Another mail went this way before, and relays close when they have had enough: that is no refusal.
            if not (was_open and refusal.step is Step.SENDER and refusal.has_hung_up):
                raise
            self._hand_over(sender, address, content, may_go)

    def _hand_over(self, sender: str, address: str, content: bytes, may_go: Callable[[], bool]) -> None:
        step = Step.CONNECTING
        try:
            smtp = self._smtp = self._smtp or self._connected()
            step = Step.SENDER
            if not address.isascii() and not smtp.has_extn("smtputf8"):
                raise _refusal(Step.RECIPIENT, 553, NO_SUCH_LETTERS.removeprefix("553 ").encode())
            _expect(step, smtp.mail(sender, () if address.isascii() else ("SMTPUTF8",)), 250)
            step = Step.RECIPIENT
            _expect(step, smtp.rcpt(address), 250, 251)
            step = Step.CONTENT
            _expect(step, smtp.docmd("DATA"), 354)
            if not may_go():
                raise NotOurs
            smtp.send(_LINE_THAT_BEGINS_WITH_A_DOT.sub(b"..", content).removesuffix(b"\r\n") + b"\r\n.\r\n")
            step = Step.DOT
            _expect(step, smtp.getreply(), 250)
            self._mails, self._used = self._mails + 1, time.monotonic()
        except NotSent as refusal:
            self._after(refusal)
            raise
        except NotOurs:
            self._hang_up()  # after DATA nothing but the content ends the mail
            raise
        except EncryptionMissing as error:
            raise NotSent(step, ours=str(error)) from None
        except smtplib.SMTPResponseException as error:
            self._hang_up()
            raise _refusal(step, error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError):
            self._hang_up()
            raise NotSent(step) from None

    def _connected(self) -> smtplib.SMTP:
        smtp = connect(self._url, PATIENCE)
        self._opened = self._used = time.monotonic()
        self._mails = 0
        return smtp

    def _let_go_of_what_is_worn_out(self) -> None:
        """Ends a session that has carried enough, or has died while nobody used it."""
        if self._smtp is None:
            return
        now = time.monotonic()
        if self._mails >= MAILS_AT_MOST or now - self._opened >= SECONDS_AT_MOST:
            self._say_goodbye()
        elif now - self._used >= IDLE:
            self._ask_for(self._smtp.noop)

    def _after(self, refusal: NotSent) -> None:
        """A refused mail is no reason to lose the session, unless the relay ends it."""
        if refusal.has_hung_up or self._smtp is None:
            self._hang_up()
        else:
            self._ask_for(self._smtp.rset)

    def _ask_for(self, command: Callable[[], tuple[int, bytes]]) -> None:
        """Keeps the session only if the relay says yes."""
        try:
            if command()[0] == 250:
                return
        except (smtplib.SMTPException, OSError):
            pass
        self._hang_up()

    def _say_goodbye(self) -> None:
        if self._smtp is not None:
            with suppress(smtplib.SMTPException, OSError):  # where it has gone before us
                self._smtp.quit()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


def _expect(step: Step, answer: tuple[int, bytes], *codes: int) -> None:
    if answer[0] not in codes:
        raise _refusal(step, *answer)


def _refusal(step: Step, code: int, text: bytes | str) -> NotSent:
    said = text.encode(errors="replace") if isinstance(text, str) else text
    found = _STATUS.match(said)
    words = f"{code} {' '.join(said.decode(errors='replace').split())}"[:500]
    # smtplib answers -1 where a line is no answer at all: as good as broken off
    return NotSent(step, code if code > 0 else None, found[1].decode() if found else "", words)
