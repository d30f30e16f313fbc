"""Mails in, over SMTP or LMTP: `python -m worker.inbox`. Stands behind a mail server of ours, or on loopback alone.

An address that we have not signed is refused before the mail comes. What comes is stored before it is answered for;
everything else is done by workers. Sources: RFC 5321, and RFC 2033 for LMTP.
"""

import asyncio
import logging
import os
import signal
import sys
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from webapp.core.addresses import AddressInvalid
from webapp.core.database import DatabaseDown
from webapp.core.log import start_log
from webapp.core.runtime import Runtime
from webapp.core.start import runtime_with_database
from webapp.inbox.arriving import LARGEST, arrive, check_room
from webapp.inbox.limits import AddressFull

log = logging.getLogger(__name__)

PATIENCE = 60.0  # seconds that a line may be silent
RECIPIENTS = 10  # of one mail
LONGEST_LINE = 2 * LARGEST  # so that what is too large is told so, even where all of it is one line
TAKEN = "250 2.0.0 Thank you, it is stored"
NOT_OURS = "550 5.1.1 Nobody can be reached at this address. Please answer one of our mails, or use its links"
TOO_MANY = "452 4.5.3 That is enough recipients for one mail"
TOO_MUCH = "452 4.7.1 That is enough mail for this hour. Please try again later, or use the links in our mails"
LATER = "451 4.3.0 We cannot store it now. Please try again in a few minutes"
NO_VERIFYING = "502 5.5.1 We do not say here who can be reached"


class SmtpHandler:
    """What the server asks for each command that matters; its hooks are named as aiosmtpd wants them."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        try:
            self._runtime.postmark.read(address)
            await asyncio.to_thread(check_room, self._runtime, envelope.mail_from or "", address)
        except AddressInvalid:
            return NOT_OURS
        except AddressFull:
            return TOO_MUCH
        except (SQLAlchemyError, OSError):
            pass  # the mail itself may be stored, a moment later
        if len(envelope.rcpt_tos) == RECIPIENTS:
            return TOO_MANY
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:
        try:
            await asyncio.to_thread(self._store, envelope)
        except AddressFull:
            return TOO_MUCH
        except DatabaseDown:  # the log has it
            return LATER
        except (SQLAlchemyError, OSError) as error:
            log.error("a mail could not be stored (%s); its sender was asked to try again", type(error).__name__)
            return LATER
        return TAKEN

    async def handle_VRFY(self, _: SMTP, __: Session, ___: Envelope, ____: str) -> str:
        return NO_VERIFYING

    async def handle_exception(self, error: Exception) -> str:
        """Says neither to the other side nor to the log what it was about, but that it was."""
        log.error("a command failed (%s)", type(error).__name__)
        return LATER

    def _store(self, envelope: Envelope) -> None:
        """Keeps the mail for each recipient that has room for it. Raises AddressFull, at the end, where one has not."""
        assert isinstance(envelope.content, bytes)
        full: AddressFull | None = None
        for address in envelope.rcpt_tos:
            try:
                arrive(self._runtime, envelope.mail_from or "", address, envelope.content)
            except AddressFull as error:
                full = error
        if full:  # those who have it already will know the copy
            raise full


class Smtp(SMTP):
    """As the library has it, but lines within a mail may be as long as the mail: some programs never break them."""

    line_length_limit = LONGEST_LINE


class Lmtp(LMTP):
    """The same for LMTP, which wants an answer for each recipient after the mail (RFC 2033, 4.2)."""

    line_length_limit = LONGEST_LINE
    _answers = 1

    async def smtp_DATA(self, arg: str) -> None:
        assert self.envelope is not None
        self._answers = max(1, len(self.envelope.rcpt_tos))
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 1

    async def push(self, status: Any) -> None:
        for _ in range(1 if str(status).startswith("354") else self._answers):
            await super().push(status)


async def listen(runtime: Runtime, stop: asyncio.Event) -> None:
    """Takes mails until `stop` is set. Raises OSError where the address of INBOX_URL cannot be had."""
    url = urlsplit(runtime.settings.inbox_url)
    kind = Lmtp if url.scheme == "lmtp" else Smtp
    loop = asyncio.get_running_loop()
    doorkeeper = SmtpHandler(runtime)

    def answer() -> SMTP:
        return kind(
            doorkeeper,
            loop=loop,
            data_size_limit=LARGEST,
            enable_SMTPUTF8=True,
            hostname=runtime.settings.incoming_domain or "localhost",
            ident="Hearts by Mail",
            timeout=PATIENCE,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
        )

    assert url.port is not None  # the setting has been checked
    server = await loop.create_server(answer, url.hostname, url.port)
    if not runtime.settings.incoming_domain:
        log.info("REPLY_DOMAIN is not set, so no mail is asked for, and none will be taken")
    await stop.wait()
    server.close()


async def _until_stopped(runtime: Runtime) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await listen(runtime, stop)


def main() -> int:
    """Runs until it is told to stop. Returns the exit status: 2 where it cannot listen, with a sentence why."""
    start_log()
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the library quotes what it does not understand
    runtime = runtime_with_database()
    try:
        asyncio.run(_until_stopped(runtime))
    except OSError as error:
        # Asyncio tells the whole story of the address; the number alone is a sentence.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or "no such place"
        sys.stderr.write(f"INBOX_URL is {runtime.settings.inbox_url}, where nobody can listen: {reason.lower()}.\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
