"""Sessions: a sign-in is valid on every machine, also where the clocks differ, and ends with a restore."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.webapp.accounts.signed_in import let_in
from webapp.core.runtime import Runtime
from webapp.core.tokens import TOLERANCE
from webapp.models import PlayerRow, RestorationRow
from webapp.site import make_site

MINUTES = TOLERANCE.total_seconds()


@pytest.mark.parametrize(("ahead", "is_signed_in"), [(2, True), (MINUTES - 5, True), (MINUTES + 5, False)])
def test_a_sign_in_from_a_fast_machine_clock_is_valid(client, runtime, at, ahead, is_signed_in):
    with runtime.database.writing() as session:
        session.add(PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=runtime.now()))
    at(ahead)
    let_in(client, runtime, 1)
    at(0)
    assert (client.get("/games").status_code == 200) is is_signed_in


@pytest.mark.parametrize(("ended", "is_signed_in"), [(1, False), (-1, True)], ids=["signed in before", "since"])
def test_a_cookie_of_a_lost_time_opens_nothing(client, runtime, ended, is_signed_in):
    with runtime.database.writing() as session:
        session.add(PlayerRow(id=1, address="ann@example.org", name="Ann", created_at=runtime.now()))
    let_in(client, runtime, 1)
    now, hour = datetime.now(UTC), timedelta(hours=1)
    with runtime.database.writing() as session:
        session.add(RestorationRow(backed_up_at=now - 2 * hour, restored_at=now + ended * hour, letters=0))
    after = Runtime(runtime.settings, runtime.now)
    browser, name = make_site(after).test_client(), client.application.config["SESSION_COOKIE_NAME"]
    browser.set_cookie(name, client.get_cookie(name).value)
    assert (browser.get("/games").status_code == 200) is is_signed_in
    after.database.engine.dispose()
