"""How a player gets back to their game from a page that may not let them play, or by a link of an older email."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, TypeVar

from flask import Blueprint, redirect, request
from flask import session as cookie
from werkzeug.wrappers import Response as AnyResponse

from hearts.seats import Seat
from webapp.accounts import sign_ins
from webapp.core.say import Refused
from webapp.core.tokens import (
    EveningLink,
    FormerPreferencesLink,
    HandOverLink,
    LeaveLink,
    LinkExpired,
    LinkInvalid,
    PlayLink,
    PreferencesLink,
    SeatLink,
)
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import first_asked
from webapp.games.record import links, store
from webapp.games.record.rows import locked_player
from webapp.games.record.store import TableGame
from webapp.models import GameState, PlayerRow, SeatRow, TableRow, TableState
from webapp.outbox import questions
from webapp.pages import limits
from webapp.pages.common import CheckInbox, PageContext, reading, runtime, signed_in_as
from webapp.play import taking
from webapp.players import preferences

blueprint = Blueprint("ways_in", __name__)


# Where a player is signed in, or has just played in this browser, the page leads straight on; anywhere else a mail goes
# to their own inbox. The browser's cookie keeps the links by which it has just played: it has followed each of them, so
# this gives it no more than its history does, and they end when they would.
# Anybody may have a forwarded mail. So the page of a mail's turn lets its reader go on, to later turns and other hands,
# only in a browser that has been their player's before, or if none has. Any other plays what the mail asks, and signs
# in for more. A player whose browser keeps no cookies has no known browser, and goes on as long as no other becomes
# known.

PLAYED: Final = "played"  # key in the session cookie: the token of a PlayLink by the id of its table, the newest last
MOST: Final = 5  # tables, and players, that the cookie has room for
KNOWN: Final = "known"  # key in the session cookie: `PlayerRow.generation` by the id of each player whose browser it is
MET: Final = "met"  # the same: a page of a turn has set it, so that its form shows whether the browser keeps cookies
OF_PAGE: Final = "way"  # a field that the form of each such page has

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class OldLinkPage(PageContext):
    """The page to which an old link leads: what became of it, and a button that mails its player the way in."""

    template = "play_old"
    heading: str
    sentences: Sequence[str] = ()
    action: str | None = None
    button: str | None = None  # None: it mails their turn
    is_away: bool = False
    table_link: str | None = None
    sign_in_action: str | None = None  # None: the browser is the player's, or the page is of no turn
    error: str | None = None


SENT: Final = CheckInbox(about="turn")


def way_in(seat: SeatRow) -> str | None:
    """The path of the page on which the seat's player plays; None if this browser may not open it."""
    if seat.player_id is None:
        return None
    if signed_in_as(seat.player_id):
        return runtime().signer.local_url(links.play_link(seat))
    token = cookie.get(PLAYED, {}).get(str(seat.table_id), "")
    try:
        return f"/play/{token}" if runtime().signer.read(PlayLink, token) == links.play_link(seat) else None
    except (LinkInvalid, LinkExpired):
        return None


def page_to_follow(seat: SeatRow) -> str | None:
    """The path of the page on which the seat's player goes on, for the page of a turn; None if this browser may not."""
    if seat.player_id is None or not _goes_on(seat, player := _player(seat.player_id)):
        return None
    if player.browser_at is None and not cookie:
        cookie[MET] = True
    return runtime().signer.local_url(links.play_link(seat))


def enter(seat: SeatRow, *, is_turn: bool = False) -> str | None:
    """Notes in the cookie that the seat's player has just acted in this browser, if it may go on, and returns the path
    of their page; else None.

    The first browser that takes a turn (`is_turn`) is known from then on, unless it keeps no cookies: as the form shows
    of a page that has set one, if it comes without.
    """
    if seat.player_id is None or not _goes_on(seat, player := _player(seat.player_id)):
        return None
    if is_turn and player.browser_at is None and (cookie or OF_PAGE not in request.form):
        with runtime().database.writing() as session:
            sign_ins.note_browser(locked_player(session, player.id), runtime().now())
    token, table = runtime().signer.token(links.play_link(seat)), str(seat.table_id)
    cookie[PLAYED] = _newest(cookie.get(PLAYED, {}), table, token)
    cookie[KNOWN] = _newest(cookie.get(KNOWN, {}), str(player.id), player.generation)
    cookie.permanent = True
    return f"/play/{token}"


def to_cards(table_id: int, *, may_enter: bool) -> str | None:
    """The path to which a host goes who has just dealt: where they play or, in a browser that may not, the page of
    their seat, which mails them their turn. None if no game is played, or somebody else plays for the host.

    `may_enter`: the link by which they came lets them in as `enter` says; else only what `way_in` says does.
    """
    with reading() as session:
        table, host = session.get_one(TableRow, table_id), session.get_one(SeatRow, (table_id, 0))
    if table.state is not TableState.PLAYING or host.player_id != table.host_id:
        return None
    return (enter(host) if may_enter else way_in(host)) or runtime().signer.local_url(links.seat_link(host))


def clear_cookie(player_id: int | None = None) -> None:
    """Leaves in the cookie only of which other players the browser is."""
    others = {key: number for key, number in cookie.get(KNOWN, {}).items() if key != str(player_id)}
    cookie.clear()
    if others:
        cookie[KNOWN], cookie.permanent = others, True


def _goes_on(seat: SeatRow, player: PlayerRow) -> bool:
    is_known = cookie.get(KNOWN, {}).get(str(player.id)) == player.generation
    return player.browser_at is None or is_known or way_in(seat) is not None


def _player(player_id: int) -> PlayerRow:
    with reading() as session:
        return session.get_one(PlayerRow, player_id)


def _newest(kept: Mapping[str, _T], key: str, value: _T) -> dict[str, _T]:
    """The kept values with another one, as many as the cookie has room for."""
    return dict([*((one, held) for one, held in kept.items() if one != key), (key, value)][-MOST:])


def mail_one(link: PlayLink | SeatLink) -> None:
    """Mails the link's player the turn for which they are asked, else a link that signs them in.

    The caller has checked that they still have the seat. Raises TooMuchMail.
    """
    with reading() as session:
        stored = store.load_newest(session, link.table_id)
    if stored is None or not _mail_turn(stored, Seat(link.seat)):
        mail_sign_in(link.player_id)


def mail_sign_in(player_id: int, *, returns: bool = False) -> None:
    """Mails the player a link that signs them in; to the page "Away", if it `returns`. Raises TooMuchMail."""
    with reading() as session:
        address = session.get_one(PlayerRow, player_id).address
    with limits.counted(limits.to_address(address)):
        sign_ins.request_sign_in(runtime(), address, runtime().now())
    limits.note_asked(limits.sign_in(address), returns=returns)


def _mail_turn(stored: TableGame, seat: Seat) -> bool:
    """Queues the mail of the seat's turn. Returns whether it has one, perhaps on its way since a moment ago."""
    due = due_of(first_asked(stored, seat).game, seat) if stored.row.state is GameState.PLAYING else None
    if due is None:
        return False
    try:
        with suppress(questions.TooSoon):
            preferences.mail_again(runtime(), stored.id, seat, due, runtime().now())
    except (Refused, taking.TurnOver):  # the table is muted, or a card was played meanwhile
        return False
    return True


# Links of older emails: each leads to the page that has taken its place, and changes nothing.
# Version 1.1 mails none of them. The last ones of 1.0 expire 120 days after a service has moved on to 1.1 (`/leave`,
# `/hand-over`, `/evening`), or 400 days (all others); then these ways can go.


@blueprint.get("/wishes/<token>", defaults={"page": ""})
@blueprint.get("/wishes/<token>/<path:page>")
def show_preferences(token: str, page: str) -> AnyResponse:
    former = runtime().signer.read(FormerPreferencesLink, token)
    link = runtime().signer.local_url(PreferencesLink(former.player_id, former.generation))
    return redirect(f"{link}/{page}" if page else link, 302)


@blueprint.route("/preferences/<token>/no-vacation", methods=["GET", "POST"])
def choose_spare_days(token: str) -> AnyResponse:
    return redirect(f"/preferences/{token}", 303)


@blueprint.get("/<any(play, seat, preferences):kind>/<token>/<any(wait, plan):page>")
@blueprint.route("/<any(play, seat):kind>/<token>/<any(evening, nudge):page>", methods=["GET", "POST"])
def show_page_above(kind: str, token: str, page: str) -> AnyResponse:
    return redirect(f"/{kind}/{token}", 303)


@blueprint.route("/hand-over/<token>", methods=["GET", "POST"])
def show_offer(token: str) -> AnyResponse:
    return redirect(_seat_of(runtime().signer.read(HandOverLink, token)), 303)


@blueprint.route("/evening/<token>", methods=["GET", "POST"])
def show_table(token: str) -> AnyResponse:
    return redirect(_seat_of(runtime().signer.read(EveningLink, token)), 303)


@blueprint.route("/leave/<token>", methods=["GET", "POST"])
def go_away(token: str) -> AnyResponse:
    return redirect(f"{_seat_of(runtime().signer.read(LeaveLink, token))}/away", 303)


def _seat_of(link: EveningLink | HandOverLink | LeaveLink) -> str:
    """The path of the table page, for the player of the link."""
    return runtime().signer.local_url(SeatLink(link.table_id, link.seat, link.player_id, link.links))
