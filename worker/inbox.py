"""Receives mails over SMTP or LMTP: `python -m worker.inbox`. Runs behind a mail server of ours, or on loopback only.

If INBOX_URL names a mailbox, this process fetches mails from there instead (`fetching`).

Rejects a recipient whose address we have not signed before the mail comes. Accepts a mail only after it is stored;
workers do everything else. Sources: RFC 5321, and RFC 2033 for LMTP.
"""

import asyncio
import logging
import os
import signal
import sys
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from sqlalchemy.exc import SQLAlchemyError

from webapp.core.addresses import AddressInvalid
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime, runtime_with_database
from webapp.games.clock import way_in
from webapp.inbox.receiving import LARGEST_ON_WIRE, AddressFull, check_recipient, receive
from webapp.operators import figures
from worker.fetching import fetch_until_stopped

log = logging.getLogger(__name__)

TIMEOUT = 60.0  # seconds that a connection may be silent
RECIPIENTS = 10  # of one mail
LONGEST_LINE = 1024 * 1024  # some programs never break lines
STORED = "250 2.0.0 Thank you, it is stored"
NOT_OURS = "550 5.1.1 Nobody can be reached at this address. Please answer one of our emails, or use its links"
TOO_MANY = "452 4.5.3 That is enough recipients for one message"
TOO_MUCH = "452 4.7.1 That is enough mail for this hour. Please try again later, or use the links in our emails"
LATER = "451 4.3.0 We cannot store it now. Please try again in a few minutes"
NO_VERIFYING = "502 5.5.1 We do not say here who can be reached"


class SmtpHandler:
    """Handles the SMTP commands; aiosmtpd prescribes the names of the methods."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def handle_RCPT(self, _: SMTP, __: Session, envelope: Envelope, address: str, options: list[str]) -> str:
        try:
            await asyncio.to_thread(check_recipient, self._runtime, envelope.mail_from or "", address)
        except AddressInvalid:
            return NOT_OURS
        except AddressFull:
            return TOO_MUCH
        except (SQLAlchemyError, OSError):
            pass  # it may be possible to store the mail a moment later
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
        except DatabaseDown:  # `Database` has logged it
            return LATER
        except (SQLAlchemyError, OSError) as error:
            log.error("an email could not be stored (%s); its sender was asked to try again", type(error).__name__)
            return LATER
        return STORED

    async def handle_VRFY(self, _: SMTP, __: Session, ___: Envelope, ____: str) -> str:
        return NO_VERIFYING

    async def handle_exception(self, error: Exception) -> str:
        """Reports that a command failed, but quotes none of it to the client or the log."""
        log.error("a command failed (%s)", type(error).__name__)
        return LATER

    def _store(self, envelope: Envelope) -> None:
        """Stores the mail for each recipient that is below its limit. Raises AddressFull, at the end, if one is not."""
        assert isinstance(envelope.content, bytes)
        full: AddressFull | None = None
        for address in envelope.rcpt_tos:
            try:
                receive(self._runtime, envelope.mail_from or "", address, envelope.content)
            except AddressFull as error:
                full = error
        if full:  # when the sender tries again, the other recipients recognise the copy
            raise full


class Smtp(SMTP):
    """The library's SMTP, but a line may be as long as the mail: some programs never break lines."""

    line_length_limit = LONGEST_LINE


class Lmtp(LMTP):
    """The same for LMTP, which sends a response for each recipient after the mail (RFC 2033, 4.2)."""

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
    """Receives mails until `stop` is set. Raises OSError if it cannot listen at the address of INBOX_URL."""
    url = urlsplit(runtime.settings.inbox_url)
    kind = Lmtp if url.scheme == "lmtp" else Smtp
    loop = asyncio.get_running_loop()
    handler = SmtpHandler(runtime)

    def protocol() -> SMTP:
        return kind(
            handler,
            loop=loop,
            data_size_limit=LARGEST_ON_WIRE,
            enable_SMTPUTF8=True,
            hostname=runtime.settings.incoming_domain or "localhost",
            ident="Hearts by Mail",
            timeout=TIMEOUT,
            auth_exclude_mechanism=["LOGIN", "PLAIN"],
        )

    assert url.port is not None  # the settings check it
    server = await loop.create_server(protocol, url.hostname, url.port)
    if not runtime.settings.incoming_domain:
        log.info("REPLY_DOMAIN is not set, so no mail is asked for, and none will be taken")
    while not stop.is_set():
        # Without the database no mail comes in, and a sender is asked to try again.
        with suppress(SQLAlchemyError):
            await asyncio.to_thread(way_in.note_read, runtime, runtime.now())
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), way_in.NOTE_EVERY.total_seconds())
    server.close()
    await asyncio.sleep(0)  # lets connections that have just ended be closed


async def _until_stopped(runtime: Runtime) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await listen(runtime, stop)


def main() -> int:
    """Runs until SIGTERM or SIGINT. Returns the exit status: 2, with a message, if it cannot listen."""
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # the library quotes mails in its log
    runtime = runtime_with_database()
    figures.serve(runtime, figures.INBOX)
    try:
        if runtime.settings.mailbox:
            return fetch_until_stopped(runtime)
        asyncio.run(_until_stopped(runtime))
    except OSError as error:
        # Asyncio's message repeats the address; that of the error number alone reads well.
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or "no such place"
        sys.stderr.write(f"INBOX_URL is {runtime.settings.inbox_url}, where nobody can listen: {reason.lower()}.\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
