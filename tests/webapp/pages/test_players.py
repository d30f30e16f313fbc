"""Signing in by a link or a code from an email, which reveals to nobody who plays here."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup

from tests.cast import dump, letters, seat_link, start_game
from tests.sites import site_of
from tests.submitting import soup, words
from tests.webapp.tables.hosted import composed
from webapp.core.tokens import SignInLink
from webapp.models import LetterKind
from webapp.pages import limits
from webapp.pages.players import WRONG_CODE

LASTS = timedelta(minutes=15)
ANN = {"address": "ann@example.org"}


def test_signing_in_needs_a_mailed_link_valid_once(runtime, client):
    table = start_game(runtime)
    assert client.post("/sign-in", data={"address": "ANN@example.org"}).status_code == 200
    (letter,) = letters(runtime, LetterKind.SIGN_IN)
    url = runtime.signer.local_url(SignInLink(letter.player_id, 0))
    assert client.get("/games").status_code == 303
    assert client.get(url).status_code == 200
    assert client.get("/games").status_code == 303, "opening the link signs nobody in"
    assert client.post(url).status_code == 303
    games = client.get("/games")
    assert "It is your turn" in words(games)
    link = BeautifulSoup(games.data, "lxml").find("a", href=re.compile("^/play/"))["href"]
    assert client.get(link).status_code == 200
    seat = runtime.signer.local_url(seat_link(runtime, table.table_id, 0))
    assert "/play/" in client.get(seat).text
    assert "/turn/" not in site_of(runtime).test_client().get(seat).text, "the seat's link alone does not play"
    assert client.get(url).location == client.post(url).location == "/games", "they are signed in here"
    other = site_of(runtime).test_client()
    for used in (other.get(url), other.post(url)):
        assert used.status_code == 410
        assert "This link has been used" in words(used)
    before = len(letters(runtime, LetterKind.SIGN_IN))
    runtime.now.pass_by(timedelta(seconds=1))
    assert "on its way to you" in words(other.post(f"{url}/again"))
    assert len(letters(runtime, LetterKind.SIGN_IN)) == before + 1
    assert client.post("/sign-out").status_code == 303
    assert client.get("/games").status_code == 303
    assert table.row.turns == 1


def test_asking_to_sign_in_does_not_reveal_who_plays(runtime, client):
    start_game(runtime)
    ours = words(client.post("/sign-in", data={"address": "ann@example.org"}))
    eve = words(client.post("/sign-in", data={"address": "eve@example.org"}))
    assert ours.replace("ann@", "eve@") == eve
    assert client.post("/sign-in", data={"address": "nobody"}).status_code == 400


def newest_code(runtime):
    """The code in the newest sign-in mail, as both of its texts have it."""
    texts = composed(runtime, letters(runtime, LetterKind.SIGN_IN)[-1])
    (code,) = {re.search(r"\b\d{6}\b", text).group() for text in (texts["plain"], words_of(texts["html"]))}
    return code


def words_of(html):
    return BeautifulSoup(html, "lxml").body.get_text(" ")


def type_code(client, code):
    return client.post("/sign-in/code", data={"code": code})


def wrong(code, by=1):
    return f"{(int(code) + by) % 10**6:06}"


@pytest.fixture
def code(runtime, client):
    """The code for which Ann has asked in `client`."""
    start_game(runtime)
    assert client.post("/sign-in", data=ANN).status_code == 200
    return newest_code(runtime)


@pytest.fixture
def other(runtime):
    return site_of(runtime).test_client()


def test_the_page_that_asked_has_a_field_for_the_code(runtime, client):
    start_game(runtime)
    assert soup(client.get("/sign-in")).select_one("input[name=code]") is None
    asked = client.post("/sign-in", data=ANN)
    for page in (asked, client.get("/sign-in"), client.get("/sign-in/code", follow_redirects=True)):
        field = soup(page).select_one("input[name=code]")
        assert (field["autocomplete"], field["inputmode"]) == ("one-time-code", "numeric")


@pytest.mark.parametrize("way", ["{}", " {} ", "{0[0]}{0[1]}{0[2]} {0[3]}{0[4]}{0[5]}", "arabic"])
def test_the_code_signs_in_once_however_it_is_typed(client, other, code, way):
    typed = "".join(chr(0x660 + int(digit)) for digit in code) if way == "arabic" else way.format(code)
    assert type_code(client, typed).location == "/games"
    assert "It is your turn" in words(client.get("/games"))
    client.post("/sign-out")
    other.post("/sign-in", data=ANN)
    for browser in (client, other):
        assert type_code(browser, typed).status_code == 400
        assert browser.get("/games").status_code == 303


def test_the_code_opens_nothing_in_another_browser(runtime, client, other, code):
    assert type_code(other, code).status_code == 400
    other.post("/sign-in", data=ANN)
    assert newest_code(runtime) != code
    assert WRONG_CODE in words(type_code(other, code))
    assert other.get("/games").status_code == 303
    assert type_code(client, code).status_code == 303, "another browser that asks takes no code away"


@pytest.mark.parametrize(
    ("passed", "status"), [(LASTS - timedelta(seconds=1), 303), (LASTS, 400), (2 * LASTS, 400)], ids=str
)
def test_a_code_lasts_a_quarter_of_an_hour(runtime, client, code, passed, status):
    runtime.now.pass_by(passed)
    assert type_code(client, code).status_code == status


def test_a_code_counts_from_when_its_mail_went(runtime, client, code):
    runtime.now.pass_by(LASTS)
    with runtime.database.writing() as session:
        session.merge(letters(runtime, LetterKind.SIGN_IN)[-1]).sent_at = runtime.now() - timedelta(minutes=1)
    assert type_code(client, code).status_code == 303


@pytest.mark.parametrize("typed", ["", "abc", "12345", "1234567", "²²²²²²", "9" * 5000])
def test_what_is_no_code_changes_nothing(runtime, client, code, typed):
    before = {table: rows for table, rows in dump(runtime).items() if table != "limit_count"}
    assert type_code(client, typed).status_code == 400
    assert {table: rows for table, rows in dump(runtime).items() if table != "limit_count"} == before


def test_five_wrong_codes_make_the_right_one_void(client, code):
    for by in range(1, 6):
        assert type_code(client, wrong(code, by)).status_code == 400
    refused = type_code(client, code)
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    assert limits.CODES in words(refused)
    assert client.get("/games").status_code == 303


def test_tries_in_many_browsers_are_limited_for_an_address(runtime, client, code):
    for number in range(limits.ADDRESS_CODES.most):
        browser = site_of(runtime).test_client()
        browser.post("/sign-in", data={"address": f"ann+{number % 4}@example.org" if number else ANN["address"]})
        assert type_code(browser, "000000").status_code == 400
    assert type_code(client, code).status_code == 429


def test_a_code_reveals_nothing_of_who_plays(runtime, client, other, code):
    other.post("/sign-in", data={"address": "eve@example.org"})
    pages = [words(type_code(browser, wrong(code))) for browser in (client, other)]
    assert pages[0].replace("ann@", "eve@") == pages[1]


def test_a_mail_that_is_not_sent_leaves_the_code_before(runtime, client, code):
    for _ in range(limits.ADDRESS.most):
        runtime.now.pass_by(timedelta(seconds=1))
        client.post("/sign-in", data=ANN)
    assert len(letters(runtime, LetterKind.SIGN_IN)) == limits.ADDRESS.most
    assert type_code(client, newest_code(runtime)).status_code == 303


def test_the_link_ends_the_code_beside_it(runtime, client, other, code):
    assert other.post(runtime.signer.local_url(SignInLink(1, 0))).status_code == 303
    assert type_code(client, code).status_code == 400


def test_only_a_browser_with_a_field_is_mailed_a_code(runtime, client):
    start_game(runtime)
    client.post(f"{runtime.signer.local_url(SignInLink(1, 0))}/again")
    assert not re.search(r"\b\d{6}\b", composed(runtime, letters(runtime, LetterKind.SIGN_IN)[-1])["plain"])


def test_a_code_stands_in_no_log_and_no_row(runtime, client, code, caplog):
    caplog.set_level("DEBUG")
    type_code(client, wrong(code))
    type_code(client, code)
    assert code not in caplog.text
    assert code not in str(dump(runtime))
