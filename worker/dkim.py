"""Signs outgoing mails with DKIM if no relay does it for us: needs DKIM_KEY.

Each attempt to send makes new signatures, so that the stored message stays as it was composed. A mail has one by each
key: not every receiver can verify those by Ed25519. Sources: RFC 6376, RFC 8463 (Ed25519).
"""

import base64
import re
import time
from functools import cache
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from webapp.core.config import Settings
from webapp.core.keys import DkimKey, dkim_key

# The headers that a reader sees, those of the thread, and (as RFC 8058 demands) those for unsubscribing.
SIGNED = (
    *(b"from", b"to", b"subject", b"date", b"message-id", b"in-reply-to", b"references", b"reply-to"),
    *(b"list-unsubscribe", b"list-unsubscribe-post", b"mime-version", b"content-type"),
)
_FIELD = b"DKIM-Signature: v=1; a=%b-sha256; c=relaxed/relaxed; d=%b; s=%b;\r\n t=%d; h=%b;\r\n bh=%b;\r\n b="
_LINE = 72  # characters of the signature in a line
_END_OF_FIELD = re.compile(rb"\r\n(?![ \t])")
_BLANKS = re.compile(rb"[ \t]{2,}|\t")  # all but single spaces, which stay


def signed(settings: Settings, content: bytes) -> bytes:
    """The message, whose lines end in CRLF, with a DKIM signature by each key on top; unchanged without keys."""
    if not settings.dkim_keys:
        return content
    head, _, body = content.partition(b"\r\n\r\n")
    of_name = {field.partition(b":")[0].lower(): field for field in _END_OF_FIELD.split(head)}  # we write none twice
    # A missing header is signed as missing, so that nobody can add it on the way.
    fields = b"".join(_relaxed_field(of_name[name]) + b"\r\n" for name in SIGNED if name in of_name)
    # The body in the relaxed form of section 3.4.4.
    relaxed = _BLANKS.sub(b" ", body).replace(b" \r\n", b"\r\n").rstrip(b" \r\n")
    of_body = base64.b64encode(sha256(relaxed + b"\r\n" if relaxed else b"").digest())
    found = (
        _signature(_key(file), settings.sender.domain, selector, fields, of_body)
        for selector, file in settings.dkim_keys.items()
    )
    return b"".join([*found, content])


def _signature(key: DkimKey, domain: str, selector: str, fields: bytes, of_body: bytes) -> bytes:
    """The field of a signature, with its end of line. `of_body` is the hash of the body."""
    algorithm = b"ed25519" if isinstance(key, Ed25519PrivateKey) else b"rsa"
    about = (algorithm, domain.encode(), selector.encode(), time.time(), b":".join(SIGNED), of_body)
    field = _FIELD % about
    text = fields + _relaxed_field(field)
    if isinstance(key, Ed25519PrivateKey):
        made = key.sign(sha256(text).digest())  # section 3 of RFC 8463: what is signed is a hash
    else:
        made = key.sign(text, PKCS1v15(), SHA256())
    signature = base64.b64encode(made)
    lines = (signature[at : at + _LINE] for at in range(0, len(signature), _LINE))
    return field + b"\r\n ".join(lines) + b"\r\n"


def _relaxed_field(field: bytes) -> bytes:
    """A field in the relaxed form of section 3.4.2, without its end of line."""
    name, _, value = field.partition(b":")
    return name.lower() + b":" + _BLANKS.sub(b" ", value.replace(b"\r\n", b"")).strip()


@cache
def _key(file: Path) -> DkimKey:
    return dkim_key(file.read_bytes())
