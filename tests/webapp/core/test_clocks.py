"""Clocks of two machines may differ: a signature may be a little too new, or too old."""

import pytest
from itsdangerous import SignatureExpired

from webapp.core.clocks import TOLERANCE, TolerantSigner

MINUTES = TOLERANCE.total_seconds()
SIGNER = TolerantSigner("k" * 32)


@pytest.mark.parametrize(
    ("later", "max_age", "accepted"),
    [
        pytest.param(59, 60, True, id="in time"),
        pytest.param(60 + MINUTES - 2, 60, True, id="a little too old"),
        pytest.param(60 + MINUTES + 2, 60, False, id="far too old"),
        pytest.param(2 - MINUTES, 60, True, id="a little too new"),
        pytest.param(-2 - MINUTES, 60, False, id="far too new"),
        pytest.param(100 * MINUTES, None, True, id="of any age"),
        pytest.param(-100 * MINUTES, None, True, id="of any age to come"),
    ],
)
def test_a_signature_is_accepted_within_the_tolerance(at, later, max_age, accepted):
    at(0)
    signed = SIGNER.sign("Ann")
    at(later)
    if accepted:
        assert SIGNER.unsign(signed, max_age) == b"Ann"
        return
    with pytest.raises(SignatureExpired) as expired:
        SIGNER.unsign(signed, max_age)
    assert expired.value.payload == b"Ann"


def test_the_time_of_a_signature_is_returned_on_request():
    value, signed_at = SIGNER.unsign(SIGNER.sign("Ann"), 60, return_timestamp=True)
    assert (value, signed_at.utcoffset()) == (b"Ann", TOLERANCE * 0)
