"""The keys that sign mails."""

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from tests.keys import new_ed25519_key, new_key
from webapp.core.dkim_key import dkim_key, dkim_record
from webapp.core.push_key import fresh_pem

# Appendix A.2 of RFC 8463.
SECRET = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
RECORD = "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="


@pytest.fixture(scope="module", params=[new_key, new_ed25519_key], ids=["RSA", "Ed25519"])
def own_key(request, tmp_path_factory):
    """A private key, as a file has it, and its record."""
    path = tmp_path_factory.mktemp("keys") / "key.pem"
    record = request.param(path)
    return path.read_bytes(), record


@pytest.mark.parametrize("kind", [PrivateFormat.TraditionalOpenSSL, PrivateFormat.PKCS8])
def test_an_rsa_key_is_read_in_both_usual_formats(tmp_path, kind):
    new_key(tmp_path / "key.pem")
    key = dkim_key((tmp_path / "key.pem").read_bytes())
    again = dkim_key(key.private_bytes(Encoding.PEM, kind, NoEncryption()))
    assert again.private_numbers() == key.private_numbers()


def test_the_record_has_the_public_half_of_the_key(own_key):
    pem, record = own_key
    assert dkim_record(dkim_key(pem)) == record


def test_the_record_of_an_ed25519_key_follows_its_rfc(tmp_path):
    assert new_ed25519_key(tmp_path / "key.pem", SECRET) == RECORD
    assert dkim_record(dkim_key((tmp_path / "key.pem").read_bytes())) == RECORD


@pytest.mark.parametrize("pem", ["", "-----BEGIN PRIVATE KEY-----\nno\n-----END PRIVATE KEY-----\n", fresh_pem()])
def test_no_mail_is_signed_with_what_is_neither(pem):
    with pytest.raises(ValueError, match=r"."):
        dkim_key(pem.encode())


def test_encrypted_keys_and_public_keys_are_rejected(own_key):
    key = dkim_key(own_key[0])
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hearts"))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for other in (locked, public):
        with pytest.raises(ValueError, match=r"."):
            dkim_key(other)
