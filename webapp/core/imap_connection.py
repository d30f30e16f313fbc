"""Opens a connection to the server of a mailbox, encrypts it, and logs in; for fetching and checking.

A password leaves this machine only on an encrypted connection, as in `smtp_connection`. Sources: RFC 9051, RFC 5530
(the codes of refusals), RFC 4616 (PLAIN, for what LOGIN cannot carry), RFC 2971 (ID).
"""

import re
import ssl
from contextlib import suppress

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from webapp.core.config import LOOPBACK
from webapp.core.mailbox import Mailbox

__all__ = [
    "IMAPClient",
    "IMAPClientAbortError",
    "IMAPClientError",
    "IMAPClientReadOnlyError",
    "LoginError",
    "NotEncrypted",
    "NotNow",
    "connect",
    "reason",
]

FINAL = ("AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED")  # refusals of the user and password themselves
_CODE = re.compile(r"\[([A-Z][A-Z0-9-]*)[\] ]")
_BAD = "command error: BAD"
_ATOM = re.compile(r"[!#$&'+-Z\[^-z|}~]+")  # a user whom LOGIN can name without quotes, which the library leaves out


class NotEncrypted(IMAPClientError):  # type: ignore[misc]
    """The server offers no encryption, so we withhold the password."""


class NotNow(IMAPClientError):  # type: ignore[misc]
    """The server lets us in later, as far as it says; the text is its code, such as LIMIT or UNAVAILABLE."""


def connect(mailbox: Mailbox, password: str, timeout: float) -> IMAPClient:
    """A session with the mailbox's server, logged in; `timeout` is in seconds, for each response.

    Raises LoginError if user and password are not accepted, NotNow if the server refuses them for another reason,
    NotEncrypted if they would cross the network in the clear, another IMAPClientError if the server refuses, and
    OSError if it cannot be reached or its certificate is invalid.
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
        _log_in(line, mailbox, password)
        _say_who_we_are(line)
    except Exception:
        with suppress(OSError):
            line.shutdown()
        raise
    return line


def reason(error: BaseException) -> str:
    """Why a command has failed, without any text of a mail: the server's code, else the name of the error."""
    if isinstance(error, NotNow):
        return str(error)
    code = _CODE.search(str(error)) if isinstance(error, IMAPClientError) else None
    return code[1] if code else type(error).__name__


def _log_in(line: IMAPClient, mailbox: Mailbox, password: str) -> None:
    is_plain = bool(_ATOM.fullmatch(mailbox.user)) and password.isascii() and password.isprintable()
    try:
        if mailbox.is_by_token:
            line.oauth2_login(mailbox.user, password)
        elif is_plain and not line.has_capability("LOGINDISABLED"):
            line.login(mailbox.user, password)
        else:  # in UTF-8
            line.plain_login(mailbox.user, password)
    except LoginError as error:
        if isinstance(error.__context__, IMAPClientAbortError):  # the line broke
            raise NotNow(type(error.__context__).__name__) from None
        code = _CODE.search(str(error))
        if code and code[1] not in FINAL:
            raise NotNow(code[1]) from None
        if _BAD in str(error):
            raise NotNow("BAD") from None
        raise


def _say_who_we_are(line: IMAPClient) -> None:
    """The servers of 163, 126 and yeah.net open no folder to a program that has not said its name."""
    if line.has_capability("ID"):
        with suppress(IMAPClientError):
            line.id_({"name": "Hearts by Mail"})
