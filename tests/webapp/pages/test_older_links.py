"""Older links of emails lead to the pages that have taken the place of theirs, and change nothing."""

import re

import pytest

from tests.cast import dump, seat_link, seats
from tests.mailing import preferences_url
from tests.webapp.tables.hosted import BO, offer
from webapp.core.tokens import EveningLink, FormerPreferencesLink, HandOverLink, LeaveLink


@pytest.mark.parametrize("page", ["", "/away"])
def test_a_link_of_an_older_mail_leads_to_todays_page(runtime, client, table, page):
    link = runtime.signer.local_url(FormerPreferencesLink(2))
    assert link.startswith("/wishes/")
    shown = client.get(f"{link}{page}", follow_redirects=True)
    assert shown.status_code == 200
    assert re.fullmatch(f"/preferences/[^/]+{page}", shown.request.path)
    assert client.get(f"/wishes/x{page}").status_code == 403


def unsigned(path):
    """The path without the time and signature of its link."""
    return re.sub(r"\.[^/]+", "", path)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_link_that_acted_once_only_leads_on(runtime, client, table, method):
    link = offer(table)
    table_id, bo = link.table_id, seats(runtime, link.table_id)[BO].player_id
    table_page = runtime.signer.local_url(seat_link(runtime, table_id, BO))
    leads = {
        runtime.signer.local_url(HandOverLink(table_id, BO, bo, link.player_id)): table_page,
        runtime.signer.local_url(LeaveLink(table_id, BO, bo)): f"{table_page}/away",
        runtime.signer.local_url(EveningLink(table_id, BO, bo)): table_page,
        f"{table_page}/evening": table_page,
        f"{table_page}/nudge": table_page,
        f"{preferences_url(runtime, 'Bo')}/no-vacation": preferences_url(runtime, "Bo"),
    }
    before = dump(runtime)
    for path, page in leads.items():
        shown = client.open(path, method=method, follow_redirects=True)
        assert (shown.status_code, unsigned(shown.request.path)) == (200, unsigned(page))
    assert dump(runtime) == before
    for path in ("/hand-over/x", "/leave/x", "/evening/x"):
        assert client.open(path, method=method).status_code == 403


@pytest.mark.parametrize("named", ["wait", "plan?asking=ask"])
def test_a_link_to_a_wait_leads_to_the_page_above(runtime, client, table, named):
    above = [
        runtime.signer.local_url(table.play_link(BO)),
        runtime.signer.local_url(seat_link(runtime, table.table_id, BO)),
        preferences_url(runtime, "Bo"),
    ]
    for page in above:
        response = client.get(f"{page}/{named}")
        assert (response.status_code, response.location) == (303, page)
