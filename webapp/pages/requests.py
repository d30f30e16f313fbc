"""The way of every request: its number in the log, checks of host and origin, links cleaned of what programs add."""

import re
import secrets
from time import perf_counter
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask, Response, abort, g, redirect, request
from werkzeug.wrappers import Response as AnyResponse

from webapp.core import metrics
from webapp.core.log import begin_about, end_about, log_event
from webapp.pages.common import runtime

# Gives each request a number, by which its lines in the log are found, and counts, times and logs its page.
# A page is named by its route, never by its URL: links are keys to seats.

HEADER = "X-Request-ID"
_WELL_FORMED = re.compile(r"[A-Za-z0-9-]{8,64}")


def register_log(app: Flask) -> None:
    """Adds this to `app`. Functions that are added later run within it."""
    app.before_request(_begin)
    app.after_request(_note_page)
    app.teardown_request(_end)


def _begin() -> None:
    """Begins to time the request, under the number that a proxy has given it, or one of our own."""
    g.started_at = perf_counter()
    given = request.headers.get(HEADER, "")
    g.request_id = given if _WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
    g.logged_about = begin_about(request=g.request_id)


def _note_page(response: Response) -> Response:
    seconds = perf_counter() - g.started_at
    route, method = (request.url_rule.rule, request.method) if request.url_rule else ("none", "any")
    metrics.PAGES.labels(route, method, f"{response.status_code // 100}xx").observe(seconds)
    if request.endpoint != "static":
        log_event("page", route=route, method=method, status=response.status_code, ms=round(seconds * 1000, 1))
    response.headers[HEADER] = g.request_id
    return response


def _end(_: BaseException | None) -> None:
    if token := g.pop("logged_about", None):
        end_about(token)


# Checks which page a form came from, and rejects forms that another site sends in a player's name.
# The browser says where a request comes from, in Sec-Fetch-Site, or, if it is older, in Origin or Referer; no page can
# forge these. Sources: Fetch Metadata, the Origin header of the Fetch standard, RFC 8058 for the one exception. Pages
# must not be served under `Referrer-Policy: no-referrer`: under it the Origin of our own forms is "null".

ASKED_BY = {"same-origin", "none"}  # "none": the user reloads the page themselves
# A mail program unsubscribes by one POST, from wherever it runs; the signed link is all that it needs (RFC 8058).
FROM_ANYWHERE = {"preferences.unsubscribe"}
USING_COOKIE = {"players.sign_in", "shared.stop"}  # their links alone allow nothing
_PORTS = {"http": 80, "https": 443}


class CameFromElsewhere(Exception):
    """Another site sent this form, or the browser does not say which one did."""


def check_host() -> None:
    """Aborts with status 400 for a request that names no host, or several (RFC 9112, 3.2), whatever server took it."""
    host = request.environ.get("HTTP_HOST", "")
    if "," in host or (not host and request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"):
        abort(400)


def check_origin() -> None:
    """Raises CameFromElsewhere for a POST that another site caused. A GET is allowed from anywhere.

    A request that names no site comes from no current browser. It may do what a signed link in its path allows; but it
    may not sign anybody in, or use the cookie of a signed-in player.
    """
    if request.method in ("GET", "HEAD", "OPTIONS") or request.endpoint in FROM_ANYWHERE:
        return
    is_ours = _is_ours()
    if is_ours is None:
        is_ours = "token" in (request.view_args or {}) and request.endpoint not in USING_COOKIE
    if not is_ours:
        raise CameFromElsewhere


def _is_ours() -> bool | None:
    """Whether a page of ours sent the request, according to the browser; None if it does not say."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ASKED_BY
    sender = request.headers.get("Origin") or request.headers.get("Referer")
    if sender is None:
        return None
    host, port = _place(sender)
    return host is not None and (host, port) in _own_places()


def _own_places() -> set[tuple[str | None, int | None]]:
    """The host and port of this site: those of BASE_URL; if it is on this machine, also those in the request."""
    settings = runtime().settings
    named = [f"http://{request.host}"] if settings.is_on_loopback else []
    return {_place(settings.address), *map(_place, named)}


def _place(url: str) -> tuple[str | None, int | None]:
    """The host and port of a URL; the host is None if it is not a URL, like the Origin "null"."""
    try:
        url_parts = urlsplit(url)
        return url_parts.hostname, url_parts.port or _PORTS.get(url_parts.scheme)
    except ValueError:
        return None, None


# Cleans links to which a mail program, or a person who copied one, has added something: a dot, a bracket, a quote.
# A link of ours has a path of a word and a token, perhaps with a page below it, and a query of cards. Anything after
# these is a mistake: it is cut off, and the browser is led to the link itself.

# The signature of a token ends with a letter, a digit, "-" or "_"; nothing else is part of it.
_LINK = re.compile(r"(/[a-z-]+/[\w-]+\.[\w-]+\.[\w-]+(?:/[a-z-]+|/\d+)*)[^\w?-]*(?:\?(.*))?", re.ASCII | re.DOTALL)
_CARD = re.compile(r"((?:10|[2-9tjqka])[cdhs])[^a-z0-9]*", re.IGNORECASE)


def lead_to_clean_link() -> AnyResponse | None:
    """A redirect to the link that is meant; None if the one that was opened is clean, or none of ours."""
    if request.method not in ("GET", "HEAD"):
        return None
    found = _LINK.fullmatch(request.path)
    if found is None:
        return None
    path, added = found.groups()
    given = "&".join(filter(None, (added, request.query_string.decode("utf-8", "replace"))))
    query = urlencode([_clean(*pair) for pair in parse_qsl(given, keep_blank_values=True)])
    clean = f"{path}?{query}" if query else path
    if path == request.path and urlencode(parse_qsl(given, keep_blank_values=True)) == query:
        return None
    return redirect(clean, 302)


def _clean(name: str, value: str) -> tuple[str, str]:
    """A pair of the query: `&amp;` was a mark of HTML, and a card has a rank and a suit."""
    name = name.removeprefix("amp;")
    card = _CARD.fullmatch(value) if name == "card" else None
    return name, card[1].upper() if card else value
