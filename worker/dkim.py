"""Signing what leaves, where no relay does it for us: with DKIM_KEY set, and the library of the extra `dkim`.

A signature is made at each sending, so that the stored message stays as it was composed. Source: RFC 6376.
"""

from functools import cache
from pathlib import Path

from webapp.core.config import Settings

# What a reader sees, what threads it, and (as RFC 8058 asks) how to be rid of it.
SIGNED = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to"),
    *(b"list-unsubscribe", b"list-unsubscribe-post", b"mime-version", b"content-type"),
)


def signed(settings: Settings, content: bytes) -> bytes:
    """The message with a signature on top, by the key of the settings; as it is where there is none.

    Raises the library's DKIMException where the key is not an RSA key in PEM.
    """
    if settings.dkim_key is None:
        return content
    import dkim  # an extra: only who signs needs it

    domain, selector = settings.sender.domain.encode(), settings.dkim_selector.encode()
    # A header that is missing is signed as missing: nobody can add it on the way.
    made: bytes = dkim.sign(
        content,
        selector,
        domain,
        _key(settings.dkim_key),
        canonicalize=(b"relaxed", b"relaxed"),
        include_headers=list(SIGNED),
    )
    return made + content


@cache
def _key(path: Path) -> bytes:
    return path.read_bytes()
