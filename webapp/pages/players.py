"""Signs players in by a mailed link or code, and out; lists their browsers, and shows and deletes their data."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, redirect, request
from flask import session as cookie
from werkzeug.wrappers import Response as AnyResponse

from webapp import acts
from webapp.accounts import access, address_changes, sign_ins
from webapp.accounts.sign_ins import SignedIn, SignInLine
from webapp.core.say import Refused, later, say
from webapp.core.tokens import ForgetLink, LinkExpired, LinkInvalid, SignInLink
from webapp.forms.fields import BadField, read_address, read_number
from webapp.games.record.links import PlayerForgotten, preferences_link
from webapp.inbox import receiving
from webapp.models import PlayerRow
from webapp.outbox import letters
from webapp.pages import limits, ways_in
from webapp.pages.common import (
    SIGN_IN,
    CheckInbox,
    PageContext,
    done_text,
    page,
    reading,
    required_sign_in,
    runtime,
    this_sign_in,
)
from webapp.pages.limits import Answer, TooMuchMail
from webapp.players import forgetting, own_data
from webapp.presentation.phrasing import span
from webapp.tables import run_out

blueprint = Blueprint("players", __name__)


# Signs players in by a mailed link or code, and out; lists the browsers that are signed in, and ends sign-ins.

ALL = "all"  # in place of the number of a sign-in
DONE = {"ended": later("That browser is signed out.")}
WRONG_CODE = later(
    "This is not the code of our newest email, or it is too old. The link in the email works for half an hour."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignIn(PageContext):
    address: str = ""
    code_to: str | None = None  # the address to which a code for this browser was mailed
    has_ended: bool = False  # a sign-in of this browser
    error: str | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInConfirm(PageContext):
    goes_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInUsed(PageContext):
    action: str
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInPage(PageContext):
    lines: Sequence[SignInLine]
    preferences_link: str
    done: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(PageContext):
    """Every browser of the player is signed out."""


@blueprint.get("/sign-in")
def form() -> str:
    return _form_page()


@blueprint.post("/sign-in")
def ask() -> Answer:
    typed = request.form.get("address", "")
    try:
        address = read_address(typed)
    except Refused as error:
        return _form_page(error=str(error), address=typed[:300]), 400
    try:
        with limits.counted(*limits.sign_in_asked()):
            _send_link(address)
    except TooMuchMail as error:
        return limits.refused(_form_page(address=typed[:300], refusal=str(error)), error)
    return page(CheckInbox(about="sign_in", address=address))


def _send_link(address: str) -> None:
    """Queues a sign-in link and a code for this browser, if a player has the address and the limit is not reached.

    Counts in any case and does not report a reached limit, so that the visitor cannot learn whether a player has the
    address. Then the code before stays valid.
    """
    browser, now = sign_ins.new_browser(), runtime().now()
    before = limits.code_for(now)
    limits.note_asked(limits.sign_in(address))
    try:
        with limits.counted(limits.to_address(address)):
            sign_ins.request_sign_in(runtime(), address, now, browser)
    except TooMuchMail:
        browser = before[0] if before and before[1] == address else browser
    limits.note_code(browser, address, now)


@blueprint.get("/sign-in/code")
def code_form() -> AnyResponse:
    """For a browser that loads the page again."""
    return redirect("/sign-in", 303)


@blueprint.post("/sign-in/code")
def type_code() -> Answer:
    asked = limits.code_for(runtime().now())
    if asked is None:
        return _form_page(error=say("This browser has asked for no code within half an hour.")), 400
    browser, address = asked
    try:
        with limits.counted(*limits.code_tried(browser, address)):
            link = sign_ins.link_of_code(runtime(), address, browser, request.form.get("code", "")[:100])
    except TooMuchMail as error:
        return limits.refused(page(CheckInbox(about="sign_in", address=address, error=str(error))), error)
    if link is not None:
        with suppress(LinkInvalid):  # used this very moment
            return _signed_in(link)
    return page(CheckInbox(about="sign_in", address=address, error=say(WRONG_CODE))), 400


@blueprint.get("/sign-in/<token>")
def show(token: str) -> AnyResponse | str | tuple[str, int]:
    link, player = _link_of(token)
    if link is None:
        return _used(player)
    goes_on = limits.is_asked(limits.sign_in(player.address))
    return page(SignInConfirm(goes_on=goes_on))


def _link_of(token: str) -> tuple[SignInLink | None, PlayerRow]:
    """The link of the token, None if it was used or is too old, and its player. Raises LinkInvalid, PlayerForgotten."""
    link = runtime().signer.read(SignInLink, token, even_old=True)
    with reading() as session:
        player = session.get(PlayerRow, link.player_id)
    if player is None:
        raise LinkInvalid
    if player.forgotten_at is not None:
        raise PlayerForgotten
    with suppress(LinkExpired):
        runtime().signer.read(SignInLink, token)
        return (link if player.sign_ins == link.sign_ins else None), player
    return None, player


def _used(player: PlayerRow) -> AnyResponse | tuple[str, int]:
    """Leads a browser in which the player is signed in to their games; to any other, it offers another link.

    Programs that show a mail open its links in a browser of their own, and so use this one up.
    """
    found = this_sign_in()
    if found is not None and found.player.id == player.id:
        return redirect("/games", 303)
    return page(SignInUsed(action=_path())), 410


def _path() -> str:
    """The path of the link's own page, also for requests of its buttons."""
    return f"/sign-in/{(request.view_args or {})['token']}"


@blueprint.post("/sign-in/<token>/again")
def mail_again(token: str) -> Answer:
    """Mails the player of a link that was used, or is too old, another one."""
    _, player = _link_of(token)
    try:
        ways_in.mail_sign_in(player.id)
    except TooMuchMail as error:
        return limits.refused(page(SignInUsed(action=_path(), error=str(error))), error)
    return page(CheckInbox(about="sign_in_again"))


@blueprint.post("/sign-in/<token>")
def sign_in(token: str) -> AnyResponse | tuple[str, int]:
    link, player = _link_of(token)
    if link is None:
        return _used(player)
    try:
        return _signed_in(link)
    except LinkInvalid:  # used this very moment
        return _used(player)


def _signed_in(link: SignInLink) -> AnyResponse:
    """Signs this browser in, and leads to the page for which its player asked. Raises LinkInvalid."""
    secret = sign_ins.sign_in(runtime(), link, request.headers.get("User-Agent", ""), _secret())
    returns = cookie.get(limits.RETURNS)
    ways_in.clear_cookie()
    cookie[SIGN_IN] = secret
    cookie.permanent = True
    if not returns:
        return redirect("/games", 303)
    with reading() as session:
        own = preferences_link(session.get_one(PlayerRow, link.player_id))
    return redirect(f"{runtime().signer.local_url(own)}/away", 303)


@blueprint.post("/sign-out")
def sign_out() -> AnyResponse:
    found = this_sign_in()
    if secret := _secret():
        sign_ins.sign_out(runtime(), secret)
    ways_in.clear_cookie(found.player.id if found else None)
    return redirect("/", 303)


@blueprint.get("/signed-in")
def signed_in_page() -> str:
    return _list_page(required_sign_in(), done=done_text(DONE))


@blueprint.post("/signed-in/end")
def end() -> AnyResponse | str | tuple[str, int]:
    """Ends one sign-in, or with ALL all access from browsers and devices."""
    found, which = required_sign_in(), request.form.get("sign_in", "")
    if which == ALL:
        access.sign_out_everywhere(runtime(), found.player.id, runtime().now())
        ways_in.clear_cookie(found.player.id)
        return page(SignedOut())
    try:
        number = read_number(which)
    except BadField as error:
        return _list_page(found, error=str(error)), 400
    sign_ins.end_one(runtime(), found.player.id, number)
    if number == found.row.id:
        ways_in.clear_cookie(found.player.id)
        return redirect("/", 303)
    return redirect("/signed-in?done=ended", 303)


def _list_page(found: SignedIn, *, done: str | None = None, error: str | None = None) -> str:
    with reading() as session:
        lines = sign_ins.lines(session, found, runtime().now())
    return page(
        SignedInPage(
            lines=lines,
            preferences_link=runtime().signer.local_url(preferences_link(found.player)),
            done=done,
            error=error,
        )
    )


def _form_page(*, error: str | None = None, address: str = "", refusal: str | None = None) -> str:
    """The sign-in form; it explains to a browser that was signed in why it is signed out."""
    has_ended = _secret() is not None and this_sign_in() is None
    asked = limits.code_for(runtime().now())
    code_to = asked[1] if asked else None
    return page(SignIn(error=error, address=address, refusal=refusal, has_ended=has_ended, code_to=code_to))


def _secret() -> str | None:
    """The secret in this browser's cookie, even if its sign-in has ended; None if there is none."""
    secret = cookie.get(SIGN_IN)
    return secret if isinstance(secret, str) else None


# The page on a player's data: what we keep and for how long, a file with all of it, and the way to delete it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy(PageContext):
    mails_for: str
    replies_for: str
    addresses_for: str
    sign_ins_for: str
    acts_for: str
    unanswered_for: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MyData(PageContext):
    is_fresh: bool
    is_asked: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget(PageContext):
    name: str
    action: str | None  # None: they are forgotten
    error: str | None = None


@blueprint.get("/privacy")
def privacy() -> str:
    return page(
        Privacy(
            mails_for=span(letters.KEPT_FOR),
            replies_for=span(receiving.KEPT_FOR),
            addresses_for=span(address_changes.KEPT_FOR),
            sign_ins_for=span(sign_ins.LASTS),
            acts_for=span(acts.KEPT_FOR),
            unanswered_for=span(run_out.KEPT_FOR),
        )
    )


@blueprint.get("/my-data")
def show_data() -> str:
    return _page(required_sign_in())


@blueprint.get("/my-data/hearts-by-mail.zip")
def export() -> AnyResponse | tuple[str, int]:
    """Sends all the player's data as a file; only after a fresh sign-in, which a borrowed phone does not have."""
    found = required_sign_in()
    if not found.is_fresh(runtime().now()):
        return _page(found, error=forgetting.NO_FRESH_SIGN_IN), 403
    with reading() as session:
        content = own_data.file_of(session, found.player)
    return AnyResponse(content, mimetype="application/zip", headers={"Content-Disposition": "attachment"})


@blueprint.post("/my-data/forget")
def ask_for_data() -> Answer:
    found = required_sign_in()
    try:
        with limits.counted(*limits.asked_for(found.player.address, found.player.id)):
            forgetting.ask(runtime(), found.player.id, found.row.id, runtime().now())
    except Refused as error:
        return limits.refused(_page(found, error=str(error)), error, 403)
    return _page(found, is_asked=True)


@blueprint.get("/forget/<token>")
def show_forget(token: str) -> str:
    return _forget_page(token)


@blueprint.post("/forget/<token>")
def forget(token: str) -> str | tuple[str, int]:
    link = runtime().signer.read(ForgetLink, token)
    try:
        forgetting.forget_by_link(runtime(), link, runtime().now())
    except Refused as error:
        return _forget_page(token, error=str(error)), 409
    return page(Forget(name="", action=None))


def _forget_page(token: str, error: str | None = None) -> str:
    """The page that says what is deleted. Raises LinkInvalid or LinkExpired."""
    link = runtime().signer.read(ForgetLink, token)
    with reading() as session:
        player: PlayerRow = forgetting.player_of(session, link)
    return page(Forget(name=player.name, action=f"/forget/{token}", error=error))


def _page(found: SignedIn, *, error: str | None = None, is_asked: bool = False) -> str:
    return page(MyData(is_fresh=found.is_fresh(runtime().now()), is_asked=is_asked, error=error))
