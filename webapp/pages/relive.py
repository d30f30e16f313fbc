"""Shows a finished hand step by step to anybody who has the link. GET shows; POST asks for the robot's opinion."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from webapp.core.tokens import LinkInvalid, ReliveLink
from webapp.games import store
from webapp.games.finished import finished_hand
from webapp.pages.common import page, runtime
from webapp.presentation.relive import scene
from webapp.presentation.sheets import score_sheet_of
from webapp.robots import reviews

blueprint = Blueprint("relive", __name__)


@blueprint.get("/relive/<token>")
def show(token: str) -> str:
    link = runtime().signer.read(ReliveLink, token)
    try:
        with runtime().database.reading() as session:
            stored = store.load(session, link.game_id)
            hand = finished_hand(stored, link.hand)
            opinions = reviews.stored_review(session, link.game_id, link.hand)
    except LookupError:
        raise LinkInvalid from None
    return page(
        "relive",
        scene=scene(hand, _step(), opinions or ()),
        score=score_sheet_of(stored, hands=link.hand, opinions={link.hand: opinions or ()}),
        table_name=f"Table {stored.table.code}",
        may_ask=opinions is None,
    )


@blueprint.post("/relive/<token>")
def ask(token: str) -> Response:
    """Has the robot review the hand, once for each hand, and shows the step again."""
    link = runtime().signer.read(ReliveLink, token)
    try:
        reviews.review_of(runtime(), link.game_id, link.hand)
    except LookupError:
        raise LinkInvalid from None
    return redirect(f"{request.path}?step={_step()}", 303)


def _step() -> int:
    """The step that the URL asks for; the first if it asks for none, or for no number."""
    text = request.args.get("step", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 1
