"""The line to the relay: opened, encrypted where that is offered, and logged in; for sending and for checking.

A password leaves this machine on an encrypted line only: on any other, somebody on the way could read it, or take the
offer of encryption out and then read it.

Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 4954 (logging in).
"""

import smtplib
import ssl
from urllib.parse import unquote, urlsplit

from webapp.core.config import LOOPBACK


class Unprotected(smtplib.SMTPException):
    """The relay offers no encryption, and so does not get our password; the text is a sentence for the operator."""


def connected(url: str, patience: float) -> smtplib.SMTP:
    """A session with the relay at `url`, ready for the first mail; each answer is awaited for `patience` seconds.

    Raises SMTPException where the relay refuses, Unprotected where others could read the password for it, and OSError
    where it cannot be reached or its certificate is not good.
    """
    relay = urlsplit(url)
    host, secure = relay.hostname or "", relay.scheme == "smtps"
    if secure:
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(host, relay.port or 465, timeout=patience, context=_tls())
    else:
        smtp = smtplib.SMTP(host, relay.port or 25, timeout=patience)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not secure and smtp.has_extn("starttls"):
            smtp.starttls(context=_tls())
            smtp.ehlo()
            secure = True
        if relay.username and not secure and host not in LOOPBACK:
            raise Unprotected("SMTP_URL has a user and password, and this relay offers no STARTTLS to protect them")
        if relay.username:
            smtp.login(unquote(relay.username), unquote(relay.password or ""))
    except (smtplib.SMTPException, OSError):
        smtp.close()
        raise
    return smtp


def _tls() -> ssl.SSLContext:
    """Only for a line that is encrypted: reading the certificates of all authorities takes longer than a mail."""
    return ssl.create_default_context()
