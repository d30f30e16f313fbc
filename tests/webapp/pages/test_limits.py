"""Mail that anybody can cause: limited by address, by sender, and by network; beyond that a page says when to retry.

Sites of their own stand for several processes, and addresses of documentation for the networks of clients.
"""

import re
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup

from tests.cast import NAMES, address, dump, letters, open_table, opened, seat_link, start_game, table_row
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.submitting import FORM, words
from tests.webapp.accounts.signed_in import let_in
from tests.webapp.pages.causing_mail import ELSEWHERE, HERE, ask_sign_in, browser, guest, invite, invited_at_once, state
from tests.webapp.tables import open_seats
from tests.webapp.tables.hosted import host_of
from tests.webapp.tables.open_seats import ASKING, PIP
from webapp.core.tokens import ConfirmLink, HostLink, PreferencesLink
from webapp.forms.opening import OPEN_SEAT, NewSeat
from webapp.models import LetterKind, TableState
from webapp.pages import limits

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def behind_proxy(tmp_path):
    """The runtime of a service behind one proxy, which reports the origin of each request."""
    made = make_runtime(tmp_path / "proxied", trusted_proxies=1)
    yield made
    made.database.engine.dispose()


def ask_often(client, times, begin=0):
    """Requests that many mails, all to unknown addresses, so that none is sent: one by the form, the others at once."""
    base = client.environ_base
    origin = base.get("HTTP_X_FORWARDED_FOR", base["REMOTE_ADDR"])
    asking = client.application.test_request_context("/sign-in", environ_base={"REMOTE_ADDR": origin})
    with asking, ExitStack() as at_once:
        for count in limits.sign_in_asked():
            at_once.enter_context(limits.counted(replace(count, amount=times - 1)))
    assert ask_sign_in(client, begin).status_code == 200


def check_refused(runtime, before, response, sentence, wait):
    """The response is a page with the message and when to try again, and nothing has changed."""
    assert response.status_code == 429
    assert sentence in words(response)
    assert int(response.headers["Retry-After"]) == wait.total_seconds()
    span = (
        f"{round(wait / timedelta(minutes=1))} minute"
        if wait < HOUR
        else "1 day"
        if wait == DAY
        else f"{round(wait / HOUR)} hour"
    )
    assert f"try again in {span}" in words(response)
    assert state(runtime) == before


# one network


def test_a_network_may_cause_sixty_mails_an_hour(behind_proxy):
    runtime = behind_proxy
    here = browser(runtime)
    ask_often(here, 60)
    runtime.now.pass_by(timedelta(minutes=20))
    before = state(runtime)
    refused = ask_sign_in(here, 60)
    check_refused(runtime, before, refused, "Your network has asked us for a lot of mail", timedelta(minutes=40))
    assert BeautifulSoup(refused.data, "lxml").find("input", value="nobody60@example.org")
    assert ask_sign_in(browser(runtime, ELSEWHERE), 61).status_code == 200
    runtime.now.pass_by(timedelta(minutes=40))
    assert ask_sign_in(here, 62).status_code == 200


def test_a_network_may_cause_240_mails_a_day(behind_proxy):
    runtime = behind_proxy
    here = browser(runtime)
    for hour in range(4):
        ask_often(here, 60, begin=60 * hour)
        runtime.now.pass_by(HOUR)
    check_refused(runtime, state(runtime), ask_sign_in(here, 240), "a lot of mail today", 20 * HOUR)
    runtime.now.pass_by(20 * HOUR)
    assert ask_sign_in(here, 241).status_code == 200


def test_a_network_may_open_twenty_tables_an_hour(behind_proxy):
    runtime = behind_proxy
    here = browser(runtime)
    for number in range(20):
        assert here.post("/tables/new", data={**FORM, "host_address": f"ann{number}@example.org"}).status_code == 303
    before = state(runtime)
    refused = here.post("/tables/new", data={**FORM, "host_address": "ann20@example.org"})
    check_refused(runtime, before, refused, "Your network has opened a lot of tables", HOUR)
    form = BeautifulSoup(refused.data, "lxml")
    assert form.find("input", {"name": "seat_1_address"})["value"] == "bo@example.org"


def opening(runtime):
    return "/tables/new", FORM, "ann@example.org"


def confirming(runtime):
    new = open_seats.open_table(runtime, guest("Bo"), PIP, confirmed=False)
    return runtime.signer.local_url(ConfirmLink(new)), {}, "Ann"


def giving_a_free_seat(runtime):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    form = {"seat": "1", "kind": "player", "name": "Cy", "address": "cy@example.org"}
    return f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/fill", form, "cy@example.org"


def offering_a_seat(runtime):
    link = host_of(runtime, start_game(runtime).table_id)
    form = {"seat": "1", "kind": "player", "name": "Eve", "address": "eve@example.org"}
    return f"{runtime.signer.local_url(link)}/fill", form, "eve@example.org"


def asking_a_friend(runtime):
    row = start_game(runtime).seats[1]
    form = {"table": str(row.table_id), "answer": "friend", "name": "Eve", "address": "eve@example.org"}
    return f"{runtime.signer.local_url(PreferencesLink(row.player_id))}/away", form, "eve@example.org"


def sign_in_for(runtime, client, path):
    """Signs the browser in where the form at that path takes that."""
    for link, ending in ((PreferencesLink, "/away"), (HostLink, "/fill")):
        if path.startswith("/host/" if link is HostLink else "/preferences/") and path.endswith(ending):
            let_in(client, runtime, opened(runtime, link, path.removesuffix(ending)).player_id)


def asking_for_a_seat(runtime):
    table_id = open_seats.open_table(runtime, OPEN_SEAT, PIP)
    return f"/lobby/{open_seats.code(runtime, table_id)}", ASKING, ASKING["address"]


def asking_to_sign_in(runtime):
    start_game(runtime)
    return "/sign-in", {"address": "ann@example.org"}, "ann@example.org"


def changing_the_address(runtime):
    start_game(runtime)
    return f"{runtime.signer.local_url(PreferencesLink(1))}/address", {"address": "new@example.org"}, "new@example.org"


@pytest.mark.parametrize(
    "form",
    [
        *(opening, confirming, giving_a_free_seat, offering_a_seat, asking_for_a_seat, asking_to_sign_in),
        *(changing_the_address, asking_a_friend),
    ],
)
def test_every_form_mailing_an_address_is_counted_and_keeps_values(behind_proxy, form):
    runtime = behind_proxy
    path, data, typed = form(runtime)
    here = browser(runtime)
    sign_in_for(runtime, here, path)
    ask_often(here, 59)
    before = len(letters(runtime))
    assert here.post(path, data=data).status_code in (200, 303)
    assert len(letters(runtime)) > before
    path, data, typed = (
        form(runtime)
        if form in (confirming, giving_a_free_seat, offering_a_seat, asking_a_friend)
        else (path, data, typed)
    )
    sign_in_for(runtime, here, path)
    before = state(runtime)
    refused = here.post(path, data=data)
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert "Your network has asked us for a lot of mail" in words(refused)
    assert typed in refused.text
    assert state(runtime) == before


def test_a_host_with_guests_stays_far_below_the_limit(behind_proxy):
    here = browser(behind_proxy)
    for number in range(5):
        friends = [guest(f"Bo{number}{friend}") for friend in "abc"]
        assert invite(behind_proxy, f"Ann{number}", *friends, client=here).status_code == 303


# which network


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        pytest.param("203.0.113.9", "203.0.113.9", True, id="one address"),
        pytest.param("203.0.113.9", "203.0.113.10", False, id="the neighbour's"),
        pytest.param("203.0.113.9", "::ffff:203.0.113.9", True, id="the same, written as IPv6"),
        pytest.param("203.0.113.9:4711", "203.0.113.9:4712", True, id="with the port"),
        pytest.param("2001:db8:1:1::1", "2001:db8:1:1:ffff::9", True, id="one household"),
        pytest.param("[2001:db8:1:1::1]:80", "2001:db8:1:1::2", True, id="one household, with the port"),
        pytest.param("2001:db8:1:1::1", "2001:db8:1:2::1", False, id="two households"),
        pytest.param("::1", "0.0.0.1", False, id="small numbers"),
        pytest.param("unknown", "unknown", True, id="an unknown origin"),
        pytest.param("[", "[", True, id="no address at all"),
    ],
)
def test_a_network_is_one_ipv4_address_or_one_ipv6_household(behind_proxy, first, second, is_one):
    ask_often(browser(behind_proxy, first), 60)
    assert ask_sign_in(browser(behind_proxy, second), 60).status_code == (429 if is_one else 200)


def test_forwarded_addresses_before_the_last_proxys_are_ignored(behind_proxy):
    ask_often(browser(behind_proxy), 57)
    client = site_of(behind_proxy).test_client()
    for number in range(4):
        forged = {"X-Forwarded-For": f"192.0.2.{number}, {HERE}"}
        assert ask_sign_in(client, number, headers=forged).status_code == (200 if number < 3 else 429)


def test_the_first_of_two_proxies_names_a_requests_origin(tmp_path):
    runtime = make_runtime(tmp_path / "var", trusted_proxies=2)
    client = site_of(runtime).test_client()
    for number in range(61):
        through = {"X-Forwarded-For": f"192.0.2.1, {HERE}, 10.0.0.{number}"}
        assert ask_sign_in(client, number, headers=through).status_code == (200 if number < 60 else 429)
    runtime.database.engine.dispose()


def test_without_the_setting_the_forwarded_header_is_ignored(runtime, client):
    client.environ_base["REMOTE_ADDR"] = "9.9.9.9"
    ask_often(client, 57)
    for number in range(4):
        forged = {"X-Forwarded-For": f"192.0.2.{number}", "Forwarded": f"for=192.0.2.{number}", "X-Real-IP": "1.1.1.1"}
        assert ask_sign_in(client, number, headers=forged).status_code == (200 if number < 3 else 429)


@pytest.mark.parametrize("near", ["127.0.0.1", "::1", "10.1.2.3", "192.168.1.5", "fd00::5", "::ffff:127.0.0.1", ""])
def test_this_machine_and_an_uncounted_proxy_are_no_network(client, near):
    client.environ_base["REMOTE_ADDR"] = near
    ask_often(client, 60)
    assert ask_sign_in(client, 60).status_code == 200


# one address


def test_strangers_may_invite_a_player_three_times_a_day(runtime):
    for host in ("Eva", "Evb", "Evc"):
        assert invite(runtime, host, guest("Bo")).status_code == 303
    counted = state(runtime)["limit_count"]
    refused = invite(runtime, "Evd", guest("Cy"), guest("Bo"))
    assert refused.status_code == 429
    assert "Bo has been invited several times today by people they don't know yet." in words(refused)
    assert "Please try again in 1 day." in words(refused)
    assert len(letters(runtime, LetterKind.INVITATION)) == 6, "three, and their reminders"
    assert state(runtime)["limit_count"] == counted, "nor has Cy been invited, by whom it would count"
    assert table_row(runtime, 4).state is TableState.UNCONFIRMED
    assert re.search(r"<form method=\"post\" action=\"/confirm/", refused.text), "the button is there still"
    runtime.now.pass_by(timedelta(seconds=int(refused.headers["Retry-After"])))
    again = site_of(runtime).test_client().post(runtime.signer.local_url(ConfirmLink(4)))
    assert again.status_code == 303
    assert len(letters(runtime, LetterKind.INVITATION)) == 10


@pytest.mark.parametrize(
    "spellings",
    [
        ("bo+a@example.org", "bo+b+c@example.org", "bo@example.org", "bo+d@example.org"),
        ("b.o@gmail.com", "bo@googlemail.com", "bo@gmail.com", "b.o+d@gmail.com"),
    ],
)
def test_every_spelling_of_an_address_is_the_same_inbox(runtime, spellings):
    *first, last = spellings
    for host, spelling in zip(("Eva", "Evb", "Evc"), first, strict=True):
        assert invite(runtime, host, NewSeat("Bo", spelling)).status_code == 303
    assert invite(runtime, "Evd", NewSeat("Bo", last)).status_code == 429
    assert invite(runtime, "Eve", NewSeat("Bo", "bo@other.example")).status_code == 303


@pytest.mark.parametrize("form", [giving_a_free_seat, offering_a_seat])
def test_seats_given_away_count_as_invitations_by_strangers(runtime, client, form):
    path, data, _ = form(runtime)
    name = data["name"]
    for host in ("Eva", "Evb", "Evc"):
        assert invite(runtime, host, guest(name)).status_code == 303
    sign_in_for(runtime, client, path)
    before = state(runtime)
    refused = client.post(path, data=data)
    assert refused.status_code == 429
    assert f"{name} has been invited several times today" in words(refused)
    assert BeautifulSoup(refused.data, "lxml").find("input", {"name": "address"}, value=data["address"])
    assert state(runtime) == before


def test_a_form_rejected_for_another_reason_does_not_count(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)
    path = f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/fill"
    form = {"seat": "1", "kind": "player", "name": "Ann", "address": "cy@example.org"}
    before = state(runtime)
    for _ in range(5):
        assert client.post(path, data=form).status_code == 400
    assert state(runtime) == before
    assert client.post(path, data={**form, "name": "Cy"}).status_code == 303


def test_a_second_click_does_not_count(runtime, client):
    path, data, _ = offering_a_seat(runtime)
    sign_in_for(runtime, client, path)
    for _ in range(5):
        assert client.post(path, data=data).status_code == 303
    link = runtime.signer.local_url(ConfirmLink(open_seats.open_table(runtime, guest("Eve"), PIP, confirmed=False)))
    assert [client.post(link).status_code for _ in range(5)] == [303] * 5
    assert invite(runtime, "Evd", guest("Eve")).status_code == 303


def test_several_players_together_cause_at_most_five_mails_an_hour(runtime, client):
    start_game(runtime)
    paths = [f"{runtime.signer.local_url(PreferencesLink(player))}/address" for player in (1, 2, 3, 4)]
    asked = []
    for path in paths * 2:
        runtime.now.pass_by(timedelta(seconds=1))
        asked.append(client.post(path, data={"address": "eve@example.org"}).status_code)
    assert asked == [303] * 5 + [429] * 3
    assert len(letters(runtime, LetterKind.NEW_ADDRESS)) == 5


def test_a_refused_table_keeps_its_form_and_names_a_time(runtime, client):
    for _ in range(5):
        client.post("/tables/new", data=FORM)
    before = state(runtime)
    refused = client.post("/tables/new", data=FORM)
    check_refused(runtime, before, refused, "we have written to this address several times", HOUR)
    form = BeautifulSoup(refused.data, "lxml")
    assert form.find("input", {"name": "seat_1_address"})["value"] == "bo@example.org"


# one host


def test_a_host_may_invite_thirty_people_a_day(runtime, client):
    table_id = open_table(runtime, NAMES[:2], robots=2)  # it was not counted, as it was not opened by a page
    path = f"{runtime.signer.local_url(seat_link(runtime, table_id, 0))}/fill"

    def give(number):
        name = f"Cy{number}"
        return client.post(path, data={"seat": "1", "kind": "player", "name": name, "address": address(name)})

    assert [give(number).status_code for number in range(30)] == [303] * 30
    check_refused(runtime, state(runtime), give(30), "You have invited as many people as you can within a day.", DAY)
    assert client.post(path, data={"seat": "1", "kind": "robot"}).status_code == 303, "robots get no mail"
    assert invite(runtime, "Ann", guest("Di")).status_code == 429, "at another table, too"
    assert invite(runtime, "Bo", guest("Di")).status_code == 303


# secrecy about players


def test_a_refused_sign_in_looks_alike_to_players_and_strangers(behind_proxy):
    runtime = behind_proxy
    start_game(runtime)
    answers = {}
    for typed, network in (("bo@example.org", HERE), ("eve@example.org", ELSEWHERE)):
        here, answers[typed] = browser(runtime, network), []
        ask_often(here, 53)
        for _ in range(8):
            answer = here.post("/sign-in", data={"address": typed})
            shown = answer.text.replace(typed, "…").replace(quote(typed), "…")
            answers[typed].append((answer.status_code, shown))
            runtime.now.pass_by(timedelta(seconds=1))
    assert answers["bo@example.org"] == answers["eve@example.org"]
    assert [status for status, _ in answers["bo@example.org"]] == [200] * 7 + [429]
    assert len(letters(runtime, LetterKind.SIGN_IN)) == 5


# stored counts


def test_the_counts_hold_no_address_of_person_or_machine(behind_proxy, tmp_path):
    runtime = behind_proxy
    other = make_runtime(tmp_path / "other", trusted_proxies=1)
    for made in (runtime, other):
        invite(made, "Ann", guest("Bo"), client=browser(made))
        browser(made).post("/tables/new", data=FORM)
    kept = [row[0] for row in dump(runtime)["limit_count"]]
    kinds = {"network", "network-day", "tables", "address", "host", "stranger"}
    assert {re.fullmatch(r"([\w-]+) [0-9a-f]{32}", key)[1] for key in kept} == kinds
    assert not set(kept) & {row[0] for row in dump(other)["limit_count"]}, "each service has a key of its own"
    other.database.engine.dispose()


# races


def test_at_most_three_of_many_simultaneous_hosts_invite_a_player(either_runtime):
    assert invited_at_once(either_runtime, 8) == [303] * 3 + [429] * 5
    assert len(letters(either_runtime, LetterKind.INVITATION)) == 6, "three, and their reminders"
