"""Letters out: claims what is owed, has it composed, and hands it to the relay, or keeps it for /mailbox.

A letter is sent at least once. What the relay said decides what happens next: 2xx sent, 4xx or silence later again,
5xx never again.
"""

import logging
import random
import smtplib
import ssl
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from email import message_from_string, policy
from types import TracebackType
from typing import Self
from urllib.parse import unquote, urlsplit

from webapp import letters
from webapp.models import LetterRow, LetterState, PlayerRow
from webapp.parts import Parts
from worker.mail import compose

log = logging.getLogger(__name__)

BATCH = 20
PATIENCE = 20.0  # seconds for each answer of the relay; a batch at its slowest stays within the lease
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900, 1800, 3600))
GIVE_UP_AFTER = timedelta(days=3)
MAYBE_SENT_PAUSE = timedelta(minutes=10)


@dataclass
class NotSent(Exception):
    """The relay did not take a mail. `may_retry` is False where it said never."""

    reason: str
    may_retry: bool
    may_have_arrived: bool = False


class Relay(AbstractContextManager["Relay"]):
    """One connection to the relay, made when the first mail needs it and made again once it has died."""

    def __init__(self, url: str) -> None:
        self._url = urlsplit(url)
        self._smtp: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._hang_up()

    def send(self, sender: str, address: str, message: str) -> None:
        """Hands over one mail. Raises NotSent."""
        content = message_from_string(message, policy=policy.default).as_bytes(policy=policy.SMTP)
        phase = "connecting"
        try:
            smtp = self._smtp = self._smtp or self._connected()
            phase = "envelope"
            _expect(smtp.mail(sender), 250)
            _expect(smtp.rcpt(address), 250, 251)
            phase = "content"
            _expect(smtp.data(content), 250)
        except NotSent:
            self._hang_up()
            raise
        except smtplib.SMTPResponseException as error:
            self._hang_up()
            raise _refused(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            self._hang_up()
            # After the content nobody can tell whether the relay took it before the line went dead.
            reason = f"the relay broke off ({type(error).__name__}, {phase})"
            raise NotSent(reason, may_retry=True, may_have_arrived=phase == "content") from None

    def _connected(self) -> smtplib.SMTP:
        host, secure = self._url.hostname or "", self._url.scheme == "smtps"
        context = ssl.create_default_context()
        if secure:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(host, self._url.port or 465, timeout=PATIENCE, context=context)
        else:
            smtp = smtplib.SMTP(host, self._url.port or 25, timeout=PATIENCE)
        smtp.ehlo_or_helo_if_needed()
        if not secure and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo()
        if self._url.username:
            smtp.login(unquote(self._url.username), unquote(self._url.password or ""))
        return smtp

    def _hang_up(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
            self._smtp = None


def deliver(parts: Parts) -> int:
    """Sends, or keeps, every letter that is owed now and that nobody else has claimed. Returns how many it saw to."""
    seen = 0
    with Relay(parts.settings.smtp_url or "smtp://localhost") as relay:
        while True:
            with parts.database.writing() as rows:
                claimed = letters.claim(rows, parts.now(), BATCH)
            for letter_id in claimed:
                try:
                    _deliver_one(parts, relay, letter_id)
                except Exception:  # one letter that cannot be composed must not hold up the others
                    log.exception("letter %d could not be composed", letter_id)
                    _note_attempt(parts, letter_id, NotSent("it could not be composed", may_retry=True))
            seen += len(claimed)
            if len(claimed) < BATCH:
                return seen


def _deliver_one(parts: Parts, relay: Relay, letter_id: int) -> None:
    with parts.database.writing() as rows:
        letter = rows.get_one(LetterRow, letter_id)
        player = rows.get_one(PlayerRow, letter.player_id)
        message = compose(parts, rows, letter)
        if message is None:
            letter.state, letter.next_at = LetterState.SUPERSEDED, None
            return
        if letter.message is None:  # every attempt sends what the first one did
            letter.subject, letter.message = message["Subject"], message.as_string()
        if parts.settings.keeps_mail:
            letter.state, letter.next_at, letter.sent_at = LetterState.KEPT, None, parts.now()
            return
        content = letter.message
    try:
        relay.send(parts.settings.sender.addr_spec, player.address, content)
        problem = None
    except NotSent as refusal:
        log.warning("letter %d was not sent: %s", letter_id, refusal.reason)
        problem = refusal
    _note_attempt(parts, letter_id, problem)


def _note_attempt(parts: Parts, letter_id: int, problem: NotSent | None) -> None:
    with parts.database.writing() as rows:
        _set_outcome(rows.get_one(LetterRow, letter_id), problem, parts.now())


def _set_outcome(letter: LetterRow, problem: NotSent | None, now: datetime) -> None:
    """What became of an attempt."""
    letter.tries += 1
    if problem is None:
        letter.state, letter.next_at, letter.sent_at, letter.problem = LetterState.SENT, None, now, None
        return
    letter.problem = problem.reason
    if not problem.may_retry or now - letter.created_at > GIVE_UP_AFTER:
        letter.state, letter.next_at = LetterState.FAILED, None
        return
    pause = PAUSES[min(letter.tries, len(PAUSES)) - 1]
    if problem.may_have_arrived:
        pause = max(pause, MAYBE_SENT_PAUSE)
    letter.next_at = now + pause * random.uniform(1, 1.2)  # not all at once when the relay is back


def _expect(answer: tuple[int, bytes], *codes: int) -> None:
    if answer[0] not in codes:
        raise _refused(*answer)


def _refused(code: int, text: bytes | str) -> NotSent:
    words = text.decode(errors="replace") if isinstance(text, bytes) else text
    return NotSent(f"{code} {' '.join(words.split())}"[:500], may_retry=code < 500)
