"""Decrypts a notification as a browser does (RFC 8291). Written apart from what encrypts it."""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def decrypt(body: bytes, key: EllipticCurvePrivateKey, secret: bytes) -> bytes:
    """The content of a body of one record. Raises InvalidTag if it is for other keys, or was changed."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sent_by, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size, "more than one record"
    shared = key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sent_by))
    public = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    seed = _hmac(_hmac(secret, shared), b"WebPush: info\0" + public + sent_by + b"\x01")
    base = _hmac(salt, seed)
    cipher = AESGCM(_hmac(base, b"Content-Encoding: aes128gcm\0\x01")[:16])
    padded = cipher.decrypt(_hmac(base, b"Content-Encoding: nonce\0\x01")[:12], record, None).rstrip(b"\0")
    assert padded.endswith(b"\x02"), "not the last record"
    return padded[:-1]


def _hmac(key: bytes, content: bytes) -> bytes:
    return hmac.new(key, content, hashlib.sha256).digest()
