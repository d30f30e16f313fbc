"""Signing in by mail, and out."""

from flask import Blueprint, redirect, request, session
from werkzeug.wrappers import Response

from webapp.company import signing_in
from webapp.forms.fields import BadField, read_address
from webapp.models import PlayerRow
from webapp.pages.common import PLAYER, page, parts
from webapp.tokens import LinkInvalid, SignInLink

blueprint = Blueprint("players", __name__)


@blueprint.get("/sign-in")
def form() -> str:
    return page("sign_in", error=None, address="")


@blueprint.post("/sign-in")
def ask() -> str | tuple[str, int]:
    typed = request.form.get("address", "")
    try:
        address = read_address(typed)
    except BadField as error:
        return page("sign_in", error=str(error), address=typed[:300]), 400
    signing_in.ask_sign_in(parts(), address, parts().now())
    return page("sign_in_sent", address=address)


@blueprint.get("/sign-in/<token>")
def show(token: str) -> str:
    link = parts().signer.read(SignInLink, token)
    with parts().database.reading() as rows:
        player = rows.get(PlayerRow, link.player_id)
    if player is None or player.sign_ins != link.sign_ins:
        raise LinkInvalid
    return page("sign_in_confirm", name=player.name)


@blueprint.post("/sign-in/<token>")
def sign_in(token: str) -> Response:
    player = signing_in.sign_in(parts(), parts().signer.read(SignInLink, token))
    session.clear()
    session[PLAYER] = player.id
    session.permanent = True
    return redirect("/games", 303)


@blueprint.post("/sign-out")
def sign_out() -> Response:
    session.clear()
    return redirect("/", 303)
