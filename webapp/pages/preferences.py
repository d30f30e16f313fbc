"""Shows and changes a player's preferences, and how cards look; unsubscribes from a table's mails with one click."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from flask import Blueprint, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from webapp.accounts import address_changes
from webapp.accounts.devices import DeviceSheet, device_sheet
from webapp.core.say import Refused, later, say
from webapp.core.tokens import PlayLink, PreferencesLink, UnsubscribeLink
from webapp.forms.fields import TIME_ZONES, BadField
from webapp.forms.preferences import (
    HOURS,
    PreferencesForm,
    frequencies,
    preferences_form,
    read_preferences_form,
    sections,
    weekdays,
)
from webapp.games.asked.running import table_seats_of
from webapp.games.record.links import check_player, seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.seats import table_name
from webapp.models import PlayerRow, SeatRow, TableRow
from webapp.outbox.letters import ALL_TABLES, THE_YEAR
from webapp.pages.common import PageContext, done_text, has_just_signed_in, page, reading, runtime
from webapp.players import preferences
from webapp.players.own_seats import tables_of
from webapp.players.preferences import (
    CardStyleChoice,
    Stopped,
    card_style_of,
    card_style_of_player,
    change_card_style,
    read_card_style,
)
from webapp.presentation.phrasing import Timestamp, span, timestamp
from webapp.tables.seating import own_seat

blueprint = Blueprint("preferences", __name__)


# The preferences, and unsubscribing. GET only shows. Source: RFC 8058 (a mail program unsubscribes by one POST).

DONE = {
    "saved": later("Saved."),
    "no-mails": later("You won't get any more mail about this table. Your seat stays yours."),
    "mails": later("This table writes to you again."),
    "sent": later("We have written to the new address. Please follow the link in that email."),
    "stays": later("Your address stays as it is."),
    "uncounted": later("Answers from there do nothing now."),
    "cards": later("That is how your cards look from now on."),
    "asked": later("We have written to you. Say yes in that email, and this device tells you when it is your turn."),
    "told": later("This device tells you when it is your turn."),
    "forgotten": later("Forgotten. Nothing is sent there any more."),
    "push-only": later("While a device tells you, no mail asks for your turns."),
    "push-and-mail": later("Mail asks for your turns as well."),
}
SIGN_IN_FIRST = later("Please sign in first: whoever has one of your mails could do this otherwise.")


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table, as the player's list of tables shows it. `mails`: they have not muted it."""

    number: int
    name: str
    link: str
    mails: bool


@dataclass(frozen=True, slots=True)
class AddressChangeLine:
    """A pending address change."""

    address: str
    is_proved: bool
    is_agreed: bool
    until: Timestamp  # when it is done, if the old address does not answer


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesPage(PageContext):
    form: PreferencesForm
    tables: Sequence[TableLine]
    devices: DeviceSheet | None
    action: str
    current_address: str
    counting: Sequence[str]  # other addresses from which answers count
    address: str = ""  # the new one, as it was typed
    address_error: str | None = None
    move: AddressChangeLine | None
    is_fresh: bool
    silent_for: str
    is_unreachable: bool
    card_style_choice: CardStyleChoice
    frequencies: Sequence[tuple[str, str, str]] = field(default_factory=frequencies)
    hours: Sequence[tuple[str, str]] = HOURS
    sections: Sequence[tuple[str, str]] = field(default_factory=sections)
    week: Sequence[str] = field(default_factory=weekdays)
    time_zones: Sequence[str] = TIME_ZONES
    done: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribePage(PageContext):
    stops: str
    step: str  # "ask" before the click; then "stopped", or "back"
    table_name: str
    action: str


@blueprint.get("/preferences/<token>")
def show(token: str) -> str:
    link = opened(token)
    return preferences_page(token, link, done=done_text(DONE))


@blueprint.post("/preferences/<token>")
def change(token: str) -> AnyResponse | tuple[str, int]:
    link = opened(token)
    form = read_preferences_form(request.form)
    if form.preferences is None:
        return preferences_page(token, link, form=form), 400
    preferences.change_preferences(runtime(), link.player_id, form.preferences, runtime().now())
    return done_page(token, "saved")


@blueprint.post("/preferences/<token>/table")
def change_table(token: str) -> AnyResponse | tuple[str, int]:
    """Mutes a table, or unmutes it."""
    link, wanted = opened(token), request.form.get("want", "")
    try:
        if wanted not in ("mails", "no-mails"):
            raise BadField(say("Please use the buttons on this page."))
        with reading() as session:
            mine = [str(seat.table_id) for seat, _ in _own_tables(session, link.player_id)]
        number = request.form.get("table", "")
        if number not in mine:
            raise BadField(say("You do not sit at that table any more."))
        muting = (runtime(), link.player_id, int(number))
        preferences.set_mails(*muting, mails=wanted == "mails", now=runtime().now())
    except Refused as error:
        return preferences_page(token, link, error=str(error)), 400
    return done_page(token, wanted)


@blueprint.post("/preferences/<token>/cards")
def choose_card_style(token: str) -> AnyResponse | tuple[str, int]:
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
        stops, is_stopped = preferences.stopped_by(session, link), preferences.is_stopped(session, link)
        return _unsubscribe_page(token, link, stops, "stopped" if is_stopped else "ask")


@blueprint.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Unsubscribes at once, whatever the body: a mail program has sent it, or the button on the page."""
    link = runtime().signer.read(UnsubscribeLink, token)
    stopped = preferences.unsubscribe(runtime(), link, runtime().now()).stopped
    return _unsubscribe_page(token, link, stopped, "stopped")


@blueprint.post("/unsubscribe/<token>/back")
def take_back(token: str) -> str:
    link = runtime().signer.read(UnsubscribeLink, token)
    stopped = preferences.undo_unsubscribe(runtime(), link, runtime().now())
    return _unsubscribe_page(token, link, stopped, "back")


def opened(token: str) -> PreferencesLink:
    """The link of the token. Raises LinkInvalid, and LinkExpired if its player has ended the link."""
    link = runtime().signer.read(PreferencesLink, token)
    with reading() as session:
        check_player(link, session.get(PlayerRow, link.player_id))
    return link


def done_page(token: str, what: str) -> AnyResponse:
    """A redirect to the player's preferences, which then show what was done: `what` is a key of DONE."""
    return redirect(f"/preferences/{token}?done={what}", 303)


def _own_tables(session: Session, player_id: int) -> list[tuple[SeatRow, TableRow]]:
    return [(seat, table) for seat, table in tables_of(session, player_id) if seat.player_id == player_id]


def preferences_page(
    token: str,
    link: PreferencesLink,
    *,
    form: PreferencesForm | None = None,
    done: str | None = None,
    error: str | None = None,
    address: str = "",
    address_error: str | None = None,
) -> str:
    """The page of a player's preferences, with what was done or is invalid. Raises LinkInvalid or LinkExpired."""
    now = runtime().now()
    with reading() as session:
        player = check_player(link, session.get(PlayerRow, link.player_id))
        address_change = address_changes.under_way(session, link.player_id, now)
        counting = [one.new_address for one in address_changes.counting(session, player)]
        tables = _table_lines(session, link.player_id)
        devices = device_sheet(runtime(), session, player)
    move = None
    if address_change:
        is_proved, is_agreed = address_change.proved_at is not None, address_change.agreed_at is not None
        until = timestamp(address_change.ready_at, now, player.time_zone)
        move = AddressChangeLine(address_change.new_address, is_proved, is_agreed, until)
    return page(
        PreferencesPage(
            reader=link.player_id,
            form=form or preferences_form(preferences.preferences_of(player)),
            tables=tables,
            devices=devices,
            action=f"/preferences/{token}",
            done=done,
            error=error,
            current_address=player.address,
            counting=counting,
            address=address,
            address_error=address_error,
            move=move,
            is_fresh=has_just_signed_in(link.player_id),
            silent_for=span(address_changes.delay_of(player)),
            is_unreachable=player.unreachable_at is not None,
            card_style_choice=CardStyleChoice(f"/preferences/{token}/cards", card_style_of_player(player)),
        )
    )


def _table_lines(session: Session, player_id: int) -> list[TableLine]:
    own = [seat for seat, _ in _own_tables(session, player_id)]
    seats = table_seats_of(session, [seat.table_id for seat in own])
    return [
        TableLine(
            seat.table_id,
            table_name(seats[seat.table_id]),
            runtime().signer.local_url(seat_link(seat)),
            seat.mails,
        )
        for seat in own
    ]


def _unsubscribe_page(token: str, link: UnsubscribeLink, stops: Stopped, step: str) -> str:
    with reading() as session:
        seats = () if (link.table_id, link.seat) in (ALL_TABLES, THE_YEAR) else table_seats(session, link.table_id)
    name = table_name(seats) if seats else ""
    return page(UnsubscribePage(stops=stops.value, step=step, table_name=name, action=f"/unsubscribe/{token}"))


# Lets a player choose a card style, and whether one tap plays a card, at addresses below their play page.
# The page of a player's preferences contains the form of the card style, too.


@dataclass(frozen=True, slots=True, kw_only=True)
class CardStylePage(PageContext):
    choice: CardStyleChoice
    play_link: str
    error: str | None = None


@blueprint.get("/play/<token>/cards")
def show_looks(token: str) -> str:
    return _card_style_page(token, _link(token))


@blueprint.post("/play/<token>/<any(cards, tap):what>")
def change_looks(token: str, what: str) -> AnyResponse | tuple[str, int]:
    link, now = _link(token), runtime().now()
    try:
        if what == "cards":
            change_card_style(runtime(), link.player_id, read_card_style(request.form), now)
        else:
            preferences.change_tap(
                runtime(), link.player_id, plays=preferences.read_tap(request.form.get("tap", "")), now=now
            )
    except Refused as error:
        return _card_style_page(token, link, error=str(error)), 400
    return redirect(f"/play/{token}", 303)


def _link(token: str) -> PlayLink:
    """The link of the token. Raises LinkInvalid, LinkExpired, and SeatLost if another player has the seat."""
    link = runtime().signer.read(PlayLink, token)
    with reading() as session:
        own_seat(session, link)
    return link


def _card_style_page(token: str, link: PlayLink, error: str | None = None) -> str:
    with reading() as session:
        style = card_style_of(session, link.player_id)
    choice = CardStyleChoice(f"/play/{token}/cards", style)
    return page(CardStylePage(reader=link.player_id, choice=choice, error=error, play_link=f"/play/{token}"))
