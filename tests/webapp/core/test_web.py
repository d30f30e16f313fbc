"""Compression of responses: what is compressed, for whom, and what is left as it is."""

import gzip
import re

import pytest
from flask import Flask, Request, Response
from werkzeug.test import EnvironBuilder

from tests.syntax import ROOT
from webapp.core.web import MIN_BYTES, REMARKS, compress

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
