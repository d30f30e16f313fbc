"""Lets a player choose how long we wait for them where a choice hardly matters: at a table, or at all of theirs.

A mailed link only opens the page; a button changes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, request

from hearts.seats import Seat
from webapp.core.tokens import PlayLink, PreferencesLink, SeatLink
from webapp.forms.waits import WaitForm, read_wait_form
from webapp.games.asked.whose_turn import first_asked, wait_of
from webapp.games.record.links import check_player, seat_link
from webapp.games.record.live import plays_live
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.games.record.store import TableGame, load_newest
from webapp.models import GameState, PlayerRow, SeatRow, TableRow, Wait
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.limits import Answer
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
    saved: str  # the path of the page that follows a change
    table_id: int | None = None
    table_name: str = ""
    hand: int | None = None  # the hand that is played
    hands: int = 0  # as many as are played side by side
    is_robot: bool = False  # a robot plays that hand
    played: tuple[str, ...] = ()  # what we have played for them in it


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


def _owner(link: str, token: str) -> Owner:
    """The player's wait, by the link of this kind above the page. Raises what reading the link raises."""
    match link:
        case "play":
            return _at_table(runtime().signer.read(PlayLink, token), f"/play/{token}")
        case "seat":
            return _at_table(runtime().signer.read(SeatLink, token), f"/seat/{token}")
        case _:
            return _default(token)


def _at_table(link: PlayLink | SeatLink, back: str) -> Owner:
    """The owner of the seat of the link. Raises SeatLost if another player has it, LinkExpired if they ended it."""
    with reading() as session:
        seat = seating.own_seat(session, link)
        table = session.get_one(TableRow, link.table_id)
        name = table_name(table_seats(session, link.table_id))
        newest = load_newest(session, link.table_id)
        stored = newest if newest and newest.row.state is GameState.PLAYING else None
        stored = stored and first_asked(stored, Seat(seat.seat))
    assert seat.player_id is not None
    hand = stored.game.hand if stored else None
    return Owner(
        seat.player_id,
        wait_of(table, seat),
        back,
        back,
        table.id,
        name,
        hand,
        stored.row.at_once if stored else 0,
        is_robot=stored is not None and stored.has_handed_over(seat),
        played=_played(stored, Seat(seat.seat)),
    )


def _played(stored: TableGame | None, seat: Seat) -> tuple[str, ...]:
    return tuple(played_for(stored, seat)) if stored else ()


def _default(token: str) -> Owner:
    """The owner of the preferences. Raises LinkInvalid, or LinkExpired if the player has ended the link."""
    link = runtime().signer.read(PreferencesLink, token)
    with reading() as session:
        player = check_player(link, session.get(PlayerRow, link.player_id))
    back = f"/preferences/{token}"
    return Owner(link.player_id, player.wait, back, saved=f"{back}?done=wait")


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
