"""The line to the relay: opened, encrypted where that is offered, and logged in; for sending and for checking.

Source: RFC 5321 (SMTP), RFC 3207 (STARTTLS), RFC 4954 (logging in).
"""

import smtplib
import ssl
from urllib.parse import unquote, urlsplit


def connected(url: str, patience: float) -> smtplib.SMTP:
    """A session with the relay at `url`, ready for the first mail; each answer is awaited for `patience` seconds.

    Raises SMTPException where the relay refuses, OSError where it cannot be reached or its certificate is not good.
    """
    relay = urlsplit(url)
    host, secure, context = relay.hostname or "", relay.scheme == "smtps", ssl.create_default_context()
    if secure:
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(host, relay.port or 465, timeout=patience, context=context)
    else:
        smtp = smtplib.SMTP(host, relay.port or 25, timeout=patience)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not secure and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo()
        if relay.username:
            smtp.login(unquote(relay.username), unquote(relay.password or ""))
    except (smtplib.SMTPException, OSError):
        smtp.close()
        raise
    return smtp
