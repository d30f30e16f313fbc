"""Shows the tables that look for players, in the lobby or behind a host's link by messenger; visitors take a seat."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, abort, redirect, request

from webapp.core.say import Refused
from webapp.core.tokens import JoinLink, LinkExpired, MessengerLink
from webapp.forms.fields import TIME_ZONES, Form, read_name, take_guest
from webapp.games.clock.pace import plays_live
from webapp.games.fair import Shuffle, shuffle_of
from webapp.games.record.links import seat_link
from webapp.games.record.rows import READY, table_seats
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.pages import limits, ways_in
from webapp.pages.at_table import play_link
from webapp.pages.common import CheckInbox, PageContext, page, reading, runtime, signed_in
from webapp.pages.invitations import InvitationAnswered
from webapp.pages.limits import Answer, TooMuchMail
from webapp.presentation.sheets import summary_of
from webapp.tables import lobby, messenger, seating
from webapp.tables.lobby import Closed, NoOpenSeat, OpenTable
from webapp.tables.messenger import LinkedTable

blueprint = Blueprint("lobby", __name__)


# Shows the lobby, the tables that look for players, and lets visitors take an open seat.
# A player who is signed in takes the seat at once; others get a link by mail, which proves their address. GET only
# shows.

STATUS = {Closed.FULL: 409, Closed.BEGUN: 410, Closed.OLD: 410, Closed.REFUSED: 403}


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyPage(PageContext):
    tables: Sequence[OpenTable]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPage(PageContext):
    table: OpenTable
    form: Form
    is_known: bool = False  # they have proved their address, and enter only a name
    goes_on: bool = False  # the page sends its form by itself
    shuffle: Shuffle | None = None
    time_zones: Sequence[str] = TIME_ZONES
    refusal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinGone(PageContext):
    why: str
    is_by_link: bool  # they came by a link that a host sent them


@blueprint.get("/lobby")
def show() -> str:
    with reading() as session:
        return page(LobbyPage(tables=lobby.open_tables(session, runtime().now())))


@blueprint.get("/lobby/<code>")
def table(code: str) -> Answer:
    found, player = _table(code), signed_in()
    if player is not None:
        return show_own_seat(_link_for(found, player))
    if not found.is_open:
        raise NoOpenSeat
    return page(JoinPage(table=found, form=Form({})))


@blueprint.post("/lobby/<code>")
def ask(code: str) -> Answer:
    found, player = _table(code), signed_in()
    if player is not None:
        return take_seat(_link_for(found, player), by_mail=False)
    if not found.is_open:
        raise NoOpenSeat
    form = Form.sent(request.form)
    guest = take_guest(form)
    if guest is None:
        return page(JoinPage(table=found, form=form)), 400
    try:
        with limits.counted(*limits.asked_for(guest[1])):
            lobby.ask_for_seat(runtime(), found.table_id, *guest, runtime().now())
    except TooMuchMail as error:
        return limits.refused(page(JoinPage(table=found, form=form, refusal=str(error))), error)
    return asked_for_seat(found.table_id, guest[1], found.summary.name)


def asked_for_seat(table_id: int, address: str, table_name: str) -> str:
    """The page after a mail with the link to a seat was queued; that link, opened in this browser, takes the seat."""
    limits.note_asked(limits.seat(table_id, address))
    return page(CheckInbox(about="seat", address=address, table_name=table_name))


@blueprint.get("/join/<token>")
def show_seat(token: str) -> Answer:
    link = runtime().signer.read(JoinLink, token)
    seat = _live_seat(link)
    return _seated_page(seat, enter_action=request.path) if seat else show_own_seat(link, by_mail=True)


@blueprint.post("/join/<token>")
def take_open_seat(token: str) -> Answer:
    link = runtime().signer.read(JoinLink, token)
    seat = _live_seat(link)
    return redirect(play_link(seat) or request.path, 303) if seat else take_seat(link, by_mail=True)


def _live_seat(link: JoinLink) -> SeatRow | None:
    """The seat that the player of the link has taken at a live table, to which no other mail leads back; else None.

    Raises NoOpenSeat.
    """
    with reading() as session:
        seat = lobby.seat_of_link(session, link)
        return seat if seat.state in READY and plays_live(session.get_one(TableRow, link.table_id)) else None


def show_own_seat(link: JoinLink, *, by_mail: bool = False) -> Answer:
    """The page on which the player takes an open seat; a redirect to their table page if they have a seat there.

    In the browser in which they asked for the link that came `by_mail`, the page takes the seat by itself. Raises
    NoOpenSeat.
    """
    with reading() as session:
        seat = lobby.seat_of_link(session, link)
        name = lobby.name_asked_for(session, link)
        address = session.get_one(PlayerRow, link.player_id).address
    if seat.state in READY:
        return redirect(_seat_url(seat), 303)
    goes_on = by_mail and limits.is_asked(limits.seat(link.table_id, address))
    return page(replace(_join_page(link, seat, Form({"name": name})), goes_on=goes_on))


def take_seat(link: JoinLink, *, by_mail: bool) -> Answer:
    """Leads the player, who takes an open seat, to where they play, if their browser may go on; else the page that
    says they have it. The form again, with a message, if its name is invalid.

    Raises NoOpenSeat.
    """
    form = Form.sent(request.form)
    try:
        name = read_name(form.values.get("name", ""))
        words = form.values.get("shuffle", "")
        seat = lobby.take_open_seat(runtime(), link, name, runtime().now(), words, by_mail=by_mail)
    except Refused as error:
        form.errors["name"] = str(error)
        with reading() as session:
            seat = lobby.seat_of_link(session, link)
        return page(_join_page(link, seat, form)), 400
    leads_to = ways_in.enter(seat)
    return redirect(leads_to, 303) if leads_to else _seated_page(seat)


def _seated_page(seat: SeatRow, *, enter_action: str | None = None) -> str:
    """The page of a player who has a seat, with a link to the table or a form that leads there."""
    with reading() as session:
        seats = table_seats(session, seat.table_id)
        summary = summary_of(session.get_one(TableRow, seat.table_id), seats)
        shuffle = shuffle_of(session, seats, seat.seat, seat.player_id)
    return page(
        InvitationAnswered(
            answer="accept",
            table=summary,
            shuffle=shuffle,
            table_link=_seat_url(seat),
            enter_action=enter_action,
        )
    )


def _table(code: str) -> OpenTable:
    """The table of that code. Aborts with status 404 if there is none."""
    with reading() as session:
        table = seating.table_of_code(session, code.upper())
        if table is None:
            abort(404)
        return lobby.open_table(table, table_seats(session, table.id))


def _join_page(link: JoinLink, seat: SeatRow, form: Form) -> JoinPage:
    """The page on which a player whose address is proved takes the seat, with the table as they saw it before."""
    with reading() as session:
        table, seats = session.get_one(TableRow, link.table_id), table_seats(session, link.table_id)
        shuffle = shuffle_of(session, seats, seat.seat, link.player_id, form.values.get("shuffle", ""))
    found = lobby.open_table(table, seats)
    if link.by_link:
        found = replace(found, summary=messenger.summary_for_guests(table, seats))
    return JoinPage(table=found, form=form, is_known=True, shuffle=shuffle)


def _link_for(table: OpenTable, player: PlayerRow) -> JoinLink:
    return JoinLink(table.table_id, player.id, player.links)


def _seat_url(seat: SeatRow) -> str:
    return runtime().signer.local_url(seat_link(seat))


@blueprint.app_errorhandler(NoOpenSeat)
def closed_page(closed: NoOpenSeat) -> tuple[str, int]:
    """The page for somebody who gets no seat."""
    return page(JoinGone(why=closed.why.value, is_by_link=closed.is_by_link)), STATUS[closed.why]


# Shows the page behind the link that a host sends by messenger, and mails those who ask for a seat there.
# A player who is signed in takes the seat at once; others get a link by mail, which proves their address. GET only
# shows.


@dataclass(frozen=True, slots=True, kw_only=True)
class ComePage(PageContext):
    table: LinkedTable
    form: Form
    time_zones: Sequence[str] = TIME_ZONES
    refusal: str | None = None


@blueprint.get("/come/<token>")
def show_by_messenger(token: str) -> Answer:
    link = _link(token)
    own = _own_link(link)
    return show_own_seat(own) if own else _form_page(link, Form({}))


@blueprint.post("/come/<token>")
def ask_by_messenger(token: str) -> Answer:
    link = _link(token)
    if own := _own_link(link):
        return take_seat(own, by_mail=False)
    table, form = _table_by_messenger(link), Form.sent(request.form)
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
    return page(ComePage(table=_table_by_messenger(link), form=form, refusal=refusal))


def _table_by_messenger(link: MessengerLink) -> LinkedTable:
    with reading() as session:
        return messenger.linked_table(session, link)
