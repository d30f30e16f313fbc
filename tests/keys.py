"""Keys for signing mails, made by hand: not every machine has a tool for it. They protect nothing."""

import base64
import random
from pathlib import Path

from nacl.signing import SigningKey

EXPONENT = 65537
RSA = bytes.fromhex("300d06092a864886f70d0101010500")
ED25519 = bytes.fromhex("302e020100300506032b657004220420")  # RFC 8410: what comes before the 32 bytes of the key


def new_key(path: Path, bits: int = 1024) -> str:
    """Writes an RSA key in PEM to `path`; returns the DKIM record with its public half."""
    chance = random.Random(bits)
    p, q = (_prime(chance, bits // 2) for _ in range(2))
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    numbers = (0, p * q, EXPONENT, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    private = base64.encodebytes(_value(0x30, b"".join(map(_number, numbers)))).decode()
    path.write_text(f"-----BEGIN RSA PRIVATE KEY-----\n{private}-----END RSA PRIVATE KEY-----\n")
    public = _value(0x30, _number(p * q) + _number(EXPONENT))
    return _record("rsa", _value(0x30, RSA + _value(0x03, b"\0" + public)))


def new_ed25519_key(path: Path, secret: str = base64.b64encode(b"hearts" * 5 + b"..").decode()) -> str:
    """The same with an Ed25519 key; `secret` is its 32 bytes in Base64."""
    private = base64.b64decode(secret)
    pem = base64.encodebytes(ED25519 + private).decode()
    path.write_text(f"-----BEGIN PRIVATE KEY-----\n{pem}-----END PRIVATE KEY-----\n")
    return _record("ed25519", bytes(SigningKey(private).verify_key))


def _record(kind: str, public: bytes) -> str:
    return f"v=DKIM1; k={kind}; p={base64.b64encode(public).decode()}"


def _prime(chance: random.Random, bits: int) -> int:
    """A number that is very likely prime, and less one no multiple of the exponent."""
    while True:
        number = chance.getrandbits(bits) | 1 | 3 << (bits - 2)
        if number % EXPONENT != 1 and all(pow(base, number - 1, number) == 1 for base in (2, 3, 5, 7, 11)):
            return number


def _number(number: int) -> bytes:
    """A leading zero where the first bit is set: it would mean a negative number."""
    content = number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")
    return _value(0x02, b"\0" * (content[0] > 127) + content)


def _value(tag: int, content: bytes) -> bytes:
    size = len(content)
    width = 0 if size < 128 else 1 if size < 256 else 2
    length = bytes([0x80 + width]) + size.to_bytes(width, "big") if width else bytes([size])
    return bytes([tag]) + length + content
