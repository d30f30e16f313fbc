"""The origin of a form: a POST from elsewhere in a player's name does nothing; mail programs unsubscribe by one."""

from datetime import timedelta

import pytest

from tests.cast import dump, open_table, seats, start_game
from tests.runtimes import make_runtime
from tests.sites import site_of
from tests.submitting import FORM, check_refused
from tests.table import Table
from tests.webapp.accounts.intruder import newest, paths_in
from webapp.core.tokens import InvitationLink, PreferencesLink, UnsubscribeLink
from webapp.models import LetterKind

HOME = "http://127.0.0.1:8000"
ELSEWHERE = [
    pytest.param({"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}, id="another site"),
    pytest.param({"Sec-Fetch-Site": "same-site"}, id="another host of the same domain"),
    pytest.param({"Sec-Fetch-Site": "cross-site", "Origin": HOME}, id="whatever Origin says beside it"),
    pytest.param({"Origin": "https://evil.example"}, id="an older browser"),
    pytest.param({"Origin": "http://127.0.0.1:8000.evil.example"}, id="a name like ours"),
    pytest.param({"Origin": "http://evil.example@127.0.0.1:9000"}, id="another port"),
    pytest.param({"Origin": "null"}, id="a frame that hides where it is"),
    pytest.param({"Origin": "http://[::1"}, id="no address"),
    pytest.param({"Referer": "https://evil.example/?http://127.0.0.1:8000/"}, id="a browser of ten years ago"),
]
OURS = [
    pytest.param({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, id="our page"),
    pytest.param({"Sec-Fetch-Site": "none"}, id="loaded again by hand"),
    pytest.param({"Origin": HOME}, id="an older browser"),
    pytest.param({"Origin": "http://localhost"}, id="by another name of this machine"),
    pytest.param({"Referer": f"{HOME}/sign-in"}, id="a browser of ten years ago"),
]
SILENT = {"Sec-Fetch-Site": "", "Origin": ""}
REFUSED = "another site"
NO_TABLE = "/lobby/7F3KQ"  # the origin is checked before the table is looked for


@pytest.fixture
def _game(runtime):
    start_game(runtime)


def posts(runtime):
    """A POST of each sort: by its name, path and data, and whether a signed link in its path allows it."""
    ask = InvitationLink(open_table(runtime, ("Ann", "Eve"), 2), 1, 5)
    return {
        "asks to sign in": ("/sign-in", {"address": "bo@example.org"}, False),
        "signs in": (sign_in_path(runtime), {}, False),
        "signs out": ("/sign-out", {}, False),
        "opens a table": ("/tables/new", FORM, False),
        "takes a seat": (NO_TABLE, {}, False),
        "preferences": (f"{runtime.signer.local_url(PreferencesLink(2))}/cards", {"look": "two"}, True),
        "declines": (runtime.signer.local_url(ask), {"answer": "decline"}, True),
    }


def sign_in_path(runtime):
    site_of(runtime).test_client().post("/sign-in", data={"address": "bo@example.org"})
    return paths_in(newest(runtime, LetterKind.SIGN_IN))[0]


def sent(runtime, path, data, headers):
    """The response to a browser that sends these headers and no others."""
    runtime.now.pass_by(timedelta(seconds=1))
    return site_of(runtime).test_client().post(path, data=data, headers={**SILENT, **headers})


@pytest.mark.usefixtures("_game")
def test_a_post_from_another_site_is_refused_without_effect(runtime):
    for path, data, _ in posts(runtime).values():
        before = dump(runtime)
        answer = sent(runtime, path, data, {"Sec-Fetch-Site": "cross-site"})
        check_refused(runtime, before, answer, 403, REFUSED)
        assert "Set-Cookie" not in answer.headers
        assert "copy the whole" not in answer.text, "no link was cut off"


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_any_sign_of_another_site_refuses_a_post(runtime, headers):
    before = dump(runtime)
    check_refused(runtime, before, sent(runtime, "/sign-in", {"address": "bo@example.org"}, headers), 403, REFUSED)


@pytest.mark.usefixtures("_game")
def test_a_post_from_our_own_page_is_accepted(runtime):
    for path, data, _ in posts(runtime).values():
        assert sent(runtime, path, data, {"Sec-Fetch-Site": "same-origin"}).status_code in (200, 303, 404)


@pytest.mark.parametrize("headers", OURS)
def test_any_sign_of_our_own_page_accepts_a_post(runtime, headers):
    assert sent(runtime, "/sign-in", {"address": "bo@example.org"}, headers).status_code == 200


@pytest.mark.usefixtures("_game")
def test_a_post_without_origin_may_follow_links_not_sign_in(runtime):
    for name, (path, data, is_allowed) in posts(runtime).items():
        assert (sent(runtime, path, data, {}).status_code == 403) is not is_allowed, name


@pytest.mark.usefixtures("_game")
@pytest.mark.parametrize("headers", [{}, *ELSEWHERE])
def test_one_click_unsubscribing_works_from_any_mail_reader(runtime, headers):
    table_id = Table(runtime, 1).table_id
    path = runtime.signer.local_url(UnsubscribeLink(table_id, 1, seats(runtime, table_id)[1].player_id))
    assert sent(runtime, path, {"List-Unsubscribe": "One-Click"}, headers).status_code == 200
    assert not seats(runtime, table_id)[1].mails
    assert sent(runtime, f"{path}/back", {}, {"Origin": "https://evil.example"}).status_code == 403


@pytest.mark.usefixtures("_game")
@pytest.mark.parametrize("method", ["get", "head", "options"])
def test_every_page_can_be_opened_from_anywhere(runtime, method):
    client = site_of(runtime).test_client()
    headers = {"Sec-Fetch-Site": "cross-site", "Origin": "https://mail.example"}
    assert getattr(client, method)("/sign-in", headers=headers).status_code == 200


def test_in_production_only_the_configured_address_counts_as_ours(tmp_path):
    public = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}
    made = make_runtime(tmp_path / "var", secret_keys="k" * 32, **public)
    client = site_of(made).test_client()
    for origin, status in (
        ("https://hearts.example.org", 200),
        ("https://hearts.example.org:443", 200),
        ("http://hearts.example.org", 403),
        ("https://other.example.org", 403),
    ):
        headers = {**SILENT, "Origin": origin, "Host": "other.example.org"}
        assert client.post("/sign-in", data={"address": "bo@example.org"}, headers=headers).status_code == status
    made.database.engine.dispose()


@pytest.mark.parametrize(
    ("host", "protocol", "status"),
    [
        pytest.param("", "HTTP/1.1", 400, id="none in HTTP/1.1"),
        pytest.param("", "HTTP/1.0", 200, id="none in HTTP/1.0"),
        pytest.param("localhost, evil.example", "HTTP/1.1", 400, id="two"),
        pytest.param("localhost", "HTTP/1.1", 200, id="one"),
    ],
)
def test_a_request_names_one_host(client, host, protocol, status):
    """Source: RFC 9112, 3.2; the server refuses two fields itself, and joins them where it does not."""
    environ = {"HTTP_HOST": host, "SERVER_PROTOCOL": protocol}
    assert client.get("/privacy", environ_overrides=environ).status_code == status
