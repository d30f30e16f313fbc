"""Reads the RSA key that signs mails."""

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key


def rsa_key(pem: bytes) -> RSAPrivateKey:
    """The private key in `pem`. Raises ValueError if that is anything else than an RSA key without a password."""
    try:
        key = load_pem_private_key(pem, None)
    except (TypeError, UnsupportedAlgorithm) as error:
        raise ValueError(str(error)) from None
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("not an RSA key")
    return key
