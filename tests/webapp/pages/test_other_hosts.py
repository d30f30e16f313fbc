"""Responses to a request for another host: no redirect there, and no mailbox."""

from http.client import HTTPConnection, HTTPResponse
from itertools import product
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.cast import letters, open_table
from tests.sites import site_of
from webapp.core.tokens import ConfirmLink
from webapp.models import LetterKind
from worker import postman

STRANGE_PATHS = ("//lobby", "/lobby//", "//evil.example/", "///evil.example", "/lobby/", "/tables//new", "/mailbox/")
STRANGE_PATHS += ("/static//style.css", "//static/style.css", "/seat//x", "/.//lobby", "/\\evil.example", "//")


def ask(address: str, path: str, host: str, method: str = "GET") -> tuple[HTTPResponse, str]:
    """The response of a server to exactly this path and host, which a client library would tidy up."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=30)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host)
    if method == "POST":
        connection.putheader("Content-Length", "0")
        connection.putheader("Sec-Fetch-Site", "same-origin")  # as sent by a page that was read under that name
    connection.endheaders()
    response = connection.getresponse()
    text = response.read().decode(errors="replace")
    connection.close()
    return response, text


def test_no_path_redirects_to_the_host_that_a_request_names(client):
    for path, method in product(STRANGE_PATHS, ("GET", "HEAD", "POST")):
        as_sent = {"PATH_INFO": path, "HTTP_HOST": "evil.example"}  # as gunicorn passes it on; others tidy it up
        with client.open(method=method, environ_overrides=as_sent) as response:
            # A second slash at the beginning is no more than one.
            assert response.status_code in (200, 404, 405), (path, method)
            assert "Location" not in response.headers, (path, method)
            assert "http://evil.example" not in response.text, (path, method)


def test_no_page_has_an_address_that_the_router_would_redirect(runtime):
    for rule in site_of(runtime).url_map.iter_rules():
        assert rule.redirect_to is None
        assert not rule.alias
        assert rule.rule == "/" or not rule.rule.endswith("/"), "without the slash it would redirect"


def test_links_in_pages_and_mails_ignore_the_requests_host(runtime, address):
    table_id = open_table(runtime)
    path = runtime.signer.local_url(ConfirmLink(table_id))
    for url in ("/", "/lobby", "/tables/new", "/sign-in", "/how-we-play", path):
        response, text = ask(address, url, "evil.example")
        assert "evil.example" not in text + str(response.getheaders())
    response, _ = ask(address, "/practice", "evil.example")
    assert response.getheader("Location", "").startswith("/practice/")
    response, _ = ask(address, "/games", "evil.example")
    assert response.getheader("Location") == "/sign-in"
    postman.deliver(runtime)
    (confirm,) = letters(runtime, LetterKind.CONFIRM)
    assert runtime.settings.address in confirm.message
    assert "evil.example" not in confirm.message


# the mailbox shows everybody's mail, and must not open under a name that somebody else's DNS leads here

OURS = ["localhost", "localhost:8000", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000", "[::1]", "LOCALHOST:1"]
THEIRS = ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "169.254.1.1"]
THEIRS += ["[::2]", "127.0.0.1@evil.example", "evil.example#localhost", "[::1", "x]", "0.0.0.0:8000", ""]


@pytest.fixture
def letter(runtime) -> str:
    """The path of a letter in the mailbox."""
    open_table(runtime)
    postman.deliver(runtime)
    return f"/mailbox/letters/{letters(runtime, LetterKind.CONFIRM)[0].id}"


def test_the_mailbox_is_served_under_no_other_host_name(address, letter):
    paths = ("/mailbox", "/mailbox/ann@example.org", letter, f"{letter}/html", "/mailbox/answers/1")
    for host, path in product(THEIRS, paths):
        response, text = ask(address, path, host)
        assert response.status in (400, 421), (host, path)
        assert "ann@example.org" not in text, (host, path)
    assert {ask(address, f"{letter}/answer", host, "POST")[0].status for host in THEIRS} <= {400, 421}


def test_the_mailbox_is_served_under_its_own_host_names(address, letter):
    for host in OURS:
        response, text = ask(address, "/mailbox", host)
        assert response.status == 200, host
        assert "ann@example.org" in text, host
        assert ask(address, letter, host)[0].status == 200, host


def test_a_request_for_another_host_gets_a_plain_page(address):
    response, text = ask(address, "/mailbox", "evil.example")
    assert response.status == 421
    page = BeautifulSoup(text, "lxml")
    assert page.h1.text == "The mailbox opens on this machine only"
    assert "http://127.0.0.1:8000/mailbox" in page.text
