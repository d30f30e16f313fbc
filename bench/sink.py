"""A handler of aiosmtpd's: a mail server that discards everything, and takes commands together, as most servers do."""

from aiosmtpd.handlers import Sink
from aiosmtpd.smtp import SMTP, Envelope, Session


class PipeliningSink(Sink):
    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        return [*responses[:-1], "250-PIPELINING", responses[-1]]
