"""The page "Away": a robot or a friend plays for the player; and one tap when they are back.

The link to a player's preferences opens it for all their tables; the link to a seat for that table alone, unless the
player is signed in. A friend sees cards, so only a fresh sign-in may name one. A live table is not offered: a robot
plays there for whoever is not present.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from flask import Blueprint, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from webapp.core.say import Refused, later, say
from webapp.core.tokens import SeatLent, SeatLink
from webapp.forms.preferences import FURTHEST, Absence, AwayForm, away_form, read_away_form
from webapp.games.clock.hours import today_of
from webapp.games.clock.pace import plays_live
from webapp.games.record.links import preferences_link, seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import own_name, owner_name, table_name
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.pages import limits, ways_in
from webapp.pages.common import (
    PageContext,
    done_text,
    has_just_signed_in,
    page,
    reading,
    runtime,
    signed_in_as,
)
from webapp.pages.limits import Answer, TooMuchMail
from webapp.pages.preferences import SIGN_IN_FIRST, opened
from webapp.players import away, preferences
from webapp.players.own_seats import tables_of
from webapp.presentation.sheets import summary_of
from webapp.presentation.summary import absence_sentence, note_sentence
from webapp.tables import offers, seating

blueprint = Blueprint("away", __name__)
ADDRESS = "/<any(preferences, seat):link>/<token>/away"
DONE = {
    "away": later("Saved. One tap, and you are back."),
    "friend": later("Saved. We ask your friend by mail; until they say yes, a robot plays for you."),
    "back": later("Welcome back: your turns come to you again."),
    "signing-in": later("We have mailed you a link. Open it in this browser, and you are back here, signed in."),
}
NO_TABLE = later("Choose at least one table.")
NO_FRIEND = later("No friend can play for you at these tables just now.")


@dataclass(frozen=True, slots=True)
class Reader:
    """The reader of the page, and its scope: one table, or (None) all of theirs."""

    player_id: int
    path: str
    table_id: int | None = None


@dataclass(frozen=True, slots=True)
class AwayLine:
    """A table, as the page lists it: who plays there for the player now, and what happens if they go away."""

    number: int
    name: str
    link: str
    absence: str  # empty if they are not away
    is_offered: bool  # they may go away there
    note: str  # what is special there then; mostly empty


@dataclass(frozen=True, slots=True, kw_only=True)
class AwayPage(PageContext):
    lines: Sequence[AwayLine]
    chosen: Sequence[str]
    form: AwayForm
    soonest: str
    latest: str
    action: str
    is_fresh: bool
    done: str | None = None
    error: str | None = None


@blueprint.get(ADDRESS)
def show(link: str, token: str) -> Answer:
    reader = _reader(link, token)
    player = signed_in_as(reader.player_id)
    if reader.table_id is not None and player is not None:
        return redirect(f"{runtime().signer.local_url(preferences_link(player))}/away", 303)
    return _page(reader)


@blueprint.post(ADDRESS)
def go(link: str, token: str) -> Answer:
    reader, now, chosen = _reader(link, token), runtime().now(), request.form.getlist("table")
    with reading() as session:
        player = session.get_one(PlayerRow, reader.player_id)
        offered = [(table, seat) for table, seat in _tables(session, reader) if _is_offered(table, seat, player)]
    form = read_away_form(request.form, today_of(player, now))
    tables = [(table, seat) for table, seat in offered if str(table.id) in chosen]
    if not tables:
        form.errors["tables"] = say(NO_TABLE)
    if form.absence is None or form.errors:
        return _page(reader, form=form, chosen=chosen), 400
    if form.absence.friend is None:
        table_ids = {table.id for table, _ in tables}
        until, is_signed_in = form.absence.until, signed_in_as(reader.player_id) is not None
        away.go_away(runtime(), reader.player_id, table_ids, until, now, is_signed_in=is_signed_in)
        return _done(reader, "away")
    if not has_just_signed_in(reader.player_id):
        return _page(reader, form=form, chosen=chosen, error=say(SIGN_IN_FIRST)), 403
    try:
        _ask_friend(player, tables, form.absence, now)
    except Refused as error:
        return limits.refused(_page(reader, form=form, chosen=chosen, error=str(error)), error)
    return _done(reader, "friend")


@blueprint.post(f"{ADDRESS}/back")
def come_back(link: str, token: str) -> AnyResponse:
    reader = _reader(link, token)
    away.come_back(runtime(), reader.player_id, runtime().now(), reader.table_id)
    return _done(reader, "back")


@blueprint.post(f"{ADDRESS}/sign-in")
def mail_sign_in(link: str, token: str) -> Answer:
    """Mails the player a link that signs them in, for what the link of a forwarded mail must not do."""
    reader = _reader(link, token)
    try:
        ways_in.mail_sign_in(reader.player_id, returns=True)
    except TooMuchMail as error:
        return limits.refused(_page(reader, error=str(error)), error)
    return _done(reader, "signing-in")


@blueprint.post("/seat/<token>/back")
def come_back_from_seat(token: str) -> AnyResponse:
    """Sets the player of a seat as back, from their table page or while somebody plays for them."""
    link = runtime().signer.read(SeatLink, token)
    with suppress(SeatLent), reading() as session:
        seating.own_seat(session, link)
    away.come_back(runtime(), link.player_id, runtime().now(), link.table_id)
    return redirect(f"/seat/{token}", 303)


def _reader(link: str, token: str) -> Reader:
    """The reader with a link of that kind. Raises SeatLent while a friend plays for them, SeatLost or LinkExpired."""
    path = f"/{link}/{token}/away"
    if link == "preferences":
        return Reader(opened(token).player_id, path)
    to_seat = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, to_seat)
    return Reader(to_seat.player_id, path, to_seat.table_id)


def _ask_friend(player: PlayerRow, tables: Sequence[tuple[TableRow, SeatRow]], form: Absence, now: datetime) -> None:
    """Asks the friend at each table where one can play; at the others, a robot plays. Raises Refused, TooMuchMail."""
    friend, until = form.friend, away.ends_at(player, form.until)
    assert friend is not None
    asked = [seat for table, seat in tables if away.may_ask(table, seat)]
    if not asked:
        raise Refused(say(NO_FRIEND))
    with reading() as session:
        invited = [one for seat in asked for one in offers.invited_by_giving(session, seat.table_id, seat.seat, friend)]
    with limits.counted(*limits.invited(player.id, invited)):
        away.ask_at(runtime(), player.id, [seat.table_id for seat in asked], friend, now, until)
    others = {table.id for table, _ in tables} - {seat.table_id for seat in asked}
    if others:
        away.go_away(runtime(), player.id, others, form.until, now)


def _done(reader: Reader, what: str) -> AnyResponse:
    """A redirect to the page, which then shows what was done: `what` is a key of DONE."""
    return redirect(f"{reader.path}?done={what}", 303)


def _tables(session: Session, reader: Reader) -> list[tuple[TableRow, SeatRow]]:
    """The tables that the page is about, each with the player's seat, also one that somebody plays for them."""
    mine = tables_of(session, reader.player_id)
    return [(table, seat) for seat, table in mine if reader.table_id in (None, table.id)]


def _is_offered(table: TableRow, seat: SeatRow, player: PlayerRow) -> bool:
    """Whether the page offers the player to go away from the table: not from a live one, and not if a friend plays."""
    return seat.player_id == player.id and not plays_live(table)


def _page(
    reader: Reader, *, form: AwayForm | None = None, chosen: Sequence[str] | None = None, error: str | None = None
) -> str:
    """The page, with what is invalid. `chosen` are the tables that were ticked; None: all are."""
    now = runtime().now()
    with reading() as session:
        player = session.get_one(PlayerRow, reader.player_id)
        lines = []
        for table, seat in _tables(session, reader):
            link = runtime().signer.local_url(seat_link(seat, player.id))
            name, is_offered = summary_of(table, table_seats(session, table.id)).hosts, _is_offered(table, seat, player)
            absence, note = absence_sentence(seat, player, now), note_sentence(table, seat)
            lines.append(AwayLine(table.id, name, link, absence, is_offered, note))
    today = today_of(player, now)
    return page(
        AwayPage(
            reader=reader.player_id,
            lines=lines,
            chosen=chosen if chosen is not None else [str(line.number) for line in lines],
            form=form or away_form(),
            soonest=today.isoformat(),
            latest=(today + FURTHEST).isoformat(),
            action=reader.path,
            is_fresh=has_just_signed_in(reader.player_id),
            done=done_text(DONE),
            error=error,
        )
    )


# While a friend plays for a player: the friend gives the seat back, and the player comes back by any link of theirs.
# The page "Away" asks the friend, who answers the invitation as any invited player does.


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInPage(PageContext):
    stand_in: str
    table_name: str
    back_action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandInOver(PageContext):
    owner: str
    table_name: str


@blueprint.post("/seat/<token>/give-back")
def give_back(token: str) -> str:
    """Gives the seat back to its owner, whose stand-in is the link's player."""
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        owner = owner_name(seating.own_seat(session, link))
        name = table_name(table_seats(session, link.table_id))
    now = runtime().now()
    preferences.give_back(runtime(), link.table_id, link.player_id, now)
    return page(StandInOver(reader=link.player_id, owner=owner, table_name=name))


def lent_page(lent: SeatLent) -> tuple[str, int]:
    """The page for a player who lets somebody play their seat, with the button that brings them back."""
    with reading() as session:
        seat = session.get_one(SeatRow, (lent.table_id, lent.seat))
        name = table_name(table_seats(session, lent.table_id))
    back_link = runtime().signer.local_url(seat_link(seat, seat.stands_in_for))
    shown = page(StandInPage(stand_in=own_name(seat), table_name=name, back_action=f"{back_link}/back"))
    return shown, 403  # as for a lost seat: a page that follows the game then loads itself again
