"""The page "Away": its two answers, whom it opens for and at which tables, and the way back."""

import re
from datetime import timedelta

import pytest

from tests.cast import address, dump, letters, seat_link, seats, start_game
from tests.mailing import player_id, preferences_url
from tests.submitting import check_refused, words
from tests.webapp.accounts.signed_in import browser_of
from tests.webapp.tables.hosted import BO, accept, offer
from tests.webapp.tables.lending import lend
from webapp.accounts.sign_ins import FRESH_FOR
from webapp.core.tokens import InvitationLink
from webapp.models import LetterKind

EVE = {"answer": "friend", "name": "Eve", "address": address("Eve")}


def page_of(runtime, name="Bo"):
    return f"{preferences_url(runtime, name)}/away"


def page_at(runtime, table_id, number=BO):
    return f"{runtime.signer.local_url(seat_link(runtime, table_id, number))}/away"


def tables_of_bo(runtime, **options):
    return [start_game(runtime, **options).table_id for _ in range(2)]


def away(runtime, table_ids):
    return [seats(runtime, table_id)[BO].away for table_id in table_ids]


def test_one_button_goes_away_everywhere_and_one_tap_comes_back(runtime, client):
    tables, url = tables_of_bo(runtime), page_of(runtime)
    gone = client.post(url, data={"table": tables, "answer": "robot", "until": "2026-03-08"}, follow_redirects=True)
    assert words(gone).count("A robot plays for you until the end of Sun 8 March.") == 2
    assert away(runtime, tables) == [True, True]
    back = client.post(f"{url}/back", follow_redirects=True)
    assert "Welcome back" in back.text
    assert "A robot plays" not in back.text.replace("<strong>A robot plays for me", "")
    assert away(runtime, tables) == [False, False]


def test_the_link_to_a_seat_changes_that_table_alone(runtime, client):
    tables = tables_of_bo(runtime)
    url = page_at(runtime, tables[0])
    assert f'value="{tables[1]}"' not in client.get(url).text
    check_refused(runtime, dump(runtime), client.post(url, data={"table": tables[1], "answer": "robot"}), 400, "least")
    client.post(url, data={"table": tables, "answer": "robot"})
    assert away(runtime, tables) == [True, False]
    client.post(page_of(runtime), data={"table": tables, "answer": "robot"})
    client.post(f"{url}/back")
    assert away(runtime, tables) == [False, True]


def test_who_is_signed_in_is_led_to_all_their_tables(runtime):
    tables = tables_of_bo(runtime)
    browser = browser_of(runtime, player_id(runtime, "Bo"))
    shown = browser.get(page_at(runtime, tables[0]), follow_redirects=True)
    assert re.fullmatch(r"/preferences/[^/]+/away", shown.request.path)
    assert browser.get(page_at(runtime, tables[0], number=0)).status_code == 200, "it is Ann's"


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        pytest.param({"answer": "money"}, "Choose a robot or a friend", id="no such answer"),
        pytest.param({"until": "2026-03-01"}, "That day is over", id="a day in the past"),
        pytest.param({"table": []}, "Choose at least one table", id="no table"),
        pytest.param({"table": "99"}, "Choose at least one table", id="another table"),
    ],
)
def test_an_invalid_form_changes_nothing(runtime, client, sent, sentence):
    (table_id, _), url = tables_of_bo(runtime), page_of(runtime)
    before = dump(runtime)
    response = client.post(url, data={"table": table_id, "answer": "robot", **sent})
    check_refused(runtime, before, response, 400, sentence)


def test_a_live_table_is_not_offered(runtime, client):
    table_id = start_game(runtime, pace=timedelta(seconds=30)).stored.row.table_id
    assert "None of your tables waits for absent players." in words(client.get(page_of(runtime)))
    check_refused(
        runtime, dump(runtime), client.post(page_of(runtime), data={"table": table_id, "answer": "robot"}), 400, "least"
    )


def test_a_friend_is_asked_at_every_table_that_allows_one(runtime):
    games = [start_game(runtime) for _ in range(2)]
    offer(games[1])
    browser, tables = browser_of(runtime, player_id(runtime, "Bo")), [one.table_id for one in games]
    form = {**EVE, "table": tables, "until": "2026-03-08"}
    asked = browser.post(page_of(runtime), data=form, follow_redirects=True)
    assert "We ask your friend by mail" in asked.text
    assert away(runtime, tables) == [True, True]
    row = games[0].seats[BO]
    accept(runtime, InvitationLink(tables[0], BO, row.offered_to))
    assert [one.seats[BO].name for one in games] == ["Eve (Bo)", "Bo"]
    assert games[0].seats[BO].away_until == games[1].seats[BO].away_until is not None


def test_a_friend_with_a_taken_name_changes_nothing_anywhere(runtime):
    tables = tables_of_bo(runtime)
    browser = browser_of(runtime, player_id(runtime, "Bo"))
    before = dump(runtime)
    response = browser.post(page_of(runtime), data={**EVE, "name": "Cy", "table": tables})
    check_refused(runtime, before, response, 400, "has this name already")
    wrong = browser.post(page_of(runtime), data={**EVE, "address": "eve at home", "table": tables})
    assert (wrong.status_code, 'value="eve at home"' in wrong.text) == (400, True)


def test_a_forwarded_mail_names_no_friend(runtime, client):
    (table_id, _), url = tables_of_bo(runtime), page_of(runtime)
    assert "Mail me a link that signs me in" in client.get(url).text
    refused = client.post(url, data={**EVE, "table": table_id})
    assert refused.status_code == 403
    assert "Please sign in first" in refused.text
    owner = browser_of(runtime, player_id(runtime, "Bo"))
    runtime.now.pass_by(FRESH_FOR + timedelta(minutes=1))
    assert owner.post(url, data={**EVE, "table": table_id}).status_code == 403, "the sign-in is not fresh"
    assert seats(runtime, table_id)[BO].offered_to is None


@pytest.mark.parametrize("at_table", [False, True])
def test_signing_in_from_the_page_returns_to_it(runtime, client, at_table):
    (table_id, _) = tables_of_bo(runtime)
    url = page_at(runtime, table_id) if at_table else page_of(runtime)
    assert "We have mailed you a link" in client.post(f"{url}/sign-in", follow_redirects=True).text
    (letter,) = letters(runtime, LetterKind.SIGN_IN)
    assert letter.player_id == player_id(runtime, "Bo")


def test_while_a_friend_plays_the_seat_page_offers_to_return(runtime, client, table):
    url = page_at(runtime, table.table_id)
    lend(table)
    shown = client.get(url)
    assert (shown.status_code, "I&#39;m back" in shown.text or "I'm back" in shown.text) == (403, True)


@pytest.mark.parametrize("where", ["table", "preferences", "games"])
def test_a_link_leads_to_the_page(runtime, where):
    (table_id, _) = tables_of_bo(runtime)
    browser = browser_of(runtime, player_id(runtime, "Bo"))
    own_page = runtime.signer.local_url(seat_link(runtime, table_id, BO))
    paths = {"table": own_page, "preferences": preferences_url(runtime, "Bo"), "games": "/games"}
    assert browser.get(paths[where]).text.count(">I'm away</a>") == 1


def test_eve_opens_nothing(runtime, client):
    (table_id, _) = tables_of_bo(runtime)
    token = runtime.signer.token(seat_link(runtime, table_id, BO))
    for path in (f"/preferences/{token}/away", f"/seat/{token}x/away"):
        for address_ in (path, f"{path}/back", f"{path}/sign-in"):
            check_refused(runtime, dump(runtime), client.post(address_), 403, "doesn't work")
