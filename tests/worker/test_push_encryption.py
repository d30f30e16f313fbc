"""Push encryption: how a notification is encrypted for one browser."""

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, derive_private_key, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.worker.push_decryption import decrypt
from webapp.accounts.devices import decode_base64url
from worker.notify import LONGEST, encrypt

# The example of RFC 8291, section 5 and appendix A.
CONTENT = b"When I grow up, I want to be a watermelon"
SECRET = decode_base64url("BTBZMqHH6r4Tts7J_aSIgg")
SALT = decode_base64url("DGv6ra1nlYgDCS1FRnbzlw")
BODY = decode_base64url(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def key_of(text):
    return derive_private_key(int.from_bytes(decode_base64url(text), "big"), SECP256R1())


BROWSER = key_of("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")
SENDER = key_of("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")


def public(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def test_the_rfcs_example_yields_its_own_ciphertext():
    assert encrypt(CONTENT, public(BROWSER), SECRET, sender=SENDER, salt=SALT) == BODY


def test_the_tests_browser_reads_the_example_of_the_rfc():
    assert decrypt(BODY, BROWSER, SECRET) == CONTENT


@pytest.mark.parametrize("content", [b"", b"\0", b"5\xe2\x99\xa3 ends with zeros\0\0", bytes(LONGEST)])
def test_the_browser_reads_what_was_encrypted(content):
    assert decrypt(encrypt(content, public(BROWSER), SECRET), BROWSER, SECRET) == content


def test_no_two_messages_share_a_key_or_a_salt():
    first, second = (encrypt(CONTENT, public(BROWSER), SECRET) for _ in range(2))
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_nobody_else_reads_a_notification():
    body = encrypt(CONTENT, public(BROWSER), SECRET)
    for key, secret in [(generate_private_key(SECP256R1()), SECRET), (BROWSER, bytes(16))]:
        with pytest.raises(InvalidTag):
            decrypt(body, key, secret)


def test_a_content_of_more_than_one_record_is_refused():
    with pytest.raises(ValueError, match=f"at most {LONGEST} bytes, not {LONGEST + 1}"):
        encrypt(bytes(LONGEST + 1), public(BROWSER), SECRET)


def test_a_key_that_is_no_point_is_refused():
    with pytest.raises(ValueError, match="point"):
        encrypt(CONTENT, bytes(65), SECRET)
