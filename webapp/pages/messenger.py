"""Shows the page behind the link that a host sends by messenger, and mails those who ask for a seat there.

A player who is signed in takes the seat at once; others get a link by mail, which proves their address. GET only shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, request

from webapp.core.tokens import JoinLink, LinkExpired, MessengerLink
from webapp.forms.fields import TIME_ZONES, Form, take_guest
from webapp.pages import limits
from webapp.pages.common import PageContext, page, reading, runtime, signed_in
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.lobby import asked_for_seat, show_own_seat, take_seat
from webapp.tables import lobby, messenger
from webapp.tables.lobby import Closed, NoOpenSeat
from webapp.tables.messenger import LinkedTable

blueprint = Blueprint("messenger", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComePage(PageContext):
    table: LinkedTable
    form: Form
    time_zones: Sequence[str] = TIME_ZONES
    refusal: str | None = None


@blueprint.get("/come/<token>")
def show(token: str) -> Answer:
    link = _link(token)
    own = _own_link(link)
    return show_own_seat(own) if own else _form_page(link, Form({}))


@blueprint.post("/come/<token>")
def ask(token: str) -> Answer:
    link = _link(token)
    if own := _own_link(link):
        return take_seat(own, by_mail=False)
    table, form = _table(link), Form.sent(request.form)
    guest = take_guest(form)
    if guest is None:
        return _form_page(link, form), 400
    try:
        with limits.counted(*limits.asked_for(guest[1])):
            lobby.ask_for_seat(runtime(), table.table_id, *guest, runtime().now(), by_link=link.number)
    except TooMuchMail as error:
        return limits.refused(_form_page(link, form, refusal=str(error)), error)
    return asked_for_seat(table.table_id, guest[1], table.hosts)


def _link(token: str) -> MessengerLink:
    """The link of the token. Raises LinkInvalid, and NoOpenSeat if it is too old."""
    try:
        return runtime().signer.read(MessengerLink, token)
    except LinkExpired as error:
        raise NoOpenSeat(Closed.OLD, is_by_link=True) from error


def _own_link(link: MessengerLink) -> JoinLink | None:
    """The link by which a player who is signed in takes the seat; None if nobody is."""
    player = signed_in()
    return JoinLink(link.table_id, player.id, player.links, link.number) if player else None


def _form_page(link: MessengerLink, form: Form, *, refusal: str | None = None) -> str:
    """The table, and the form for a seat there. Raises NoOpenSeat."""
    return page(ComePage(table=_table(link), form=form, refusal=refusal))


def _table(link: MessengerLink) -> LinkedTable:
    with reading() as session:
        return messenger.linked_table(session, link)
