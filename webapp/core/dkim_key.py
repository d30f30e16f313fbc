"""The keys that sign mails: RSA, which all receivers can verify (RFC 6376), and Ed25519, which is faster (RFC 8463)."""

import base64

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

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
