"""Shows and changes a player's preferences on one page; unsubscribes from a table's mails with one click.

Sources: RFC 8058 (a mail program unsubscribes by one POST) and the service's promises 5 and 8: GET only shows.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from flask import Blueprint, redirect, request
from sqlmodel import Session, col, or_, select
from werkzeug.wrappers import Response

from hearts.plans import parse_plan
from webapp.accounts import address_changes
from webapp.accounts.devices import device_sheet
from webapp.core.refusal import Refused
from webapp.core.tokens import FormerPreferencesLink, PreferencesLink, SeatLent, SeatLink, UnsubscribeLink
from webapp.forms.fields import TIME_ZONES, BadField
from webapp.forms.holidays import HolidayForm, holiday_sheet
from webapp.forms.preferences import (
    FREQUENCIES,
    HOURS,
    WEEK,
    Preferences,
    PreferencesForm,
    preferences_form,
    read_preferences_form,
)
from webapp.games.links import check_player, seat_link
from webapp.games.stand_in import is_lent, is_offered_by_host, is_stand_in_asked, own_name, owner_name
from webapp.models import AddressChangeRow, PlayerRow, SeatRow, TableRow, TableState
from webapp.outbox.digests import ALL_TABLES
from webapp.pages import limits, ways_in
from webapp.pages.common import has_just_signed_in, page, reading, runtime
from webapp.pages.limits import Refusal, TooMuchMail
from webapp.players import preferences
from webapp.players.card_style import CardStyleChoice, card_style_of_player, change_card_style, read_card_style
from webapp.players.own_seats import SEATED
from webapp.players.preferences import Stopped
from webapp.presentation.timestamps import Timestamp, span, timestamp
from webapp.presentation.vacation_text import VacationSheet, vacation_sheet
from webapp.presentation.wait_text import wait_sentence
from webapp.tables.seating import own_seat

blueprint = Blueprint("preferences", __name__)
DONE = {
    "saved": "Saved.",
    "holiday": "Saved. Your time stands still on those days.",
    "vacation": "Your vacation begins today, and the table waits for you.",
    "vacation-over": "Welcome back. The days that are left are yours to take later.",
    "no-vacation": "Saved. No vacation day is taken for you by itself.",
    "working": "Removed. Your time passes again on those days.",
    "away": "You are away. A robot plays for you at once, until you are back.",
    "back": "Welcome back: your turns come to you again.",
    "stand-in": "You are away. We ask your friend by mail; until they say yes, a robot plays for you.",
    "no-mails": "You won't get any more mail about this table.",
    "mails": "This table writes to you again.",
    "sent": "We have written to the new address. Please follow the link in that email.",
    "stays": "Your address stays as it is.",
    "signing-in": "We have mailed you a link. Open it in this browser, and you are back here, signed in.",
    "plan": "Saved, for all your tables and for new games.",
    "cards": "That is how your cards look from now on.",
    "asked": "We have written to you. Say yes in that email, and this device tells you when it is your turn.",
    "told": "This device tells you when it is your turn.",
    "forgotten": "Forgotten. Nothing is sent there any more.",
    "push-only": "While a device tells you, no mail asks for your turns.",
    "push-and-mail": "Mail asks for your turns as well.",
}
ALL = "all"  # in place of a table's number
SIGN_IN_FIRST = "Please sign in first: whoever has one of your mails could do this otherwise."


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table, as the player's list of tables shows it."""

    number: int
    name: str
    link: str
    is_away: bool
    mails: bool
    owner: str | None = None  # the player for whom the reader plays
    stand_in: str | None = None  # the friend who plays for the reader
    asked: str | None = None  # the friend whom the reader has asked to do so
    may_ask: bool = False
    vacation: VacationSheet | None = None


@dataclass(frozen=True, slots=True)
class AddressChangeLine:
    """A pending address change."""

    address: str
    is_proved: bool
    is_agreed: bool
    until: Timestamp  # when it is done, if the old address does not answer


@blueprint.get("/preferences/<token>")
def show(token: str) -> str:
    link = opened(token)
    return preferences_page(token, link, done=DONE.get(request.args.get("done", "")))


@blueprint.get("/wishes/<token>", defaults={"page": ""})
@blueprint.get("/wishes/<token>/<path:page>")
def show_former(token: str, page: str) -> Response:
    """Leads a link of an older mail to the page that it has today."""
    former = runtime().signer.read(FormerPreferencesLink, token)
    link = runtime().signer.local_url(PreferencesLink(former.player_id, former.generation))
    return redirect(f"{link}/{page}" if page else link, 302)


@blueprint.post("/preferences/<token>")
def change(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    form = read_preferences_form(request.form)
    if form.preferences is None:
        return preferences_page(token, link, form=form), 400
    preferences.change_preferences(runtime(), link.player_id, form.preferences, runtime().now())
    return done_page(token, "saved")


@blueprint.post("/preferences/<token>/table")
def change_table(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    wanted, now = request.form.get("want", ""), runtime().now()
    try:
        if request.form.get("table") == ALL:
            _change_all(link, wanted)
        else:
            table_id, seat = own_table(link, request.form.get("table", ""))
            changed = (runtime(), table_id, seat)
            match wanted:
                case "away" | "back":
                    preferences.set_away(*changed, away=wanted == "away", now=now, player_id=link.player_id)
                case "mails" | "no-mails":
                    preferences.set_mails(*changed, mails=wanted == "mails", now=now, player_id=link.player_id)
                case _:
                    raise BadField("Please use the buttons on this page.")
    except Refused as error:
        return preferences_page(token, link, error=str(error)), 400
    return done_page(token, wanted)


@blueprint.post("/preferences/<token>/sign-in")
def mail_sign_in(token: str) -> Response | Refusal:
    """Mails the player a link that signs them in, for what the link of a forwarded mail must not do."""
    link = opened(token)
    try:
        ways_in.mail_sign_in(link.player_id, returns=True)
    except TooMuchMail as error:
        return limits.refused(preferences_page(token, link, error=str(error)), error)
    return done_page(token, "signing-in")


@blueprint.post("/preferences/<token>/cards")
def choose_card_style(token: str) -> Response | tuple[str, int]:
    link = opened(token)
    try:
        change_card_style(runtime(), link.player_id, read_card_style(request.form), runtime().now())
    except Refused as error:
        return preferences_page(token, link, error=str(error)), 400
    return done_page(token, "cards")


@blueprint.get("/unsubscribe/<token>")
def ask_to_unsubscribe(token: str) -> str:
    link = runtime().signer.read(UnsubscribeLink, token)
    with reading() as session:
        stops = preferences.stopped_by(session, link)
        return _unsubscribe_page(token, link, stops, "ask")


@blueprint.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Unsubscribes at once, whatever the body: a mail program has sent it, or the button on the page."""
    link = runtime().signer.read(UnsubscribeLink, token)
    stopped = preferences.unsubscribe(runtime(), link, runtime().now())
    return _unsubscribe_page(token, link, stopped, "stopped")


@blueprint.post("/unsubscribe/<token>/back")
def take_back(token: str) -> str:
    link = runtime().signer.read(UnsubscribeLink, token)
    stopped = preferences.undo_unsubscribe(runtime(), link, runtime().now())
    return _unsubscribe_page(token, link, stopped, "back")


@blueprint.post("/unsubscribe/<token>/less")
def prefer_less_mail(token: str) -> str:
    link = runtime().signer.read(UnsubscribeLink, token)
    daily = request.form.get("want") == "daily"
    changed = preferences.prefer_less_mail(runtime(), link, daily=daily, now=runtime().now())
    with reading() as session:
        stops = preferences.stopped_by(session, link)
    return _unsubscribe_page(token, link, stops, "daily" if daily else "quiet", changed)


@blueprint.post("/seat/<token>/back")
def come_back(token: str) -> Response:
    """Sets the player of a seat as back, from their table page or while somebody plays for them."""
    link = runtime().signer.read(SeatLink, token)
    with suppress(SeatLent), reading() as session:
        own_seat(session, link)
    now = runtime().now()
    preferences.set_away(runtime(), link.table_id, link.seat, away=False, now=now, player_id=link.player_id)
    return redirect(f"/seat/{token}", 303)


def opened(token: str) -> PreferencesLink:
    """The link of the token. Raises LinkInvalid, and LinkExpired if its player has ended the link."""
    link = runtime().signer.read(PreferencesLink, token)
    with reading() as session:
        check_player(link, session.get(PlayerRow, link.player_id))
    return link


def done_page(token: str, what: str) -> Response:
    """A redirect to the player's preferences, which then show what was done: `what` is a key of DONE."""
    return redirect(f"/preferences/{token}?done={what}", 303)


def _change_all(link: PreferencesLink, wanted: str) -> None:
    if wanted not in ("away", "back"):
        raise BadField("Please use the buttons on this page.")
    preferences.set_away_everywhere(runtime(), link.player_id, away=wanted == "away", now=runtime().now())


def own_table(link: PreferencesLink, number: str) -> tuple[int, int]:
    """The table of that number and the player's seat there. Raises BadField if they have none."""
    with reading() as session:
        for seat, _ in _own_tables(session, link.player_id):
            if str(seat.table_id) == number:
                return seat.table_id, seat.seat
    raise BadField("You do not sit at that table any more.")


def _own_tables(session: Session, player_id: int) -> list[tuple[SeatRow, TableRow]]:
    """The player's seats, also those that somebody plays for them, and their tables, newest table first."""
    query = (
        select(SeatRow, TableRow)
        .where(SeatRow.table_id == TableRow.id)
        .where(or_(col(SeatRow.player_id) == player_id, col(SeatRow.stands_in_for) == player_id))
        .where(col(SeatRow.state).in_(SEATED))
        .where(col(TableRow.state).in_((TableState.INVITING, TableState.PLAYING)))
        .order_by(col(TableRow.created_at).desc())
    )
    return list(session.exec(query))


def preferences_page(
    token: str,
    link: PreferencesLink,
    *,
    form: PreferencesForm | None = None,
    holiday_form: HolidayForm | None = None,
    done: str | None = None,
    error: str | None = None,
    address: str = "",
    address_error: str | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The page of a player's preferences, with what was done or is invalid. Raises LinkInvalid or LinkExpired.

    `typed` is the form in which they have named a friend, if that was invalid.
    """
    now = runtime().now()
    with reading() as session:
        player = check_player(link, session.get(PlayerRow, link.player_id))
        address_change = address_changes.under_way(session, link.player_id, now)
        own_tables = _own_tables(session, link.player_id)
        tables = [_table_line(seat, table, player, now) for seat, table in own_tables]
        devices = device_sheet(runtime(), session, player)
    return page(
        "preferences",
        reader=link.player_id,
        name=player.name,
        form=form or preferences_form(preferences.preferences_of(player)),
        frequencies=FREQUENCIES,
        hours=HOURS,
        week=WEEK,
        time_zones=TIME_ZONES,
        tables=tables,
        typed=typed,
        devices=devices,
        holidays=holiday_sheet(player, now, holiday_form),
        action=f"/preferences/{token}",
        done=done,
        error=error,
        current_address=player.address,
        address=address,
        address_error=address_error,
        move=address_change and _address_change_line(address_change, player, now),
        is_fresh=has_just_signed_in(link.player_id),
        silent_for=span(address_changes.delay_of(player)),
        is_unreachable=player.unreachable_at is not None,
        wait=wait_sentence(parse_plan(player.plan)) if player.plan else None,
        card_style_choice=CardStyleChoice(f"/preferences/{token}/cards", card_style_of_player(player)),
    )


def _table_line(seat: SeatRow, table: TableRow, player: PlayerRow, now: datetime) -> TableLine:
    """The line of a seat that the player has, or that somebody plays for them."""
    name, link = f"Table {table.code}", runtime().signer.local_url(seat_link(seat, player.id))
    if seat.player_id != player.id:
        return TableLine(seat.table_id, name, link, is_away=False, mails=True, stand_in=own_name(seat))
    return TableLine(
        seat.table_id,
        name,
        link,
        seat.away,
        seat.mails,
        owner=owner_name(seat) if is_lent(seat) else None,
        asked=seat.offered_name if is_stand_in_asked(seat) else None,
        may_ask=table.state is TableState.PLAYING and not is_lent(seat) and not is_offered_by_host(seat),
        vacation=vacation_sheet(table, seat, player, now) if table.state is TableState.PLAYING else None,
    )


def _address_change_line(change: AddressChangeRow, player: PlayerRow, now: datetime) -> AddressChangeLine:
    until = timestamp(change.ready_at, now, player.time_zone)
    return AddressChangeLine(change.new_address, change.proved_at is not None, change.agreed_at is not None, until)


def _unsubscribe_page(
    token: str, link: UnsubscribeLink, stops: Stopped, step: str, changed: Preferences | None = None
) -> str:
    """The page before the click (`step` is "ask") and after it: "stopped", "back", or less mail ("daily", "quiet")."""
    with reading() as session:
        table = None if (link.table_id, link.seat) == ALL_TABLES else session.get(TableRow, link.table_id)
        player = session.get_one(PlayerRow, link.player_id)
    wanted = changed or preferences.preferences_of(player)
    return page(
        "unsubscribe",
        stops=stops.value,
        step=step,
        table_name=f"Table {table.code}" if table else "",
        action=f"/unsubscribe/{token}",
        wants=wanted,
    )
