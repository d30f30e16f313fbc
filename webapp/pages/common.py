"""Provides what every page needs: the runtime of this process, the signed-in player, a rendered template."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal, cast

from flask import abort, current_app, g, redirect, render_template, request
from flask import session as cookie
from markupsafe import Markup
from sqlmodel import Session

from webapp.accounts import sign_ins
from webapp.accounts.sign_ins import SignedIn
from webapp.core.database import DatabaseDown
from webapp.core.runtime import Runtime
from webapp.core.say import offered, say, tongue
from webapp.core.templates import Context, Environments
from webapp.models import PlayerRow
from webapp.players.preferences import USUAL, CardStyle, card_style_of, card_style_of_player

_WORDS = re.compile(r"[A-Z][a-z]*")
SIGN_IN = "sign_in"  # key in the session cookie: the secret of this browser's sign-in


def runtime() -> Runtime:
    return cast(Runtime, current_app.extensions["runtime"])


@contextmanager
def reading() -> Iterator[Session]:
    """A session that reads. Everything that a GET shows comes from one snapshot, since it changes nothing.

    Raises DatabaseDown.
    """
    if request.method not in ("GET", "HEAD"):
        with runtime().database.reading() as session:
            yield session
        return
    if "snapshot" not in g:
        g.snapshot = ExitStack()
        g.session = g.snapshot.enter_context(runtime().database.reading())
    try:
        yield g.session
    except BaseException as error:
        # The database says what an error means; a page about the error reads again.
        if "snapshot" in g:
            g.pop("snapshot").__exit__(type(error), error, error.__traceback__)
        raise


def close_snapshot(error: BaseException | None) -> None:
    """Ends what `reading` has begun for this request."""
    if snapshot := g.pop("snapshot", None):
        with suppress(DatabaseDown):  # it broke when all was read: `Database` has logged it, and the page is whole
            snapshot.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext(Context):
    """The variables of the template of a page; a class for each page. The frame of every page has others.

    A class has the name of its template, as in `SignedInPage`, whose template is `pages/signed_in.html`, or names it.
    """

    template: ClassVar[str]  # in the folder `pages`, without its extension
    reader: int | None = None  # the player to whose seat the link belongs: their card style, whoever is signed in

    def __init_subclass__(cls) -> None:
        if "template" not in vars(cls):
            cls.template = "_".join(_WORDS.findall(cls.__name__.removesuffix("Page"))).lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckInbox(PageContext):
    """The page of a visitor to whom an email is on its way."""

    about: Literal["table", "seat", "sign_in", "sign_in_again", "turn"]
    address: str | None = None  # None: the visitor's, but this browser doesn't know it
    table_name: str | None = None
    error: str | None = None


def done_text(texts: Mapping[str, str]) -> str | None:
    """Says what was done before a redirect led here, by its query: one of these sentences, which `later` has marked."""
    text = texts.get(request.args.get("done", ""))
    return say(text) if text else None


def page(context: PageContext) -> str:
    """Renders the page with what the frame of every page shows."""
    player, reader = signed_in(), context.reader
    if reader is None:
        style = card_style_of_player(player)
    else:
        with reading() as session:
            style = card_style_of(session, reader)
    return _rendered(context, player.name if player else None, style)


def page_without_database(context: PageContext) -> str:
    """Renders the page as for a visitor who is not signed in, without a query."""
    return _rendered(context, None, USUAL)


def _rendered(context: PageContext, player_name: str | None, style: CardStyle) -> str:
    frame = {"mailbox": runtime().settings.keeps_mail, "player_name": player_name, "card_style": style}
    choice = {"languages": [tongue(one) for one in offered()], "here": request.full_path}
    return drawn(f"pages/{context.template}.html", **frame, **choice, **context.variables())


def drawn(template: str, **variables: object) -> str:
    """Draws a template in the language that is spoken."""
    environments = cast(Environments, current_app.extensions["environments"])
    return render_template(environments.spoken().get_template(template), **variables)


def signed_in() -> PlayerRow | None:
    """The player who is signed in with this browser; None if nobody is."""
    found = this_sign_in()
    return found.player if found else None


def signed_in_as(player_id: int | None) -> PlayerRow | None:
    """The player with that id, if it is they who are signed in with this browser."""
    player = signed_in()
    return player if player is not None and player.id == player_id else None


def this_sign_in() -> SignedIn | None:
    """The sign-in of this browser, queried once a request; None if it has none, or if it has ended."""
    if "sign_in" not in g:
        secret = cookie.get(SIGN_IN)
        found = g.sign_in = sign_ins.find(runtime(), secret, runtime().now()) if isinstance(secret, str) else None
        cookie.modified = cookie.modified or (found is not None and found.is_new_day)  # extends the cookie
    return cast("SignedIn | None", g.sign_in)


def required_sign_in() -> SignedIn:
    """The sign-in of this browser. Leads a visitor without one to the form for it."""
    return this_sign_in() or abort(redirect("/sign-in", 303))


def has_just_signed_in(player_id: int) -> bool:
    """Whether somebody has proved the player's address in this browser a moment ago.

    A link from a mail is not enough for what lets others see or play a seat: people forward mails.
    """
    found = this_sign_in()
    return found is not None and found.player.id == player_id and found.is_fresh(runtime().now())


# Draws once what looks the same for the same arguments, such as a trick of a game.

KEPT = 4096  # drawn macros that a process keeps; they have 500 bytes on average, a trick with its players 2,000


def drawing_once() -> Callable[..., Markup]:
    """Returns the templates' `once(macro, …)`, which draws a macro once for the same arguments.

    It may depend on nothing else, and takes no `caller`.
    """

    @lru_cache(KEPT)
    def once(macro: Callable[..., Markup], *arguments: object) -> Markup:
        return macro(*arguments)

    return once
