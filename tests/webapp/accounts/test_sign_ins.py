"""A sign-in is a row: it is listed, ends alone or with all others, and no cookie outlives it."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from sqlmodel import select

from tests.cast import address, dump, seats, start_game
from tests.webapp.accounts.intruder import browser, follow, newest, player_of, sign_in
from tests.webapp.accounts.signed_in import browser_of, is_in
from tests.webapp.accounts.subscriptions import subscription
from webapp.accounts import devices, sign_ins
from webapp.accounts.sign_ins import browser_name
from webapp.core.tokens import LinkExpired, PlayLink, PreferencesLink
from webapp.games.record import links
from webapp.models import LetterKind, SignInRow
from webapp.pages.common import SIGN_IN
from worker import scheduler

ANN, BO = 1, 2
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _game(request):
    made = "either_runtime" if "either_runtime" in request.fixturenames else "runtime"
    start_game(request.getfixturevalue(made))


def rows_of(runtime, player_id=BO):
    with runtime.database.reading() as session:
        return session.exec(select(SignInRow).where(SignInRow.player_id == player_id)).all()


def lines_of(client):
    """The browsers on the page, each with its name and the number of its button."""
    page = BeautifulSoup(client.get("/signed-in").data, "lxml")
    return [
        (" ".join(line.select_one("span").get_text(" ").split()), line.button["value"])
        for line in page.select("form[action='/signed-in/end'] li")
    ]


# the row


def test_a_cookie_with_only_a_players_number_signs_nobody_in(runtime):
    client = browser(runtime)
    with client.session_transaction() as session:
        session["player"] = BO
        session.permanent = True
    assert not is_in(client)


def test_the_database_holds_only_the_hash_of_the_secret(runtime):
    client = sign_in(runtime, address("Bo"))
    with client.session_transaction() as session:
        secret = session[SIGN_IN]
    assert len(secret) > 40
    assert secret not in str(dump(runtime))
    (row,) = rows_of(runtime)
    for guess in (row.secret_hash, "", "x" * 5000, 7, None, ["x"]):
        stranger = browser(runtime)
        with stranger.session_transaction() as session:
            session[SIGN_IN] = guess
        assert not is_in(stranger)


def test_each_sign_in_replaces_the_previous_one_in_that_browser(runtime):
    client = sign_in(runtime, address("Bo"))
    with client.session_transaction() as session:
        first = session[SIGN_IN]
    runtime.now.pass_by(DAY)
    client.post("/sign-in", data={"address": address("Bo")})
    follow(client, newest(runtime, LetterKind.SIGN_IN))
    with client.session_transaction() as session:
        assert session[SIGN_IN] != first
        session[SIGN_IN] = first
    assert len(rows_of(runtime)) == 1
    assert not is_in(client)


def test_a_sign_in_lasts_ninety_days_without_a_visit(runtime):
    client = sign_in(runtime, address("Bo"))
    for _ in range(3):
        runtime.now.pass_by(89 * DAY)
        answer = client.get("/games")
        assert answer.status_code == 200
        assert "Set-Cookie" in answer.headers, "the cookie lasts on as well"
    runtime.now.pass_by(90 * DAY)
    assert not is_in(client)
    assert "You are signed out here" in client.get("/sign-in").text
    scheduler.delete_old(runtime)
    assert rows_of(runtime) == []


def test_a_visit_counts_daily_and_files_set_no_cookie(runtime):
    client = sign_in(runtime, address("Bo"))
    before = dump(runtime)
    runtime.now.pass_by(DAY - timedelta(seconds=1))
    for path in ("/games", "/", "/signed-in"):
        assert "Set-Cookie" not in client.get(path).headers
    assert dump(runtime) == before
    runtime.now.pass_by(timedelta(seconds=1))
    with client.get("/static/style.css") as file:
        assert "Set-Cookie" not in file.headers
    assert "Set-Cookie" in client.get("/games").headers
    assert "Set-Cookie" not in client.get("/games").headers
    assert rows_of(runtime)[0].seen_at == runtime.now()


# the page


def test_the_page_lists_sign_ins_and_ends_one_of_them(runtime):
    here, there = (browser_of(runtime, BO, agent) for agent in (IPHONE, WINDOWS))
    browser_of(runtime, ANN, ANDROID)
    lines = lines_of(here)
    assert [text for text, _ in lines] == [
        "Safari on iPhone this browser since Mon 2 March",
        "Edge on Windows since Mon 2 March",
    ]
    done = here.post("/signed-in/end", data={"sign_in": lines[1][1]}, follow_redirects=True)
    assert "That browser is signed out." in done.text
    assert (is_in(here), is_in(there)) == (True, False)


def test_signing_out_ends_only_this_sign_in(runtime):
    here, there = browser_of(runtime, BO), browser_of(runtime, BO)
    with here.session_transaction() as session:
        secret = session[SIGN_IN]
    assert here.post("/sign-out").status_code == 303
    with here.session_transaction() as session:
        session[SIGN_IN] = secret  # somebody has kept the cookie
    assert (is_in(here), is_in(there)) == (False, True)


def test_a_player_cannot_end_somebody_elses_sign_in(runtime):
    ann, eve = browser_of(runtime, ANN), browser_of(runtime, BO)
    (number,) = [str(row.id) for row in rows_of(runtime, ANN)]
    eve.post("/signed-in/end", data={"sign_in": number})
    assert is_in(ann)
    eve.post("/signed-in/end", data={"sign_in": "all"})
    assert is_in(ann)


def test_a_value_that_no_button_sends_changes_nothing(runtime):
    client = browser_of(runtime, BO)
    before = dump(runtime)
    for value in ("", "x", "1 or 1", "²", "9" * 40, "-1"):
        answer = client.post("/signed-in/end", data={"sign_in": value})
        assert (answer.status_code, "use the form" in answer.text) == (400, True)
    assert dump(runtime) == before


def test_the_pages_require_a_sign_in(runtime):
    eve = browser(runtime)
    before = dump(runtime)
    for answer in (
        eve.get("/signed-in"),
        eve.post("/signed-in/end", data={"sign_in": "all"}),
    ):
        assert (answer.status_code, answer.location) == (303, "/sign-in")
    assert dump(runtime) == before


# links with a number


def test_a_link_that_was_just_ended_adds_no_device(either_runtime):
    """The page has read the link before; the transaction reads it again."""
    with either_runtime.database.writing() as session:
        session.get_one(type(player_of(either_runtime, BO)), BO).generation += 1
    with pytest.raises(LinkExpired):
        devices.add_device(either_runtime, BO, subscription(), either_runtime.now())
    devices.add_device(either_runtime, BO, subscription(), either_runtime.now(), generation=1)


def test_a_new_player_of_a_seat_starts_with_valid_links(runtime):
    with runtime.database.writing() as session:
        seat = session.get_one(links.SeatRow, (1, 1))
        seat.links, seat.visits, seat.player_id = 3, 5, ANN
    seat = seats(runtime, 1)[1]
    client = browser(runtime)
    for link in (links.seat_link(seat), links.play_link(seat)):
        assert client.get(runtime.signer.local_url(link)).status_code == 200
    assert client.get(runtime.signer.local_url(PlayLink(1, 1, ANN))).status_code == 410


def test_a_token_holds_a_number_only_once_there_is_one(runtime):
    plain, numbered = (runtime.signer.token(PreferencesLink(BO, number)) for number in (0, 1))
    assert len(plain.split(".")[0]) < len(numbered.split(".")[0])
    assert [runtime.signer.read(PreferencesLink, token) for token in (plain, numbered)] == [
        PreferencesLink(BO),
        PreferencesLink(BO, 1),
    ]


# the name of a browser

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1"
)
ANDROID = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"
WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
    "Safari/537.36 Edg/126.0.0.0"
)
GALAXY = (
    "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 "
    "Chrome/121.0.0.0 Mobile Safari/537.36"
)
PIXEL = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36"
)
MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Safari/605.1.15"
)
IPAD_CHROME = (
    "Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0.6478.35 "
    "Mobile/15E148 Safari/604.1"
)
LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        pytest.param(IPHONE, "Safari on iPhone", id="iphone"),
        pytest.param(ANDROID, "Firefox on Android", id="android"),
        pytest.param(WINDOWS, "Edge on Windows", id="windows"),
        pytest.param(GALAXY, "Samsung Internet on Android", id="galaxy"),
        pytest.param(PIXEL, "Chrome on Android", id="pixel"),
        pytest.param(MAC, "Safari on Mac", id="mac"),
        pytest.param(IPAD_CHROME, "Chrome on iPad", id="ipad"),
        pytest.param(LINUX, "Firefox on Linux", id="linux"),
        pytest.param("", "A browser", id="nothing"),
        pytest.param("<script>alert(1)</script>" * 1000, "A browser", id="nonsense"),
    ],
)
def test_a_browser_is_listed_by_its_common_name(agent, name):
    assert browser_name(agent) == name
    assert len(name) <= 40


def test_nothing_else_that_a_browser_sends_is_kept(runtime):
    browser_of(runtime, BO, WINDOWS)
    assert "Mozilla" not in str(dump(runtime))
    assert [row.browser for row in rows_of(runtime)] == ["Edge on Windows"]
    assert sign_ins.LASTS == 90 * DAY
