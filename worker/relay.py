"""Sends mails through one connection to the relay; reports at which step one failed, and whether it may have arrived.

smtplib's `sendmail` does not distinguish a connection that is lost before the content from one that is lost after it;
so this module takes the steps one by one. Sources: RFC 5321; RFC 3463 (status); RFC 1047 (a connection lost after the
dot); RFC 6531 (SMTPUTF8).
"""

import re
import smtplib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import TracebackType
from typing import Self

from webapp.core.credentials import NoPassword
from webapp.core.log import hidden
from webapp.core.mail_server import NoLogin, connect_smtp
from webapp.replies.verdicts import Fault, Verdict, judged

TIMEOUT = 20.0  # seconds for each answer of the relay
MAILS_AT_MOST = 50  # through one connection; the next mail gets a new one
SECONDS_AT_MOST = 60.0  # for which a connection is used
IDLE = 5.0  # seconds after which a NOOP checks that the connection is alive
NO_SUCH_LETTERS = "553 5.6.7 the relay cannot write to addresses with letters beyond a to z"
_STATUS = re.compile(rb"([245]\.\d{1,3}\.\d{1,3})(?!\S)")
_SESSION_REJECTED = (500, 501, 502, 503, 504, 521, 530, 534, 535, 538)  # whatever the mail
_LEADING_DOT = re.compile(rb"^\.", re.MULTILINE)
_NOT_IN_ADDRESS = frozenset("\r\n<>")
SmtpReply = tuple[int, bytes]  # the code and the text


class SmtpStep(StrEnum):
    """The step of the SMTP session at which an attempt failed."""

    CONNECTING = "connecting"
    SENDER = "sender"
    RECIPIENT = "recipient"
    CONTENT = "content"
    DOT = "dot"  # the content and its end are sent, and only the answer is missing


@dataclass
class NotSent(Exception):
    """The relay did not accept a mail, or did not say so. `code` is None if it hung up or did not answer."""

    step: SmtpStep
    code: int | None = None
    status: str = ""  # the enhanced status, as in "4.7.1", if the relay gave one
    text: str = ""  # the relay's answer, for the player
    local_problem: str = ""  # why we did not even log in, for the operator
    is_for_all: bool = False  # whether the relay has said the same about others' mails, whatever its words mean

    @property
    def reason(self) -> str:
        """One line for the player, without the relay's text if it is about us."""
        if self.step is SmtpStep.DOT and self.code is None:
            return "the relay broke off after the whole mail; it may have arrived"
        if self.local_problem:
            return "the relay is not used until its settings are mended"
        if self.code is None:
            return f"the relay broke off ({self.step})"
        return f"the relay does not take our mail now ({self.code})" if self.is_about_us else self.text

    @property
    def log_text(self) -> str:
        """One line without the relay's text, which may contain the address."""
        return self.local_problem or f"{self.code or 'broken off'} {self.status} ({self.step})".replace("  ", " ")

    @property
    def words(self) -> str:
        """The words of the relay, for the operator, without addresses."""
        return hidden(self.text) or self.log_text

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the relay's words."""
        return judged(self.status or (f"{str(self.code)[0]}.0.0" if self.code else ""), self.text)

    @property
    def is_early(self) -> bool:
        """Whether it failed before it was said to whom the mail goes."""
        return self.step in (SmtpStep.CONNECTING, SmtpStep.SENDER)

    @property
    def is_about_us(self) -> bool:
        """Whether the next mail would fail, too: the relay is down, or refuses our session, sender or account."""
        # Relays refuse an account at any step, also by a no to one recipient: so their words count more than the step.
        is_no = self.is_for_all or self.verdict.fault is Fault.SENDER
        # Early, as no answer can be about the mail before the recipient is named.
        return self.is_early or self.code in _SESSION_REJECTED or is_no

    @property
    def is_no_to_us(self) -> bool:
        """Whether the relay has said no to us: it is not down, and to ask each minute would make that worse."""
        # A temporary no at the greeting is a busy relay's; once the recipient is named, it is one to how much we send.
        return self.code is not None and self.is_about_us and (self.code >= 500 or not self.is_early)

    @property
    def is_about_mail(self) -> bool:
        """Whether the relay has said no to this mail, and neither to us nor because of a trouble of its own (4.3)."""
        return self.code is not None and not self.is_about_us and not self.status.startswith("4.3.")

    @property
    def is_final(self) -> bool:
        """Whether the relay will never accept this mail. A policy, or a limit of the recipient's server, may change."""
        may_change = self.is_about_us or self.verdict.fault in (Fault.POLICY, Fault.LATER)
        return self.code is not None and self.code >= 500 and not may_change

    @property
    def is_about_recipient(self) -> bool:
        """Whether the relay will never accept a mail to this address as it is."""
        blames_address = self.verdict.fault in (Fault.ADDRESS, Fault.MAILBOX)
        return self.is_final and (blames_address or self.step is SmtpStep.RECIPIENT)

    @property
    def may_have_arrived(self) -> bool:
        """Whether the relay had the whole mail when the connection was lost."""
        return self.step is SmtpStep.DOT and self.code is None

    @property
    def asks_to_slow_down(self) -> bool:
        """Whether the recipient's domain asks for fewer mails, or for a pause."""
        # 421 closes the line although the session was accepted; 4.7 is a policy, and here one about how much comes.
        return not self.is_about_us and (self.code == 421 or self.status.startswith("4.7."))

    @property
    def has_hung_up(self) -> bool:
        return self.code is None or self.code == 421


class LeaseLost(Exception):
    """The mail was not transmitted, because another worker may be sending it."""


class Relay(AbstractContextManager["Relay"]):
    """A connection to the relay. Connects for the first mail, and again when the connection is used up or lost."""

    def __init__(self, url: str, password: Callable[[], str] = str) -> None:
        self._url, self._password = url, password
        self._smtp: smtplib.SMTP | None = None
        self._opened = self._used = 0.0
        self._mails = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._quit()

    def send(self, sender: str, address: str, content: bytes, may_go: Callable[[], bool] = lambda: True) -> None:
        """Transmits one mail, whose lines must end in CRLF. Raises NotSent if the relay did not accept it.

        Calls `may_go` just before the content, and raises LeaseLost if it returns False. Tries once more if the relay
        closes the connection that other mails have used.
        """
        if self._smtp is not None:
            now = time.monotonic()
            # Before the relay ends the session itself, which would cost this mail an attempt.
            if self._mails >= MAILS_AT_MOST or now - self._opened >= SECONDS_AT_MOST:
                self._quit()
            elif now - self._used >= IDLE:
                # A firewall drops an idle line without a word; else this mail would find that out.
                self._keep_if_accepted(self._smtp.noop)
        was_open = self._smtp is not None
        try:
            self._transmit(sender, address, content, may_go)
        except NotSent as refusal:
            # Relays close a connection that has carried enough mails: that is no refusal of this one.
            if not (was_open and refusal.step is SmtpStep.SENDER and refusal.has_hung_up):
                raise
            self._transmit(sender, address, content, may_go)

    def _transmit(self, sender: str, address: str, content: bytes, may_go: Callable[[], bool]) -> None:
        step = SmtpStep.CONNECTING
        try:
            if self._smtp is None:
                self._smtp = connect_smtp(self._url, TIMEOUT, self._password)
                self._opened = self._used = time.monotonic()
                self._mails = 0
            smtp = self._smtp
            step = SmtpStep.SENDER
            # smtplib would raise what looks like a broken line, and one such address would hold up all mail.
            if not address.isascii() and not smtp.has_extn("smtputf8"):
                raise _refusal(SmtpStep.RECIPIENT, 553, NO_SUCH_LETTERS.removeprefix("553 ").encode())
            if not _NOT_IN_ADDRESS.isdisjoint(sender + address):  # the library would mail its first half
                raise ValueError("an address must neither end its line nor its brackets")
            _expect(step, smtp.mail(sender, () if address.isascii() else ("SMTPUTF8",)), 250)
            step = SmtpStep.RECIPIENT
            _expect(step, smtp.rcpt(address), 250, 251)  # 251: the mail is passed on to another address
            step = SmtpStep.CONTENT
            _expect(step, smtp.docmd("DATA"), 354)
            # The last moment at which the mail can be left: relays answer slowly, and leases end.
            if not may_go():
                raise LeaseLost
            # A line that is a dot would end the mail there (RFC 5321, 4.5.2).
            smtp.send(_LEADING_DOT.sub(b"..", content).removesuffix(b"\r\n") + b"\r\n.\r\n")
            step = SmtpStep.DOT
            _expect(step, smtp.getreply(), 250)
            self._mails, self._used = self._mails + 1, time.monotonic()
        except NotSent as refusal:
            self._reset_after(refusal)
            raise
        except LeaseLost:
            self._hang_up()  # after DATA nothing but the content ends the mail
            raise
        except (NoLogin, NoPassword) as error:
            # A wrong setting, not a relay that is down: its host can mend it, and reads these words.
            raise NotSent(step, local_problem=str(error)) from None
        except smtplib.SMTPResponseException as error:  # a no to our greeting or our login
            self._hang_up()
            raise _refusal(step, error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError):
            self._hang_up()
            raise NotSent(step) from None

    def _reset_after(self, refusal: NotSent) -> None:
        """Keeps the connection after a refused mail, unless the relay has closed it."""
        # After 421 nobody listens any more, and a command would wait for its timeout.
        if refusal.has_hung_up or self._smtp is None:
            self._hang_up()
        else:
            self._keep_if_accepted(self._smtp.rset)

    def _keep_if_accepted(self, command: Callable[[], SmtpReply]) -> None:
        """Keeps the connection only if the relay accepts the command."""
        try:
            if command()[0] == 250:
                return
        except (smtplib.SMTPException, OSError):
            pass
        self._hang_up()

    def _quit(self) -> None:
        if self._smtp is not None:
            with suppress(smtplib.SMTPException, OSError):  # the relay may have closed the connection already
                self._smtp.quit()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


def _expect(step: SmtpStep, answer: SmtpReply, *codes: int) -> None:
    if answer[0] not in codes:
        raise _refusal(step, *answer)


def _refusal(step: SmtpStep, code: int, text: bytes | str) -> NotSent:
    answer = text.encode(errors="replace") if isinstance(text, str) else text
    found = _STATUS.match(answer)
    line = f"{code} {' '.join(answer.decode(errors='replace').split())}"[:500]
    # smtplib returns -1 for a line that is no SMTP answer: treat it like a lost connection
    return NotSent(step, code if code > 0 else None, found[1].decode() if found else "", line)
