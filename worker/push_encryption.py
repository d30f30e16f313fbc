"""Encrypts a notification for one browser, so that the push service in between cannot read it.

Sources: RFC 8291 (the keys), RFC 8188 (the coding `aes128gcm`, here always of one record).
"""

import os

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

RECORD_SIZE = 4096  # bytes, which every push service accepts
TAG_SIZE = 16  # bytes that AES-GCM adds
SALT_SIZE = 16
LAST_RECORD = b"\x02"  # marks the end of the content
LONGEST = RECORD_SIZE - TAG_SIZE - len(LAST_RECORD)  # bytes of content


def encrypt(
    content: bytes,
    public_key: bytes,
    secret: bytes,
    *,
    sender: EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a request to a push service, in the coding `aes128gcm`.

    `public_key` (an uncompressed point of P-256) and `secret` are the browser's. The key pair `sender` and the `salt`
    are for one message, and drawn unless the caller, a test, names them. Raises ValueError if the content is longer
    than LONGEST bytes, or if `public_key` is no point.
    """
    if len(content) > LONGEST:
        raise ValueError(f"a notification has at most {LONGEST} bytes, not {len(content)}")
    sender = sender or generate_private_key(SECP256R1())
    salt = salt or os.urandom(SALT_SIZE)
    shared = sender.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), public_key))
    sent_by = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    seed = _derive(shared, secret, b"WebPush: info\0" + public_key + sent_by, 32)
    key = _derive(seed, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(seed, salt, b"Content-Encoding: nonce\0", 12)  # as it is for the first record
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(sent_by)]) + sent_by
    return header + AESGCM(key).encrypt(nonce, content + LAST_RECORD, None)


def _derive(key: bytes, salt: bytes, purpose: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, purpose).derive(key)
