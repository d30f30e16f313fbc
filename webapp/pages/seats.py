"""Serves the table page of a seat, and the record of the finished hands.

The link shows; it does not play. For the host it also gives free seats to others.
"""

from dataclasses import replace

from flask import Blueprint, Response, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.record import record_text
from webapp.core.refusal import Refused
from webapp.core.tokens import LinkInvalid, SeatLink
from webapp.forms.fields import Form, read_number
from webapp.forms.opening import read_occupant
from webapp.games.record import links, store
from webapp.games.record.finished import proved_record
from webapp.games.record.store import TableGame
from webapp.models import TableRow
from webapp.pages import limits, ways_in
from webapp.pages.at_table import news_response
from webapp.pages.common import page, reading, runtime
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.table import table_page
from webapp.tables import guests, hosting, proposing, seating

blueprint = Blueprint("seats", __name__)


@blueprint.get("/seat/<token>")
def table(token: str) -> str:
    return page(table_page(token))


@blueprint.get("/seat/<token>/now")
def now(token: str) -> Response:
    return news_response(runtime().signer.read(SeatLink, token))


@blueprint.post("/seat/<token>/fill")
def refill(token: str) -> Answer:
    link = _own_link(token)
    try:
        number, occupant = read_number(request.form.get("seat", "")), read_occupant(request.form)
        with reading() as session:
            invited = guests.invited_by_giving(session, link.table_id, number, occupant)
        with limits.counted(*limits.invited(link.player_id, invited)):
            seating.refill(runtime(), link, number, occupant, runtime().now())
    except Refused as error:
        return limits.refused(_host_page(token, error), error)
    is_by_link = occupant is not None and occupant.by_link
    cards = ways_in.to_cards(link.table_id, may_enter=False)
    return redirect(cards or f"/seat/{token}{'#guests' if is_by_link else ''}", 303)


@blueprint.post("/seat/<token>/remind")
def remind(token: str) -> AnyResponse | tuple[str, int]:
    """Reminds an invited player, for the host."""
    link = runtime().signer.read(SeatLink, token)
    try:
        with reading() as session:
            own = seating.own_seat(session, link)
            table = session.get_one(TableRow, link.table_id)
        if own.player_id != table.host_id:
            raise seating.SeatGone
        as_host = links.host_link(table, own)
        hosting.remind(runtime(), as_host, read_number(request.form.get("seat", "")), runtime().now())
    except Refused as error:
        return page(replace(table_page(token), remind_error=str(error))), 400
    return redirect(f"/seat/{token}?reminded=yes", 303)


@blueprint.post("/seat/<token>/agree")
def agree(token: str) -> AnyResponse | tuple[str, int]:
    """Notes that the reader agrees to what the host has proposed."""
    link = runtime().signer.read(SeatLink, token)
    try:
        proposing.agree(runtime(), link, request.form.get("proposal", ""), runtime().now())
    except Refused as error:
        return page(replace(table_page(token), proposal_error=str(error))), 400
    return redirect(f"/seat/{token}#proposed", 303)


@blueprint.post("/seat/<token>/mail")
def mail_turn(token: str) -> Answer:
    """Mails the reader, whose turn it is, the link to it: the seat's link alone does not play."""
    link = _own_link(token)
    try:
        ways_in.mail_one(link)
    except TooMuchMail as error:
        return limits.refused(page(replace(table_page(token), mail_error=str(error))), error)
    return redirect(f"/seat/{token}?mailed=yes", 303)


@blueprint.get("/seat/<token>/record.json")
def record(token: str) -> Response:
    """The game record of the finished hands only: nobody may see the cards of the current hand."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        stored = _stored(session, link, request.args.get("game", type=int))
        code = session.get_one(TableRow, link.table_id).code
        if stored is None:
            raise LinkInvalid
        kept = proved_record(session, stored)
    name = f"hearts-{code}-{stored.row.number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(record_text(kept), mimetype="application/json", headers=headers)


def _own_link(token: str) -> SeatLink:
    """The link. Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the link was ended."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
    return link


def _stored(session: Session, link: SeatLink, number: int | None) -> TableGame | None:
    """Game `number` of the table, or the newest game; None if there is none."""
    if number is None:
        return store.load_newest(session, link.table_id)
    row = seating.game(session, link.table_id, number)
    return store.load(session, row.id) if row else None


def _host_page(token: str, error: Exception) -> str:
    return page(replace(table_page(token), host_error=str(error), host_typed=Form.sent(request.form).values))
