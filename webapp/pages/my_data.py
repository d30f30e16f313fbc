"""The page on a player's data: what we keep and for how long, a file with all of it, and the way to delete it."""

from dataclasses import dataclass

from flask import Blueprint
from werkzeug.wrappers import Response

from webapp import acts
from webapp.accounts import address_changes, sign_ins
from webapp.accounts.sign_ins import SignedIn
from webapp.core.refusal import Refused
from webapp.core.tokens import ForgetLink
from webapp.inbox import receiving
from webapp.models import PlayerRow
from webapp.outbox import letters
from webapp.pages import limits
from webapp.pages.common import PageContext, page, reading, required_sign_in, runtime
from webapp.pages.limits import Answer
from webapp.players import forgetting, own_data
from webapp.presentation.phrasing import span
from webapp.tables import run_out

blueprint = Blueprint("my_data", __name__)


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
def show() -> str:
    return _page(required_sign_in())


@blueprint.get("/my-data/hearts-by-mail.zip")
def export() -> Response | tuple[str, int]:
    """Sends all the player's data as a file; only after a fresh sign-in, which a borrowed phone does not have."""
    found = required_sign_in()
    if not found.is_fresh(runtime().now()):
        return _page(found, error=forgetting.NO_FRESH_SIGN_IN), 403
    with reading() as session:
        content = own_data.file_of(session, found.player)
    return Response(content, mimetype="application/zip", headers={"Content-Disposition": "attachment"})


@blueprint.post("/my-data/forget")
def ask() -> Answer:
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
