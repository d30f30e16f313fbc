"""The site: the headers of its responses, and its cookie."""

import gc
import gzip
import re
import warnings

import pytest
from flask import Flask, Request, Response
from werkzeug.test import EnvironBuilder

from tests.cast import start_game
from tests.runtimes import make_runtime
from tests.syntax import ROOT
from webapp.core.tokens import SignInLink
from webapp.site import MIN_BYTES, REMARKS, compress, make_site

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
    table = start_game(runtime)
    response = client.get(runtime.signer.local_url(table.turn_link(0)))
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    with client.session_transaction() as cookie:
        assert dict(cookie) == {"met": True}, "it shows that the browser keeps cookies, and says nothing of its reader"


TEXT = "hearts " * 200


@pytest.fixture(autouse=True)
def _context():
    """A request knows no endpoint without an application."""
    with Flask(__name__).test_request_context():
        yield


def compressed(response: Response, accepts: str | None = "gzip, br") -> Response:
    headers = {} if accepts is None else {"Accept-Encoding": accepts}
    compress(Request(EnvironBuilder(headers=headers).get_environ()), response)
    return response


@pytest.mark.parametrize("mimetype", ["text/html", "text/css", "image/svg+xml", "application/json"])
def test_text_is_compressed_and_is_the_same_text(mimetype):
    response = compressed(Response(TEXT, mimetype=mimetype))
    assert response.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(response.data).decode() == TEXT
    assert response.content_length == len(response.data) < len(TEXT)


def test_styles_and_scripts_are_sent_without_remarks():
    for mimetype, text, sent in (
        ("text/css", "/* why\n and how */\na { b: c } /* why */\n", "\na { b: c }\n"),
        ("text/javascript", '// why\n  const at = "https://x"; // why\n', '  const at = "https://x";\n'),
    ):
        assert REMARKS[mimetype].sub(b"", text.encode()).decode() == sent


@pytest.mark.parametrize("script", [*(ROOT / "webapp" / "static").glob("*.js")], ids=lambda path: path.name)
def test_no_remark_of_a_script_is_within_quotes(script):
    for found in REMARKS["text/javascript"].finditer(text := script.read_bytes()):
        before = text[text.rfind(b"\n", 0, found.start() + 1) + 1 : found.start()]
        assert [before.count(quote) % 2 for quote in (b'"', b"`")] == [0, 0], found[0]


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(lambda: Response(TEXT, mimetype="image/png"), id="an image"),
        pytest.param(lambda: Response(TEXT, 206, mimetype="text/html"), id="a part"),
        pytest.param(lambda: Response(TEXT, mimetype="text/html", headers={"Content-Encoding": "br"}), id="encoded"),
        pytest.param(lambda: Response("h" * (MIN_BYTES - 1), mimetype="text/html"), id="a short text"),
        pytest.param(lambda: Response(iter([TEXT]), mimetype="text/html"), id="a stream"),
    ],
)
def test_what_gains_nothing_is_left_as_it_is(response):
    before = response()
    encoding = before.headers.get("Content-Encoding")
    after = compressed(before)
    assert after.headers.get("Content-Encoding") == encoding
    assert after.get_data() == response().get_data()


@pytest.mark.parametrize("accepts", [None, "", "br", "gzip;q=0", "identity"])
def test_without_compression_clients_get_plain_text_and_caches_know(accepts):
    response = compressed(Response(TEXT, mimetype="text/html"), accepts)
    assert (response.data.decode(), response.headers.get("Content-Encoding")) == (TEXT, None)
    assert "Accept-Encoding" in response.vary


def test_an_entity_tag_becomes_weak_since_the_bytes_differ():
    response = Response(TEXT, mimetype="text/css")
    response.set_etag("abc")
    assert compressed(response).get_etag() == ("abc", True)


def test_old_browsers_have_the_light_value_of_each_colour():
    style = (ROOT / "webapp/static/style.css").read_text()
    old = re.search(r"@supports not \(color: light-dark.*?\n  }\n", style, re.DOTALL)
    assert old
    lights = re.findall(r"^ +(--[\w-]+): light-dark\((rgb\([^)]*\)|#\w+),", style, re.MULTILINE)
    assert len(lights) > 20
    assert [name for name, light in lights if f"{name}: {light};" not in old[0]] == []
