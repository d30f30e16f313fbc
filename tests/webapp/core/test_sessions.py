"""Sessions: a sign-in is valid on every machine, also where the clocks differ."""

import pytest

from tests.webapp.accounts.signed_in import let_in
from webapp.core.clocks import TOLERANCE
from webapp.models import PlayerRow

MINUTES = TOLERANCE.total_seconds()


@pytest.mark.parametrize(("ahead", "is_signed_in"), [(2, True), (MINUTES - 5, True), (MINUTES + 5, False)])
def test_a_sign_in_from_a_fast_machine_clock_is_valid(client, runtime, at, ahead, is_signed_in):
    with runtime.database.writing() as session:
        session.add(PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=runtime.now()))
    at(ahead)
    let_in(client, runtime, 1)
    at(0)
    assert (client.get("/games").status_code == 200) is is_signed_in
