"""Checks which page a form came from, and rejects forms that another site sends in a player's name.

The browser says where a request comes from, in Sec-Fetch-Site, or, if it is older, in Origin or Referer; no page can
forge these. Sources: Fetch Metadata, the Origin header of the Fetch standard, RFC 8058 for the one exception. Pages
must not be served under `Referrer-Policy: no-referrer`: under it the Origin of our own forms is "null".
"""

from urllib.parse import urlsplit

from flask import abort, request

from webapp.pages.common import runtime

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
