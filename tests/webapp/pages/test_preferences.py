"""The page of a player's preferences: what it saves, what it rejects, and whom it does not open for."""

import pytest
from bs4 import BeautifulSoup

from tests.answers import player
from tests.cast import dump, seats, start_game
from tests.mailing import preferences_url
from tests.submitting import PREFERENCES, check_refused
from webapp.core.tokens import (
    InvitationLink,
    NewAddressLink,
    OldAddressLink,
    PreferencesLink,
    TakeBackLink,
    UnsubscribeLink,
)
from webapp.games.clock.hours import Quiet
from webapp.models import Frequency


def test_saving_the_shown_preferences_unchanged_changes_nothing(runtime, client):
    start_game(runtime)
    url = preferences_url(runtime, "Bo")
    form = BeautifulSoup(client.get(url).data, "lxml").find("form", action=url)
    sent = {one["name"]: one["value"] for one in form.select("input[checked]")}
    sent |= {one.find_parent("select")["name"]: one["value"] for one in form.select("option[selected]")}
    before = player(runtime, "Bo")
    assert client.post(url, data=sent).status_code == 303
    after = player(runtime, "Bo")
    assert after.seen_at == runtime.now()
    assert after.model_dump(exclude={"seen_at"}) == before.model_dump(exclude={"seen_at"})


def test_the_chosen_preferences_are_saved(runtime, client):
    start_game(runtime)
    page = client.post(preferences_url(runtime, "Bo"), data=PREFERENCES, follow_redirects=True)
    assert "Saved" in page.text
    bo = player(runtime, "Bo")
    assert (bo.frequency, bo.daily_at, bo.time_zone) == (Frequency.DAILY, 9, "Asia/Tokyo")
    assert Quiet(bo.quiet_from, bo.quiet_to) == (23, 6)
    assert not bo.invitations
    without = {name: text for name, text in PREFERENCES.items() if name != "quiet"}
    client.post(preferences_url(runtime, "Bo"), data=without)
    assert player(runtime, "Bo").quiet_from is None


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        pytest.param("frequency", "bundled", "Choose when", id="a choice that is gone"),
        pytest.param("quiet_from", "", "hour from the list", id="no hour"),
        pytest.param("quiet_to", "23", "from 1 to 16 hours", id="no hour between"),
        pytest.param("time_zone", "x" * 10_000, "time zone from the list", id="endless"),
    ],
)
def test_an_invalid_preference_is_rejected_with_a_message(runtime, client, field, value, sentence):
    start_game(runtime)
    before = dump(runtime)
    check_refused(
        runtime, before, client.post(preferences_url(runtime, "Bo"), data={**PREFERENCES, field: value}), 400, sentence
    )


def test_each_button_of_a_table_does_what_it_says(runtime, client):
    table_id, url = start_game(runtime).table_id, preferences_url(runtime, "Bo")
    for want, sentence, mails in (("no-mails", "Your seat stays yours", False), ("mails", "writes to you again", True)):
        done = client.post(f"{url}/table", data={"table": table_id, "want": want}, follow_redirects=True)
        assert sentence in done.text
        row = seats(runtime, table_id)[1]
        assert (row.away, row.mails) == (False, mails)


@pytest.mark.parametrize(
    ("table", "want", "sentence"),
    [
        pytest.param("99", "mails", "do not sit", id="no such table"),
        pytest.param("x", "no-mails", "do not sit", id="no number"),
        pytest.param("1", "away", "use the buttons", id="no such button"),
    ],
)
def test_an_unknown_button_changes_nothing(runtime, client, table, want, sentence):
    start_game(runtime)
    response = client.post(f"{preferences_url(runtime, 'Bo')}/table", data={"table": table, "want": want})
    check_refused(runtime, dump(runtime), response, 400, sentence)


# Eve


@pytest.mark.parametrize(
    "path", ["preferences", "unsubscribe", "new-address", "old-address", "take-back", "other-address"]
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_token_for_another_purpose_opens_no_preferences(runtime, client, path, method):
    table_id = start_game(runtime).table_id
    tokens = [runtime.signer.token(InvitationLink(table_id, 1, 2)), "x", "a" * 3000]
    for token in tokens:
        check_refused(runtime, dump(runtime), getattr(client, method)(f"/{path}/{token}"), 403, "doesn't work")


def test_an_unknown_players_genuine_link_gets_a_plain_page(runtime, client):
    gone = (PreferencesLink(99), UnsubscribeLink(1, 1, 99))
    for link in (*gone, NewAddressLink(99), OldAddressLink(99), TakeBackLink(99)):
        url = runtime.signer.local_url(link)
        assert client.get(url).status_code == 403
        assert client.post(url, data=PREFERENCES).status_code == 403


def test_a_week_of_days_off_is_rejected(runtime, client):
    start_game(runtime)
    before = dump(runtime)
    every_day = {f"day_off_{day}": "yes" for day in range(7)}
    response = client.post(preferences_url(runtime, "Bo"), data={**PREFERENCES, **every_day})
    check_refused(runtime, before, response, 400, "Leave at least one day of the week")
