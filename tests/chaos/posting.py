"""The post of the players: how a mail of theirs comes to the service."""

import smtplib
from collections.abc import Callable

from tests.chaos.browsers import SECONDS

Post = Callable[[str, str, bytes], int | None]  # sender, recipient, mail; the last answer, None if the line broke


def by_listener(host: str, port: int) -> Post:
    """Hands each mail to the service's own listener, over a connection of its own."""

    def post(sender: str, to: str, raw: bytes) -> int | None:
        try:
            with smtplib.SMTP(host, port, local_hostname="home.example.org", timeout=SECONDS) as line:
                line.ehlo()
                for said in (line.mail(sender), line.rcpt(to)):
                    if said[0] >= 400:
                        return said[0]
                return line.data(raw)[0]
        except smtplib.SMTPResponseException as error:
            return error.smtp_code
        except (smtplib.SMTPException, OSError):
            return None

    return post
