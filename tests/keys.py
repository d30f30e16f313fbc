"""RSA keys for signing mails, made by hand: not every machine has a tool for it. They protect nothing."""

import base64
import random
from pathlib import Path

EXPONENT = 65537
RSA = bytes.fromhex("300d06092a864886f70d0101010500")


def new_key(path: Path, bits: int = 1024) -> str:
    """Writes a private key in PEM to `path`; returns its public half, as a DKIM record bears it."""
    chance = random.Random(bits)
    p, q = (_prime(chance, bits // 2) for _ in range(2))
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    numbers = (0, p * q, EXPONENT, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    private = base64.encodebytes(_value(0x30, b"".join(map(_number, numbers)))).decode()
    path.write_text(f"-----BEGIN RSA PRIVATE KEY-----\n{private}-----END RSA PRIVATE KEY-----\n")
    public = _value(0x30, _number(p * q) + _number(EXPONENT))
    return base64.b64encode(_value(0x30, RSA + _value(0x03, b"\0" + public))).decode()


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
