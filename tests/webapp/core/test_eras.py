"""Eras: what was signed between a backup and its restore is lost, and so is no letter of before."""

from datetime import UTC, datetime, timedelta

import pytest
from itsdangerous import SignatureExpired

from webapp.core.addresses import AddressInvalid, Postmark, Purpose
from webapp.core.tokens import SKEW, TOLERANCE, Restoration, TolerantSigner, era_of, is_lost

NIGHT = datetime(2026, 3, 2, 3, tzinfo=UTC)
ONE = Restoration(NIGHT, NIGHT + timedelta(hours=9), 100)
AGAIN = Restoration(NIGHT, NIGHT + timedelta(hours=20), 100)


@pytest.mark.parametrize(
    ("hours", "lost"), [(-1, False), (0, True), (1, True), (8.9, True), (9, False), (30, False)], ids=str
)
def test_what_was_signed_between_backup_and_restore_is_lost(hours, lost):
    assert is_lost((ONE,), NIGHT + timedelta(hours=hours)) is lost


def test_the_machine_that_signed_may_have_been_behind():
    assert is_lost((ONE,), NIGHT - SKEW)
    assert not is_lost((), NIGHT)


def test_each_restore_of_a_backup_has_its_own_era():
    assert era_of((), 7) == era_of((ONE, AGAIN), 100) == ""
    assert era_of((ONE,), 101) == ONE.era
    assert era_of((ONE, AGAIN), 101) == AGAIN.era != ONE.era


def test_an_address_of_a_lost_era_is_not_ours():
    lost, after = Postmark(["k" * 32], "a.example", lambda: (ONE,)), Postmark(["k" * 32], "a.example", lambda: (AGAIN,))
    assert after.read(lost.address(Purpose.REPLY, 100)).letter_id == 100
    with pytest.raises(AddressInvalid):
        after.read(lost.address(Purpose.REPLY, 101))


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
