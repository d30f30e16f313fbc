"""Lets a player choose how long we wait for them where a choice hardly matters: at a table, or at all of theirs.

A mailed link only opens the page; a button changes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, redirect, request

from hearts.seats import Seat
from webapp.core.tokens import PlayLink, SeatLink
from webapp.forms.waits import WaitForm, read_wait_form
from webapp.games.asked.whose_turn import first_asked, wait_of
from webapp.games.record.links import seat_link
from webapp.games.record.live import plays_live
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame, load_newest
from webapp.models import GameState, PlayerRow, SeatRow, TableRow, Wait
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.limits import Answer
from webapp.pages.preferences import opened
from webapp.players import waits
from webapp.presentation.wait_text import WaitOption, played_for, short_deadline, wait_options, wait_sentence
from webapp.tables import seating

blueprint = Blueprint("waits", __name__)
ADDRESS = "/<any(play, seat, preferences):link>/<token>/wait"  # from a game, from a mail, from the preferences
OLD_ADDRESS = "/<any(play, seat, preferences):link>/<token>/plan"  # in older mails


@dataclass(frozen=True, slots=True)
class WaitLine:
    """How long we wait for the reader where their choice hardly matters, and the form that changes it."""

    sentence: str
    options: Sequence[WaitOption]
    link: str  # that takes the form, and shows all of it
    plays: str = ""  # the card that we play for them, because this choice hardly matters: "5♣"
    is_robot: bool = False  # a robot plays this hand
    hands: int = 1  # as many as it plays, side by side


@dataclass(frozen=True, slots=True)
class Owner:
    """A player's wait: whose it is, and at which table; without a table, it is the player's default."""

    player_id: int
    wait: Wait | None
    back: str  # the path of the page to go back to
    table_id: int | None = None
    table_name: str = ""
    hand: int | None = None  # the hand that is played
    hands: int = 0  # as many as are played side by side
    is_robot: bool = False  # a robot plays that hand
    played: tuple[str, ...] = ()  # what we have played for them in it

    @property
    def saved(self) -> str:
        """The path of the page that follows a change."""
        return self.back if self.table_id is not None else f"{self.back}?done=wait"


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitPage(PageContext):
    template = "wait"
    owner: Owner
    form: WaitForm
    options: Sequence[WaitOption]
    action: str


@blueprint.get(ADDRESS)
@blueprint.get(OLD_ADDRESS)
def show(link: str, token: str) -> str:
    return _wait_page(_owner(link, token), WaitForm({}))


@blueprint.post(ADDRESS)
@blueprint.post(OLD_ADDRESS)
def change(link: str, token: str) -> Answer:
    owner = _owner(link, token)
    form = read_wait_form(request.form, may_hand_over=owner.hand is not None)
    now = runtime().now()
    if form.is_robot and owner.table_id is not None and owner.hand is not None:
        waits.hand_over_hand(runtime(), owner.player_id, owner.table_id, owner.hand, now)
    elif form.wait is None:
        return _wait_page(owner, form), 400
    else:
        table_id = None if form.is_everywhere else owner.table_id
        waits.change_wait(runtime(), owner.player_id, form.wait, now, table_id)
    return redirect(owner.saved, 303)


def _owner(kind: str, token: str) -> Owner:
    """The player's wait, by the link above the page, which is of that kind.

    Raises LinkInvalid, SeatLost if another player has the seat, LinkExpired if the player has ended the link.
    """
    back = f"/{kind}/{token}"
    if kind == "preferences":
        preferences = opened(token)
        with reading() as session:
            return Owner(preferences.player_id, session.get_one(PlayerRow, preferences.player_id).wait, back)
    at_table: type[PlayLink | SeatLink] = PlayLink if kind == "play" else SeatLink
    link = runtime().signer.read(at_table, token)
    with reading() as session:
        seat = seating.own_seat(session, link)
        table = session.get_one(TableRow, link.table_id)
        name = table_name(table_seats(session, link.table_id))
        newest = load_newest(session, link.table_id)
        stored = newest if newest and newest.row.state is GameState.PLAYING else None
        stored = stored and first_asked(stored, Seat(seat.seat))
    owner = Owner(link.player_id, wait_of(table, seat), back, table.id, name)
    if stored is None:
        return owner
    return replace(
        owner,
        hand=stored.game.hand,
        hands=stored.row.at_once,
        is_robot=stored.has_handed_over(seat),
        played=tuple(played_for(stored, Seat(seat.seat))),
    )


def _wait_page(owner: Owner, form: WaitForm) -> str:
    return page(
        WaitPage(
            reader=owner.player_id,
            owner=owner,
            form=form,
            options=wait_options(form.wait or owner.wait),
            action=request.path,
        )
    )


def wait_line(stored: TableGame, row: SeatRow, follows: str | None) -> WaitLine | None:
    """How long we wait for the player of the seat; `follows` is the URL of the page that follows the game.

    None for a robot's seat, and where each choice has the full time: at a live table, and with a bank.
    """
    table = stored.table
    if row.player_id is None or plays_live(table) or table.bank:
        return None
    link, seat = follows or runtime().signer.local_url(seat_link(row)), Seat(row.seat)
    wait, short = wait_of(table, row), short_deadline(stored, seat, "UTC", runtime().now())
    return WaitLine(
        wait_sentence(wait),
        wait_options(wait),
        f"{link}/wait",
        plays=short.plays if short else "",
        is_robot=stored.has_handed_over(row),
        hands=stored.row.at_once,
    )
