"""The way of every request: its number in the log, its host and origin, and for every error a page with its status."""

import re
import secrets
from dataclasses import dataclass
from time import perf_counter
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask, Response, abort, g, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from webapp.core import metrics
from webapp.core.database import DatabaseDown
from webapp.core.log import begin_about, end_about, log_event
from webapp.core.say import later, say
from webapp.core.tokens import LinkExpired, LinkInvalid, SeatLent, SeatLost
from webapp.games.record.finished import HandNotScored
from webapp.games.record.links import PlayerForgotten
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import owner_name
from webapp.games.shares import NothingToShare, SharingStopped
from webapp.inbox.receiving import AddressFull
from webapp.pages.away import lent_page
from webapp.pages.common import PageContext, page, page_without_database, reading, runtime
from webapp.pages.limits import Refusal, TooMuchMail, refused
from webapp.tables.seating import SeatGone

# The way of every request: its number in the log, checks of host and origin, links cleaned of what programs add.

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
    if host is None:
        return False
    settings = runtime().settings
    # On this machine the site has other names, too.
    is_named = settings.is_on_loopback and (host, port) == _place(f"http://{request.host}")
    return is_named or (host, port) == _place(settings.address)


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
    pairs = parse_qsl(given, keep_blank_values=True)
    cleaned = []
    for typed, value in pairs:
        name = typed.removeprefix("amp;")  # `&amp;` was a mark of HTML
        card = _CARD.fullmatch(value) if name == "card" else None
        cleaned.append((name, card[1].upper() if card else value))
    query = urlencode(cleaned)
    if path == request.path and urlencode(pairs) == query:
        return None
    return redirect(f"{path}?{query}" if query else path, 302)


# Answers every error with a page: a clear sentence, the right status, never a traceback.

SENTENCES = {
    400: (
        later("We couldn't read that"),
        later("We cannot read what your browser sent. Please go back and try again."),
    ),
    403: (later("This link doesn't work"), later("You may not see this page.")),
    404: (
        later("Page not found"),
        later("The address may have been cut off on its way; try the link in the mail again."),
    ),
    405: (later("That cannot be done here"), later("Please go back and use the buttons on the page.")),
    413: (later("That's too long"), later("What was sent is longer than any form of ours. Nothing was changed.")),
}
OTHERS = (later("Something went wrong on our side"), later("Nothing is lost. Please try again in a minute."))
DATABASE_DOWN = (
    later("We can't reach our records right now"),
    later(
        "Your games are safe. Please try again in a minute. If you have just played a card, the page will then show "
        "whether it was played."
    ),
)
RETRY_AFTER = 30  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem(PageContext):
    status: int
    heading: str
    sentence: str
    may_be_cut: bool = True  # a mail program may have cut off the end of the link
    may_sign_in: bool = True  # if the link is too old, its reader can get a fresh one by signing in


def register(app: Flask) -> None:
    """Makes `app` answer every error with a page."""
    app.register_error_handler(LinkInvalid, _link_invalid)
    app.register_error_handler(SeatLost, _seat_lost)
    app.register_error_handler(SeatLent, lent_page)
    app.register_error_handler(LinkExpired, _link_expired)
    app.register_error_handler(PlayerForgotten, _player_forgotten)
    app.register_error_handler(CameFromElsewhere, _came_from_elsewhere)
    app.register_error_handler(SeatGone, _seat_gone)
    app.register_error_handler(TooMuchMail, _too_much_mail)
    app.register_error_handler(AddressFull, _address_full)
    app.register_error_handler(HandNotScored, _still_played)
    app.register_error_handler(SharingStopped, _sharing_stopped)
    app.register_error_handler(NothingToShare, _nothing_to_share)
    app.register_error_handler(421, _other_host)
    app.register_error_handler(DatabaseDown, _database_down)
    app.register_error_handler(HTTPException, _other)
    app.register_error_handler(500, _failure)


def _problem(
    status: int, heading: str, sentence: str, *, may_be_cut: bool = True, may_sign_in: bool = True
) -> tuple[str, int]:
    problem = Problem(status=status, heading=heading, sentence=sentence, may_be_cut=may_be_cut, may_sign_in=may_sign_in)
    try:
        return page(problem), status
    except DatabaseDown:  # it is unknown who is signed in
        return page_without_database(problem), status


def _database_down(_: DatabaseDown) -> tuple[str, int, dict[str, str]]:
    heading, sentence = map(say, DATABASE_DOWN)
    problem = Problem(status=503, heading=heading, sentence=sentence)
    return page_without_database(problem), 503, {"Retry-After": str(RETRY_AFTER)}


def _link_invalid(_: LinkInvalid) -> tuple[str, int]:
    sentence = say("It may have been cut off on its way, or belong elsewhere. Please use the link in the mail itself.")
    return _problem(403, say("This link doesn't work"), sentence)


def _seat_lost(lost: SeatLost) -> tuple[str, int]:
    with reading() as session:
        host = table_seats(session, lost.table_id)[0]
    sentence = say(
        "{name}, who hosts the table, has given it to somebody else. The links in earlier emails no longer work.",
        name=owner_name(host),
    )
    return _problem(403, say("Somebody else has your seat now"), sentence, may_be_cut=False)


def _link_expired(_: LinkExpired) -> tuple[str, int]:
    sentence = say("It worked once, but its time is over, or it was ended. Your games go on: get a fresh link by mail.")
    return _problem(410, say("This link is too old"), sentence, may_be_cut=False)


def _player_forgotten(_: PlayerForgotten) -> tuple[str, int]:
    sentence = say(
        "So we can't write to you, and this link does nothing any more. If somebody invites you again, that mail has a "
        "link that stops all further invitations."
    )
    return _problem(410, say("We have forgotten your address"), sentence, may_be_cut=False, may_sign_in=False)


def _came_from_elsewhere(_: CameFromElsewhere) -> tuple[str, int]:
    sentence = say(
        "Your browser says that another site sent this, or does not say who did. Nothing was changed. Please open our "
        "page yourself and use its button."
    )
    return _problem(403, say("This did not come from our own page"), sentence, may_be_cut=False)


def _seat_gone(_: SeatGone) -> tuple[str, int]:
    return _problem(
        409, say("This seat is taken"), say("It was given to somebody, or answered already. Nothing was changed.")
    )


def _too_much_mail(error: TooMuchMail) -> Refusal:
    """For views that have no form on which to show the message."""
    return refused(_problem(429, say("That is enough mail for now"), str(error))[0], error)


def _address_full(_: AddressFull) -> tuple[str, int]:
    sentence = say("This letter was answered very often within the hour. Please use its links, or answer it later.")
    return _problem(429, say("That is enough mail for now"), sentence)


def _still_played(_: HandNotScored) -> tuple[str, int]:
    sentence = say(
        "Its cards can be seen once the last trick is played and the score is written. Please come back then."
    )
    return _problem(409, say("This hand is not over yet"), sentence)


def _sharing_stopped(_: SharingStopped) -> tuple[str, int]:
    sentence = say("The player who shared this result has stopped sharing it. Ask them for a new link.")
    return _problem(410, say("This result is not shared any more"), sentence, may_be_cut=False, may_sign_in=False)


def _nothing_to_share(error: NothingToShare) -> tuple[str, int]:
    return _problem(409, say("There is no result to share"), str(error))


def _other_host(_: HTTPException) -> tuple[str, int]:
    address = f"{runtime().settings.address}/mailbox"
    sentence = say("Please open it by this machine's own name: {address}", address=address)
    return _problem(421, say("The mailbox opens on this machine only"), sentence)


def _other(error: HTTPException) -> tuple[str, int]:
    status = error.code or 500
    return _problem(status, *map(say, SENTENCES.get(status, OTHERS)))


def _failure(_: Exception) -> tuple[str, int]:
    return _problem(500, *map(say, OTHERS))
