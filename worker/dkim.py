"""Signs outgoing mails with DKIM if no relay does it for us: needs DKIM_KEY, and the library of the extra `dkim`.

Each attempt to send makes a new signature, so that the stored message stays as it was composed. Source: RFC 6376.
"""

from functools import cache
from pathlib import Path

from webapp.core.config import Settings

# The headers that a reader sees, those of the thread, and (as RFC 8058 demands) those for unsubscribing.
SIGNED = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to"),
    *(b"list-unsubscribe", b"list-unsubscribe-post", b"mime-version", b"content-type"),
)


def signed(settings: Settings, content: bytes) -> bytes:
    """The message with a DKIM signature on top; unchanged if the settings name no key.

    Raises the library's DKIMException if the key is not an RSA key in PEM.
    """
    if settings.dkim_key is None:
        return content
    import dkim  # an optional library, needed only here

    domain, selector = settings.sender.domain.encode(), settings.dkim_selector.encode()
    # A missing header is signed as missing, so that nobody can add it on the way.
    signature: bytes = dkim.sign(
        content,
        selector,
        domain,
        _key(settings.dkim_key),
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=list(SIGNED),
    )
    return signature + content


@cache
def _key(path: Path) -> bytes:
    return path.read_bytes()
