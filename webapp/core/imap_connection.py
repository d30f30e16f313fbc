"""Opens a connection to the server of a mailbox, encrypts it, and logs in; for fetching and checking.

A password leaves this machine only on an encrypted connection, as in `smtp_connection`.
"""

import ssl

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError

from webapp.core.config import LOOPBACK
from webapp.core.mailbox import Mailbox

__all__ = ["IMAPClient", "IMAPClientError", "LoginError", "NotEncrypted", "connect"]


class NotEncrypted(IMAPClientError):  # type: ignore[misc]
    """The server offers no encryption, so we withhold the password."""


def connect(mailbox: Mailbox, password: str, timeout: float) -> IMAPClient:
    """A session with the mailbox's server, logged in; `timeout` is in seconds, for each response.

    Raises LoginError if user and password are not accepted, NotEncrypted if they would cross the network in the clear,
    another IMAPClientError if the server refuses, and OSError if it cannot be reached or its certificate is invalid.
    """
    context = ssl.create_default_context()
    line = IMAPClient(
        mailbox.host,
        mailbox.port,
        ssl=mailbox.is_tls,
        ssl_context=context if mailbox.is_tls else None,
        timeout=SocketTimeout(timeout, timeout),
    )
    try:
        if not mailbox.is_tls and line.has_capability("STARTTLS"):
            line.starttls(context)
        elif not mailbox.is_tls and mailbox.host not in LOOPBACK:
            raise NotEncrypted("no STARTTLS")
        if mailbox.is_by_token:
            line.oauth2_login(mailbox.user, password)
        else:
            line.login(mailbox.user, password)
    except (IMAPClientError, OSError):
        line.shutdown()
        raise
    return line
