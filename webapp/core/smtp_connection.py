"""Opens a connection to the relay, encrypts it where the relay offers that, and logs in; for sending and checking.

A password leaves this machine only on an encrypted connection. On any other an attacker on the path could read it, or
strip the offer of STARTTLS and then read it.

Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 4954 (logging in).
"""

import smtplib
import ssl
from collections.abc import Callable
from urllib.parse import SplitResult, unquote, urlsplit

from webapp.core.config import LOOPBACK
from webapp.core.mailbox import XOAUTH2, NoPassword, user_of

PASSWORDS = {"PLAIN", "LOGIN", "CRAM-MD5"}  # the ways to log in with a password that the library knows


class NoLogin(smtplib.SMTPException):
    """The relay offers no login, or none that protects the password; the text is a sentence for the operator."""


def connect(url: str, timeout: float, password: Callable[[], str] = str) -> smtplib.SMTP:
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
            _check_login(smtp, relay)
            _log_in(smtp, relay, password() if relay.password is None else unquote(relay.password))
    except (smtplib.SMTPException, OSError, NoPassword):
        smtp.close()
        raise
    return smtp


def _check_login(smtp: smtplib.SMTP, relay: SplitResult) -> None:
    """Raises NoLogin unless the relay offers a login that we know."""
    offered = smtp.esmtp_features.get("auth", "").upper().split()
    _, is_by_token = user_of(relay)
    if not offered:
        raise NoLogin(
            "SMTP_URL has a user, and this relay offers no login (AUTH): leave the user out, or name another port, "
            "such as 587 or 465"
        )
    known = {XOAUTH2} if is_by_token else PASSWORDS
    if known.isdisjoint(offered):
        raise NoLogin(f"this relay offers the logins {', '.join(offered)}, and we know {', '.join(sorted(known))}")


def _log_in(smtp: smtplib.SMTP, relay: SplitResult, password: str) -> None:
    user, is_by_token = user_of(relay)
    if is_by_token:  # the server explains a refusal in a challenge, to which the answer is empty
        smtp.auth(XOAUTH2, lambda challenge=None: "" if challenge else f"user={user}\1auth=Bearer {password}\1\1")
    else:
        smtp.login(user, password)


def _tls() -> ssl.SSLContext:
    """Only for a line that is encrypted: reading the certificates of all authorities takes longer than a mail."""
    return ssl.create_default_context()
