"""The RSA key that signs mails."""

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.keys import new_key
from webapp.core.push_key import fresh_pem
from webapp.core.rsa_key import rsa_key


@pytest.fixture(scope="module")
def own_key(tmp_path_factory):
    """A private key, as a file has it."""
    path = tmp_path_factory.mktemp("rsa") / "key.pem"
    new_key(path)
    return path.read_bytes()


@pytest.mark.parametrize("kind", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8])
def test_a_key_is_read_in_either_of_the_usual_formats(own_key, kind):
    key = rsa_key(own_key)
    again = rsa_key(key.private_bytes(Encoding.PEM, kind, NoEncryption()))
    assert again.private_numbers() == key.private_numbers()


@pytest.mark.parametrize("pem", ["", "-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----\n", fresh_pem()])
def test_no_mail_is_signed_with_what_is_no_rsa_key(pem):
    with pytest.raises(ValueError, match=r"."):
        rsa_key(pem.encode())


def test_a_key_with_a_password_and_the_public_half_of_a_key_are_rejected(own_key):
    key = rsa_key(own_key)
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hearts"))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for other in (locked, public):
        with pytest.raises(ValueError, match=r"."):
            rsa_key(other)
