"""How a player gets her mails: one page for all her wishes, and one to be rid of a table's mails with one click.

Sources: RFC 8058 (one POST from whatever program unsubscribes) and the service's promises 5 and 8: GET only shows.
"""

from dataclasses import dataclass

from flask import Blueprint, redirect, request
from sqlmodel import Session, col, select
from werkzeug.wrappers import Response

from webapp.company.tables import own_seat
from webapp.forms.fields import TIME_ZONES, BadField, read_address
from webapp.forms.wishes import FREQUENCIES, HOURS, WishForm, read_wish_form, wish_form
from webapp.looks import LookChoice, change_look, player_look, read_look
from webapp.models import PlayerRow, SeatRow, TableRow, TableState
from webapp.pages.common import page, parts
from webapp.post import wishes
from webapp.post.devices import device_sheet
from webapp.post.digests import ALL_TABLES
from webapp.post.wishes import Stopped
from webapp.tokens import AddressLink, LinkInvalid, SeatLink, UnsubscribeLink, WishesLink

blueprint = Blueprint("wishes", __name__)
DONE = {
    "saved": "That is how we do it from now on.",
    "away": "You are away. A robot plays for you at once, until you are back.",
    "back": "Welcome back. You play yourself again, and get your mails.",
    "no-mails": "You get no more mails of this table.",
    "mails": "You get the mails of this table again.",
    "sent": "We have written to the new address. Once you have followed the link in that mail, your turns go there.",
    "cards": "That is how your cards look from now on.",
    "told": "This device tells you when it is your turn.",
    "forgotten": "Forgotten. Nothing is sent there any more.",
    "push-only": "While a device tells you, no mails ask for your turns.",
    "push-and-mail": "Mails ask for your turns as well.",
}
ALL = "all"  # in place of a table's number


@dataclass(frozen=True, slots=True)
class TableLine:
    """One of her tables, as the list shows it."""

    number: int
    name: str
    link: str
    is_away: bool
    mails: bool


@blueprint.get("/wishes/<token>")
def show(token: str) -> str:
    link = parts().signer.read(WishesLink, token)
    return wishes_page(token, link, done=DONE.get(request.args.get("done", "")))


@blueprint.post("/wishes/<token>")
def change(token: str) -> Response | tuple[str, int]:
    link = parts().signer.read(WishesLink, token)
    form = read_wish_form(request.form)
    if form.wishes is None:
        return wishes_page(token, link, form=form), 400
    wishes.change_wishes(parts(), link.player_id, form.wishes, parts().now())
    return done_page(token, "saved")


@blueprint.post("/wishes/<token>/table")
def change_table(token: str) -> Response | tuple[str, int]:
    link = parts().signer.read(WishesLink, token)
    wanted, now = request.form.get("want", ""), parts().now()
    try:
        if request.form.get("table") == ALL:
            _change_all(link, wanted)
        else:
            table_id, seat = _her_seat(link, request.form.get("table", ""))
            match wanted:
                case "away" | "back":
                    wishes.set_away(parts(), table_id, seat, away=wanted == "away", now=now)
                case "mails" | "no-mails":
                    wishes.set_mails(parts(), table_id, seat, mails=wanted == "mails", now=now)
                case _:
                    raise BadField("Please use the buttons on this page.")
    except BadField as error:
        return wishes_page(token, link, error=str(error)), 400
    return done_page(token, wanted)


@blueprint.post("/wishes/<token>/address")
def ask_new_address(token: str) -> Response | tuple[str, int]:
    link = parts().signer.read(WishesLink, token)
    typed = request.form.get("address", "")
    try:
        wishes.ask_new_address(parts(), link.player_id, read_address(typed), parts().now())
    except BadField as error:
        return wishes_page(token, link, address=typed[:300], address_error=str(error)), 400
    return done_page(token, "sent")


@blueprint.post("/wishes/<token>/cards")
def choose_look(token: str) -> Response | tuple[str, int]:
    link = parts().signer.read(WishesLink, token)
    try:
        change_look(parts(), link.player_id, read_look(request.form), parts().now())
    except BadField as error:
        return wishes_page(token, link, error=str(error)), 400
    return done_page(token, "cards")


@blueprint.get("/address/<token>")
def ask_about_address(token: str) -> str:
    link = parts().signer.read(AddressLink, token)
    with parts().database.reading() as rows:
        player = wishes.new_address_player(rows, link)
    is_hers = player.address == link.address
    return page("new_address", name=player.name, address=link.address, is_hers=is_hers, is_taken=False)


@blueprint.post("/address/<token>")
def set_address(token: str) -> str | tuple[str, int]:
    link = parts().signer.read(AddressLink, token)
    try:
        player = wishes.set_address(parts(), link, parts().now())
    except wishes.AddressTaken:
        return page("new_address", name="", address=link.address, is_hers=False, is_taken=True), 409
    return page("new_address", name=player.name, address=link.address, is_hers=True, is_taken=False)


@blueprint.get("/unsubscribe/<token>")
def ask_to_unsubscribe(token: str) -> str:
    link = parts().signer.read(UnsubscribeLink, token)
    with parts().database.reading() as rows:
        stops = wishes.what_stops(rows, link)
        return _unsubscribe_page(token, link, stops, "ask")


@blueprint.post("/unsubscribe/<token>")
def unsubscribe(token: str) -> str:
    """Acts at once, whatever the body says: it comes from a mail program, or from the button on the page."""
    link = parts().signer.read(UnsubscribeLink, token)
    stopped = wishes.unsubscribe(parts(), link, parts().now())
    return _unsubscribe_page(token, link, stopped, "stopped")


@blueprint.post("/unsubscribe/<token>/back")
def take_back(token: str) -> str:
    link = parts().signer.read(UnsubscribeLink, token)
    stopped = wishes.take_back(parts(), link, parts().now())
    return _unsubscribe_page(token, link, stopped, "back")


@blueprint.post("/unsubscribe/<token>/less")
def want_less(token: str) -> str:
    link = parts().signer.read(UnsubscribeLink, token)
    daily = request.form.get("want") == "daily"
    changed = wishes.want_less(parts(), link, daily=daily, now=parts().now())
    with parts().database.reading() as rows:
        stops = wishes.what_stops(rows, link)
    return _unsubscribe_page(token, link, stops, "daily" if daily else "quiet", changed)


@blueprint.post("/seat/<token>/back")
def come_back(token: str) -> Response:
    """From the page of a table: its own player is back."""
    link = parts().signer.read(SeatLink, token)
    with parts().database.reading() as rows:
        own_seat(rows, link)
    wishes.set_away(parts(), link.table_id, link.seat, away=False, now=parts().now())
    return redirect(f"/seat/{token}", 303)


def done_page(token: str, what: str) -> Response:
    """Leads to the page of a player's wishes, which then says what was done: one of DONE."""
    return redirect(f"/wishes/{token}?done={what}", 303)


def _change_all(link: WishesLink, wanted: str) -> None:
    if wanted not in ("away", "back"):
        raise BadField("Please use the buttons on this page.")
    wishes.set_away_everywhere(parts(), link.player_id, away=wanted == "away", now=parts().now())


def _her_seat(link: WishesLink, number: str) -> tuple[int, int]:
    """The table of that number and her seat there. Raises BadField where she has none."""
    with parts().database.reading() as rows:
        for seat, _ in _her_tables(rows, link.player_id):
            if str(seat.table_id) == number:
                return seat.table_id, seat.seat
    raise BadField("You do not sit at that table any more.")


def _her_tables(rows: Session, player_id: int) -> list[tuple[SeatRow, TableRow]]:
    """Where she sits, the newest table first."""
    query = (
        select(SeatRow, TableRow)
        .where(SeatRow.table_id == TableRow.id, SeatRow.player_id == player_id)
        .where(col(SeatRow.state).in_(wishes.SITS))
        .where(col(TableRow.state).in_((TableState.INVITING, TableState.PLAYING)))
        .order_by(col(TableRow.created_at).desc())
    )
    return list(rows.exec(query))


def wishes_page(
    token: str,
    link: WishesLink,
    *,
    form: WishForm | None = None,
    done: str | None = None,
    error: str | None = None,
    address: str = "",
    address_error: str | None = None,
) -> str:
    """The page of a player's wishes, with what was done or what is wrong. Raises LinkInvalid: no such player."""
    signer = parts().signer
    with parts().database.reading() as rows:
        player = rows.get(PlayerRow, link.player_id)
        if player is None:
            raise LinkInvalid
        tables = [
            TableLine(
                seat.table_id,
                f"Table {table.code}",
                signer.local_url(SeatLink(seat.table_id, seat.seat, link.player_id)),
                seat.away,
                seat.mails,
            )
            for seat, table in _her_tables(rows, link.player_id)
        ]
        devices = device_sheet(parts(), rows, player)
    return page(
        "wishes",
        reader=link.player_id,
        name=player.name,
        form=form or wish_form(wishes.wishes_of(player)),
        frequencies=FREQUENCIES,
        hours=HOURS,
        time_zones=TIME_ZONES,
        tables=tables,
        devices=devices,
        action=f"/wishes/{token}",
        done=done,
        error=error,
        current_address=player.address,
        address=address,
        address_error=address_error,
        is_unreachable=player.unreachable_at is not None,
        look_choice=LookChoice(f"/wishes/{token}/cards", player_look(player)),
    )


def _unsubscribe_page(
    token: str, link: UnsubscribeLink, stops: Stopped, step: str, changed: wishes.Wishes | None = None
) -> str:
    """The page before the click (`step` "ask") and after: stopped, back, or less instead (daily, quiet)."""
    with parts().database.reading() as rows:
        table = None if (link.table_id, link.seat) == ALL_TABLES else rows.get(TableRow, link.table_id)
        player = rows.get_one(PlayerRow, link.player_id)
    now_wanted = changed or wishes.wishes_of(player)
    return page(
        "unsubscribe",
        stops=stops.value,
        step=step,
        table_name=f"Table {table.code}" if table else "",
        action=f"/unsubscribe/{token}",
        wants=now_wanted,
    )
