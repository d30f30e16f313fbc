"""The keys that sign mails, and the key pair that identifies us to push services."""

import base64
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from typing import Self

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

# The keys that sign mails: RSA, which all receivers can verify (RFC 6376), and Ed25519, which is faster (RFC 8463).

DkimKey = RSAPrivateKey | Ed25519PrivateKey


def dkim_key(pem: bytes) -> DkimKey:
    """The private key in `pem`. Raises ValueError unless that is an RSA or Ed25519 key without a password."""
    try:
        key = load_pem_private_key(pem, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(str(error)) from None
    if not isinstance(key, DkimKey):
        raise ValueError("neither an RSA nor an Ed25519 key")
    return key


def dkim_record(key: DkimKey) -> str:
    """The text of the DNS record that publishes the other half of a key."""
    public = key.public_key()
    if isinstance(key, Ed25519PrivateKey):
        kind, half = "ed25519", public.public_bytes(Encoding.Raw, PublicFormat.Raw)
    else:
        kind, half = "rsa", public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k={kind}; p={base64.b64encode(half).decode()}"


# The key pair that identifies us to push services; a browser subscribes with the public half.
# Source: RFC 8292 (VAPID).


@dataclass(frozen=True, slots=True)
class PushKey:
    """A key pair on the curve P-256."""

    private: EllipticCurvePrivateKey

    @classmethod
    def from_pem(cls, pem: str) -> Self:
        """The key in `pem`. Raises ValueError unless that is a private key on P-256 without a password."""
        try:
            key = load_pem_private_key(pem.encode(), password=None)
        except (TypeError, UnsupportedAlgorithm):
            raise ValueError("a key that we cannot use") from None
        if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
            raise ValueError("a key of another kind")
        return cls(key)

    @property
    def public(self) -> str:
        """The public half as browsers expect it: the uncompressed point in base64url without padding."""
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()


def fresh_pem() -> str:
    """A new private key, in PEM."""
    return generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
