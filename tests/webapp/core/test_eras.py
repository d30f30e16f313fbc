"""Eras: what was signed between a backup and its restore is lost, and so is no letter of before."""

from datetime import UTC, datetime, timedelta

import pytest

from webapp.core.addresses import AddressInvalid, Postmark, Purpose
from webapp.core.eras import SKEW, Restoration, era_of, is_lost

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
