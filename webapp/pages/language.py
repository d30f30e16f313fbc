"""In which language a request is answered, and how its reader chooses another.

The page of a player's link speaks their language, and so does each page while they are signed in. Any other speaks the
one that was chosen in this browser, which a cookie keeps, or else the first that the browser asks for and we offer. A
newcomer has the language of whoever invites them, until they choose one or have been here.

An address may name a language itself, as the links of an invitation do. Source: RFC 9110, 12.5.4 (Accept-Language).
"""

from contextlib import ExitStack, suppress
from datetime import datetime
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Blueprint, Response, abort, current_app, g, redirect, request
from flask import session as cookie
from sqlmodel import Session, select
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.database import DatabaseDown
from webapp.core.say import ENGLISH, if_offered, offered, speaking, spoken, tongue
from webapp.core.tokens import ConfirmLink, Link, LinkExpired, LinkInvalid, OfChange, kind_at
from webapp.games.record.links import check_reader
from webapp.models import AddressChangeRow, PlayerRow, TableRow
from webapp.pages.common import SIGN_IN, reading, runtime, signed_in
from webapp.players import preferences

blueprint = Blueprint("language", __name__)
NAME: Final = "language"  # of the cookie, of the field of the form, and in the query of a page
KEPT_FOR: Final = 365 * 24 * 3600  # seconds that a browser keeps the cookie
_WITHOUT_WORDS: Final = ("static", "health.alive", "health.ready", "seats.now", "play.now", "turns.now")


def begin() -> None:
    """Speaks the reader's language until `end`."""
    g.speaking = ExitStack()
    g.speaking.enter_context(speaking(_language()))


def end(_: BaseException | None) -> None:
    if opened := g.pop("speaking", None):
        opened.close()


def note(response: Response) -> Response:
    """Says in which language a page is, and keeps in the browser which one its address names."""
    if len(offered()) == 1 or response.mimetype != "text/html":
        return response
    response.headers.setdefault("Content-Language", tongue().tag)
    response.vary.update(("Accept-Language", "Cookie"))
    if (named := request.args.get(NAME)) in offered():
        keep(response, named)
    return response


@blueprint.post("/language")
def choose() -> AnyResponse:
    """Keeps the language in this browser, and for the player whose page it was, or who is signed in."""
    language = request.form.get(NAME, "")
    if language not in offered():
        abort(400)
    back = _page_to(request.form.get("back", ""))
    if (player_id := _chooser(back)) is not None:
        preferences.change_language(runtime(), player_id, language, runtime().now())
    return keep(redirect(back, 303), language)


def keep(response: AnyResponse, language: str) -> AnyResponse:
    """Keeps the language in this browser."""
    is_https = runtime().settings.is_https
    response.set_cookie(NAME, language, max_age=KEPT_FOR, secure=is_https, httponly=True, samesite="Lax")
    return response


def keep_for(player_id: int) -> None:
    """Keeps for a player the language in which they have answered."""
    with reading() as session:
        is_kept = session.get_one(PlayerRow, player_id).language == spoken()
    if not is_kept:
        preferences.change_language(runtime(), player_id, spoken(), runtime().now())


def _language() -> str:
    if len(offered()) == 1 or request.endpoint in _WITHOUT_WORDS:
        return ENGLISH
    if (named := request.args.get(NAME)) in offered():
        return named
    player, kept = _player(), request.cookies.get(NAME)
    if kept in offered() and (player is None or not player.was_here):
        return kept
    if player:
        return if_offered(player.language)
    for asked, quality in request.accept_languages:
        main, _, region = asked.lower().replace("_", "-").partition("-")
        # A region of Portuguese that we lack is Portugal's.
        language = {"": "pt_BR", "br": "pt_BR"}.get(region, "pt_PT") if main == "pt" else main
        if quality > 0 and language in offered():
            return language
    return ENGLISH


class _Known(NamedTuple):
    """The part of a player's row that decides about their language."""

    language: str
    was_here: bool


def _player() -> _Known | None:
    """The player of the page's link, or the one who is signed in; None if there is none, or none is known for now."""
    with suppress(DatabaseDown):  # which the page says, if it needs to know
        if link := _link(request.path):
            with reading() as session:
                if number := _named(session, link):
                    known = select(PlayerRow.language, PlayerRow.seen_at).where(PlayerRow.id == number)
                    return _known(session.exec(known).first())
        player = signed_in() if SIGN_IN in cookie else None
        if request.method not in ("GET", "HEAD"):
            g.pop("sign_in", None)  # asked again later: the request may change who is signed in
        return _known((player.language, player.seen_at) if player else None)
    return None


def _known(row: tuple[str, datetime | None] | None) -> _Known | None:
    return _Known(row[0], was_here=row[1] is not None) if row else None


def _named(session: Session, link: Link) -> int | None:
    """The player for whom the link is; None if it is for anybody."""
    match link:
        case ConfirmLink():
            table = session.get(TableRow, link.table_id)
            return table.host_id if table else None
        case OfChange():
            change = session.get(AddressChangeRow, link.change_id)
            return change.player_id if change else None
        case _:
            return getattr(link, "player_id", None) or None


def _link(path: str, *, even_old: bool = True) -> Link | None:
    """The link that leads to the page; None if it has none, or a forged one."""
    match path.split("/"):
        case ["", name, token, *_] if kind := kind_at(name):
            with suppress(LinkInvalid, LinkExpired):
                return runtime().signer.read(kind, token, even_old=even_old)
    return None


def _chooser(page: str) -> int | None:
    """The player whose language is chosen on a page: the one of its link, as long as they may act by it, or who is
    signed in.
    """
    link = _link(urlsplit(page).path, even_old=False)
    with suppress(LinkInvalid, LinkExpired), reading() as session:
        if link is not None:
            return check_reader(session, link)
    player = signed_in()
    return player.id if player else None


def _page_to(address: str) -> str:
    """The page of ours to which an address leads, whatever its site; the nearest one above, or the home page."""
    try:
        parts = urlsplit(address)
        named = parse_qsl(parts.query)
    except ValueError:
        return "/"
    query, path = urlencode([pair for pair in named if pair[0] != NAME]), parts.path
    pages = current_app.url_map.bind("")
    while path.startswith("/") and path != "/":
        with suppress(HTTPException):
            pages.match(path, "GET")
            return f"{path}?{query}" if query and path == parts.path else path
        path = path.rpartition("/")[0]
    return "/"
