"""The site: the headers of its responses, and its cookie."""

import gc
import warnings

import pytest

from tests.cast import start_game, turn_link
from tests.runtimes import make_runtime
from webapp.core.tokens import SignInLink
from webapp.site import make_site

PUBLIC = {
    **{"base_url": "https://hearts.example.org", "smtp_url": "smtp://127.0.0.1:1", "mail_from": "h@example.org"},
    "secret_keys": "k" * 32,
}
HSTS = "Strict-Transport-Security"
BO = 2


@pytest.mark.parametrize("path", ["/", "/lobby", "/nowhere", "/static/style.css", "/healthz"])
def test_a_service_behind_https_sends_hsts(tmp_path, path):
    public = make_runtime(tmp_path / "var", **PUBLIC)
    response = make_site(public).test_client().get(path)
    assert response.headers.getlist(HSTS) == ["max-age=31536000"]
    response.close()
    public.database.engine.dispose()


def test_a_service_on_this_machine_sends_no_hsts(client):
    assert HSTS not in client.get("/").headers


def test_a_file_answered_as_unchanged_is_not_left_open(client):
    with client.get("/static/style.css") as first:
        tag = first.headers["ETag"]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        answer = client.get("/static/style.css", headers={"If-None-Match": tag})
        assert (answer.status_code, answer.data) == (304, b"")
        del answer
        gc.collect()
    assert [str(one.message) for one in seen] == []


@pytest.mark.parametrize("is_encrypted", [True, False])
def test_the_cookie_is_this_sites_alone_and_hidden_from_scripts(tmp_path, is_encrypted):
    public = {"base_url": "https://hearts.example.org", "smtp_url": "smtp://relay", "mail_from": "h@example.org"}
    made = make_runtime(tmp_path / "public", **({**public, "secret_keys": "k" * 32} if is_encrypted else {}))
    start_game(made)
    client = make_site(made).test_client()
    answer = client.post(made.signer.local_url(SignInLink(BO, 0)), base_url=made.settings.address)
    cookie = answer.headers.getlist("Set-Cookie")[-1]
    assert cookie.startswith("__Host-hearts=" if is_encrypted else "hearts=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert ("Secure" in cookie.split("; ")) is is_encrypted
    assert "Domain" not in cookie
    made.database.engine.dispose()


def test_the_home_page_and_privacy_may_be_found(client):
    for path in ("/", "/privacy", "/robots.txt"):
        response = client.get(path)
        assert "X-Robots-Tag" not in response.headers
        assert "noindex" not in response.text
    assert client.get("/lobby").headers["X-Robots-Tag"] == "noindex"
    assert "Allow: /privacy$" in client.get("/robots.txt").text


def test_every_page_opened_by_a_link_is_private(runtime, client):
    game_id = start_game(runtime)
    response = client.get(runtime.signer.local_url(turn_link(runtime, game_id, 0)))
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    with client.session_transaction() as cookie:
        assert dict(cookie) == {"met": True}, "it shows that the browser keeps cookies, and says nothing of its reader"
