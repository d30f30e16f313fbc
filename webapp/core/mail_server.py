"""Connections to mail servers: to a mailbox by IMAP, and to the relay by SMTP.

Fetching, sending and the trials at the set-up use the same ones.
"""

import re
import smtplib
import ssl
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError, LoginError

from webapp.core.config import LOOPBACK
from webapp.core.credentials import INBOX, XOAUTH2, Mailbox, NoPassword, user_of

# Opens a connection to the server of a mailbox, encrypts it, and logs in; for fetching and checking.
# A password leaves this machine only on an encrypted connection, as in `smtp_connection`. Sources: RFC 9051, RFC 5530
# (the codes of refusals), RFC 4616 (PLAIN, for what LOGIN cannot carry), RFC 2971 (ID).

__all__ = [
    "IMAPClient",
    "IMAPClientAbortError",
    "IMAPClientError",
    "IMAPClientReadOnlyError",
    "LoginError",
    "NotEncrypted",
    "NotNow",
    "connect_imap",
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


def connect_imap(mailbox: Mailbox, password: str, timeout: float) -> IMAPClient:
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
        _log_in_imap(line, mailbox, password)
        # The servers of 163, 126 and yeah.net open no folder to a program that has not said its name.
        if line.has_capability("ID"):
            with suppress(IMAPClientError):
                line.id_({"name": "Hearts by Mail"})
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


def _log_in_imap(line: IMAPClient, mailbox: Mailbox, password: str) -> None:
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


# The commands by which a mailbox is read and cleared away: the same for fetching, and for the trial at the set-up.
# They take nothing for granted that servers leave out: Courier says no UIDNEXT, imap4d of GNU Mailutils finds nothing
# by `SEARCH UID 7:*`, and any server may have lost a mail between two commands. Sources: RFC 9051, RFC 2342
# (NAMESPACE), RFC 6851 (MOVE), RFC 4315 (UIDPLUS).


def opened(line: IMAPClient, folder: str, *, to_change: bool = False) -> tuple[int, int]:
    """Opens a folder, anew if it is open. Returns the UIDVALIDITY of its mails' numbers, and the UIDNEXT, each 0 if
    the server does not say it. Only with `to_change` may mails be marked, moved or deleted.
    """
    said = line.select_folder(folder, readonly=not to_change)
    return int(said.get(b"UIDVALIDITY", 0)), int(said.get(b"UIDNEXT", 0))


def uids_after(line: IMAPClient, seen: int) -> list[int]:
    """The numbers of the mails beyond `seen`, in order."""
    wanted = f"{seen + 1}:*"
    found = _searched(line, ["UID", wanted]) or line.fetch(wanted, ["UID"])  # a list of numbers needs less memory
    return sorted(uid for uid in found if uid > seen)  # a server names the last mail even if it is older


def uids_since(line: IMAPClient, day: date) -> list[int]:
    """The numbers of the mails that have come since that day, in order; those of all if the server can't search."""
    found = _searched(line, ["SINCE", day])
    return uids_after(line, 0) if found is None else sorted(found)


def _searched(line: IMAPClient, wanted: list[Any]) -> list[int] | None:
    """The numbers of the mails that a search finds; None if the server can't search."""
    try:
        return list(line.search(wanted))
    except IMAPClientAbortError:
        raise
    except (IMAPClientError, ValueError):  # a refusal, or an answer in pieces, which the library cannot read
        return None


def heads(line: IMAPClient, uids: Sequence[int], names: Iterable[str]) -> dict[int, bytes]:
    """The named fields of the mails' headers, without marking them; a mail that is gone is left out."""
    fetched = line.fetch(uids, [f"BODY.PEEK[HEADER.FIELDS ({' '.join(names)})]"])
    return {uid: _content(fetched[uid], b"BODY[HEADER") for uid in uids if uid in fetched}


def whole(line: IMAPClient, uid: int, most: int) -> bytes | None:
    """The first `most` bytes of a mail, without marking it; None if it is gone, empty if the server gives nothing."""
    fetched = line.fetch([uid], [f"BODY.PEEK[]<0.{most}>"])
    return _content(fetched[uid], b"BODY[]") if uid in fetched else None


def remove(line: IMAPClient, uids: Sequence[int]) -> None:
    """Deletes mails of the folder that is open to be changed; without UIDPLUS they are marked as deleted only."""
    line.delete_messages(uids, silent=True)
    if line.has_capability("UIDPLUS"):  # else it would also remove what the owner has marked
        line.expunge(uids)


def move(line: IMAPClient, uids: Sequence[int], folder: str) -> None:
    """Moves mails of the folder that is open to be changed to another one, which is made if there is none."""
    if not line.folder_exists(folder):
        line.create_folder(folder)
    if line.has_capability("MOVE"):
        line.move(uids, folder)
        return
    line.copy(uids, folder)
    remove(line, uids)


def named_here(line: IMAPClient, folder: str) -> str:
    """The server's name of a folder of the user's own: many put a prefix before it, or part names by another letter.

    `Hearts/Played` is `INBOX.Hearts.Played` at Courier. A name that begins with the prefix stays as it is.
    """
    spaces = line.namespace() if line.has_capability("NAMESPACE") else ()
    prefixes = tuple(prefix for space in spaces for prefix, _ in space or () if prefix)
    if not spaces or not spaces[0] or folder.upper() == INBOX or folder.startswith(prefixes):
        return folder
    prefix, separator = spaces[0][0]
    return f"{prefix}{folder.replace('/', separator) if separator else folder}"


def _content(fetched: dict[bytes, Any], begins: bytes) -> bytes:
    """The part of a fetched mail whose name begins so; empty if there is none."""
    return next((bytes(value) for name, value in fetched.items() if name.startswith(begins) and value), b"")


# Opens a connection to the relay, encrypts it where the relay offers that, and logs in; for sending and checking.
# A password leaves this machine only on an encrypted connection. On any other an attacker on the path could read it, or
# strip the offer of STARTTLS and then read it.
# Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 4954 (logging in).

PASSWORDS = {"PLAIN", "LOGIN", "CRAM-MD5"}  # the ways to log in with a password that the library knows


class NoLogin(smtplib.SMTPException):
    """The relay offers no login, or none that protects the password; the text is a sentence for the operator."""


def connect_smtp(url: str, timeout: float, password: Callable[[], str] = str) -> smtplib.SMTP:
    """A session with the relay at `url`, ready for the first mail; `timeout` is in seconds, for each response.

    A user without a password in the URL has the `password` of the mailbox, which may raise NoPassword. It is a token if
    the URL says so, as in `mailbox_of`.
    Raises SMTPException if the relay refuses, NoLogin if a user is named who cannot log in there, or only with a
    password that all on the way can read, and OSError if the relay cannot be reached or its certificate is invalid.
    """
    relay = urlsplit(url)
    host, secure = relay.hostname or "", relay.scheme == "smtps"
    if secure:
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(host, relay.port or 465, timeout=timeout, context=_tls())
    else:
        smtp = smtplib.SMTP(host, relay.port or 25, timeout=timeout)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not secure and smtp.has_extn("starttls"):
            smtp.starttls(context=_tls())
            smtp.ehlo()
            secure = True
        if relay.username and not secure and host not in LOOPBACK:
            raise NoLogin("SMTP_URL has a user and password, and this relay offers no STARTTLS to protect them")
        if relay.username:
            _log_in_smtp(smtp, relay, password)
    except (smtplib.SMTPException, OSError, NoPassword):
        smtp.close()
        raise
    return smtp


def _log_in_smtp(smtp: smtplib.SMTP, relay: SplitResult, password: Callable[[], str]) -> None:
    """Logs in. Raises NoLogin unless the relay offers a login that we know."""
    offered = smtp.esmtp_features.get("auth", "").upper().split()
    user, is_by_token = user_of(relay)
    if not offered:
        raise NoLogin(
            "SMTP_URL has a user, and this relay offers no login (AUTH): leave the user out, or name another port, "
            "such as 587 or 465"
        )
    known = {XOAUTH2} if is_by_token else PASSWORDS
    if known.isdisjoint(offered):
        raise NoLogin(f"this relay offers the logins {', '.join(offered)}, and we know {', '.join(sorted(known))}")
    secret = password() if relay.password is None else unquote(relay.password)
    if is_by_token:  # the server explains a refusal in a challenge, to which the answer is empty
        smtp.auth(XOAUTH2, lambda challenge=None: "" if challenge else f"user={user}\1auth=Bearer {secret}\1\1")
    else:
        smtp.login(user, secret)


def _tls() -> ssl.SSLContext:
    """Only for a line that is encrypted: reading the certificates of all authorities takes longer than a mail."""
    return ssl.create_default_context()
