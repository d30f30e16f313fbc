"""Provides what the pages of a game share: how each follows it, its tabs, a pause, and the robot for a hand."""

import json
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from flask import Blueprint, Response, jsonify, redirect, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from hearts.seats import Seat
from webapp.core.say import say
from webapp.core.tokens import LinkInvalid, PlayLink, SeatLink
from webapp.forms.fields import BadField, read_number
from webapp.games import talk
from webapp.games.asked.visit import shown_by_now
from webapp.games.asked.whose_turn import ROBOT, awaited, first_asked
from webapp.games.clock.pace import plays_live
from webapp.games.clock.presence import is_reading, may_go_live
from webapp.games.record import links, store
from webapp.games.record.links import seat_link
from webapp.games.record.rows import TableRows, newest_rows
from webapp.games.record.seats import joins_next
from webapp.games.record.store import TableGame, load_newest
from webapp.games.talk import recent_lines
from webapp.models import GameRow, GameState, SeatRow, TableRow
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.pages.host import host_link
from webapp.pages.sharing import share_link
from webapp.players.preferences import set_robot_hand, tap_plays
from webapp.presentation.clock_text import GO_ON, LiveLine, PauseLine, live_line, pause_line, pause_note
from webapp.presentation.happened import Happened, TalkSheet, Unsaid
from webapp.presentation.present import TurnSheet
from webapp.presentation.sheets import summary_of, talk_sheet_of, zone_of
from webapp.presentation.summary import TableSummary
from webapp.presentation.turn_text import awaited_at_table
from webapp.tables import agreeing, seating
from webapp.tables.offers import Offer, offer_of

# The little that a page polls in order to know when to reload itself.
# Nothing here folds a game or knows a card: every page that follows a game asks for this every few seconds.

POLL_MS: Final = 3000  # milliseconds between two polls
LIVE_POLL_MS: Final = 1000  # the same at a live pace
GOES_ON_POLL_MS: Final = 400  # the same while robots play in front of the reader


def news(session: Session, rows: TableRows, reader: int, now: datetime) -> dict[str, Any]:
    """The state of the table for the player of the seat `reader`, as a JSON mapping; `rows` are those of its newest
    game.

    `version` changes whenever their page would. `left` is the number of seconds until the deadline.
    """
    return news_of(rows.table, rows.game, rows.seats, reader, talk.newest_line(session, rows.table, now), now)


def news_of(
    table: TableRow, game: GameRow | None, seats: Sequence[SeatRow], reader: int, said: int | None, now: datetime
) -> dict[str, Any]:
    """Does the same as `news` for rows that are loaded already; `game` is the table's newest, if there is one.

    `said` is the id of the newest line of its recent talk.
    """
    due_at = game.due_at if game else None
    seat_states = []
    for seat in seats:
        kept = seat.vacation
        spare_days = [sorted(map(str, kept.dates)), kept.automatic, kept.taken_for] if kept else None
        seat_states.append(
            [seat.name, seat.state, seat.by_link, seat.away, spare_days, seat.wants_pause, joins_next(seat)]
        )
    state = {
        "game": game and [game.number, game.turns, game.state],
        "table": [table.state, table.talk, table.pause is not None, table.link_number],
        "live": [table.live_seconds, may_go_live(table, seats, now), [seat.wants_live for seat in seats]],
        "proposals": [[one.key, len(one.agreed)] for one in table.proposals or ()],
        "due": due_at and due_at.isoformat(),
        "said": said,
        "seats": seat_states,
        "offer": [[seat.offered_name, seat.offer_state] for seat in seats if seat.seat == reader],
        "here": [seat.seat for seat in seats if seat.seat != reader and is_reading(seat, seat.player, now)],
    }
    version = f"{zlib.crc32(json.dumps(state).encode()):x}"
    return {**state, "version": version, "left": (due_at - now).total_seconds() if due_at else None}


blueprint = Blueprint("at_table", __name__)


# The button by which a player lets a robot play the present hand, and the one by which they play it again.


@dataclass(frozen=True, slots=True)
class RobotHand:
    """The button for the present hand: the path that takes it, and whether a robot plays already."""

    action: str
    hands: int  # as many as are played side by side
    is_robots: bool


@blueprint.post("/<any(play, seat):kind>/<token>/robot")
def change(kind: str, token: str) -> AnyResponse:
    at_table: type[PlayLink | SeatLink] = PlayLink if kind == "play" else SeatLink
    link = runtime().signer.read(at_table, token)
    with reading() as session:
        seat = seating.own_seat(session, link)
        newest = load_newest(session, link.table_id)
    if newest and newest.row.state is GameState.PLAYING:
        hand = first_asked(newest, Seat(seat.seat)).game.hand if request.form.get("who") == ROBOT else None
        set_robot_hand(runtime(), link.player_id, link.table_id, hand, runtime().now())
    return redirect(f"/{kind}/{token}", 303)


def robot_hand(stored: TableGame, row: SeatRow, follows: str | None) -> RobotHand | None:
    """The button for the player of the seat; `follows` is the URL of the page that follows the game.

    None for a robot's seat, and at a live table, where everybody is there.
    """
    if row.player_id is None or plays_live(stored.table):
        return None
    link = follows or runtime().signer.local_url(seat_link(row))
    return RobotHand(f"{link}/robot", stored.row.at_once, stored.has_handed_over(row))


# Provides what the pages have in common that follow a table, and the news for which they ask.


@dataclass(frozen=True, slots=True)
class Follow:
    """How a page follows its table, for the script."""

    page: str  # the URL to reload; with /now appended, that of the news, which say whether to reload
    version: str  # of what the page shows
    is_live: bool  # whether all players are expected to be present
    tap_plays: bool = False  # whether one tap plays a card
    is_player: bool = True  # whether the page's reader counts as present
    shows: str = ""  # what follows `page` in the URL to reload: the reader's place in their visit
    goes_on: bool = False  # whether a robot is about to play in front of them

    @property
    def every(self) -> int:
        """Milliseconds between two requests for news."""
        if self.goes_on:
            return GOES_ON_POLL_MS
        return LIVE_POLL_MS if self.is_live else POLL_MS


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowingPage(PageContext):
    """A page of a player's seat, which may follow its table."""

    follow: Follow | None = None
    kind: str = ""  # the script replaces a page of another kind as a whole
    says: str = ""  # to those who hear the page, once the script has loaded it
    sheet: TurnSheet | None = None
    since: Happened = field(default_factory=Happened)
    done: str | None = None  # what was played for the reader, or what they have done
    play_link: str | None = None
    host_link: str | None = None
    offer: Offer | None = None
    talk: TalkSheet | None = None
    unsaid: Unsaid | None = None
    mailed: bool = False  # the reader's turn is on its way to them


def news_response(link: PlayLink | SeatLink) -> Response:
    """The news of the table as JSON, for a page that follows it. Raises SeatLost or LinkExpired."""
    with reading() as session:
        rows = newest_rows(session, link.table_id)
        if rows is None:
            raise LinkInvalid
        seating.own_seat(session, link)
        return jsonify(news(session, rows, link.seat, runtime().now()))


def play_link(seat: SeatRow) -> str | None:
    """The link to the page that follows the game of the seat; None for a robot's seat.

    Only for a visitor who has come to play there: the link may play, and is never mailed.
    """
    if seat.player_id is None:
        return None
    return runtime().signer.local_url(links.play_link(seat))


# The reader's place in their visit to a game, which stands in the address of its page besides the token.


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a visit; `webapp.games.asked.visit` says what follows."""

    shown: int | None = None  # up to which record they were shown how hands ended; None: as the records say
    at: int | None = None  # the hand whose question they are reading
    hand: int | None = None  # the hand that they have chosen to look at, whether it asks them or not
    waits: bool = True  # whether they want to see a hand go on by itself

    @property
    def query(self) -> str:
        """The query string of the page's address, with its question mark; empty at the usual place."""
        fields = {"hand": self.hand, "at": self.at, "shown": self.shown, "waits": None if self.waits else "no"}
        named = {name: value for name, value in fields.items() if value is not None}
        return f"?{urlencode(named)}" if named else ""


def place() -> Place:
    """The place that the request is about; a form of a turn names what its page has shown."""
    args = request.args
    shown = _number(args.get("shown"))
    return Place(
        _number(request.form.get("shown")) if shown is None else shown,
        _number(args.get("at")),
        _number(args.get("hand")),
        args.get("waits") != "no",
    )


def place_in(stored: TableGame, me: Seat) -> Place:
    """The same with what the player of the seat has been shown so far."""
    now = place()
    return now if now.shown is not None else replace(now, shown=shown_by_now(stored, me))


def _number(text: str | None) -> int | None:
    with suppress(BadField):
        return read_number(text or "")
    return None


@dataclass(frozen=True, slots=True)
class HandTab:
    """A tab for one of the hands that are played side by side, on its own page or another's."""

    number: int
    link: str
    is_shown: bool
    waits: bool  # for the page's reader
    state: str  # whose turn it is, for a screen reader


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage(FollowingPage):
    """A page on which a player follows the game of their seat."""

    error: str | None = None
    table_link: str | None = None
    pause: PauseLine | None = None
    robot_hand: RobotHand | None = None
    again_action: str | None = None  # which mails the turn once more


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable(GamePage):
    """The same while a game is played."""

    tabs: Sequence[HandTab] = ()
    live: LiveLine | None = None
    sign_in_action: str | None = None  # which mails a sign-in link, where the browser may not go on


_Page = TypeVar("_Page", bound=GamePage)


def framed(
    page: _Page,
    session: Session,
    table: TableRow,
    game: GameRow | None,
    seats: Sequence[SeatRow],
    seat: SeatRow,
    follows: str | None,
    now: Place,
) -> _Page:
    """The page with what every page of a seat's game shows.

    `follows` is the URL of the page that follows the game, `now` the reader's place, to which what they do leads back.
    """
    moment = runtime().now()
    said = recent_lines(session, table, moment)
    latest = news_of(table, game, seats, seat.seat, said[-1].id if said else None, moment)
    talk = talk_sheet_of(said, table, seats, seat, zone_of(session, seat), moment, follows)
    live = plays_live(table)
    tap = tap_plays(session, seat.player_id, is_live=live)
    follow = Follow(follows, latest["version"], live, tap_plays=tap, shows=now.query) if follows else None
    if isinstance(page, AtTable) and follows:
        page = replace(page, live=live_line(table, seats, seat, moment))
    return replace(
        page,
        reader=seat.player_id,
        play_link=follows,
        follow=follow,
        table_link=runtime().signer.local_url(links.seat_link(seat)) if seat.player_id else None,
        host_link=host_link(table, seat) if follows else None,
        offer=offer_of(session, seat),
        talk=replace(talk, action=f"{talk.action}{now.query}") if talk and follows else talk,
    )


def tabs_of(stored: TableGame, me: Seat, follows: str | None, now: Place) -> list[HandTab]:
    """The hands that are played side by side; none if there is one, or if the page does not follow the game."""
    if stored.row.at_once == 1 or follows is None:
        return []
    hands = [stored.at(game.hand) for game in stored.cycle.hands]
    return [
        HandTab(
            hand.game.hand,
            f"{follows}{Place(now.shown, hand=hand.game.hand).query}",
            is_shown=hand.game is stored.game,
            waits=me in awaited(hand),
            state=awaited_at_table(hand, me),
        )
        for hand in hands
    ]


def pause_line_of(stored: TableGame, me: Seat) -> PauseLine:
    wanted = agreeing.asking(stored.seats)
    others = [stored.names[seat] for seat in wanted if seat != me]
    with reading() as session:
        zone = zone_of(session, stored.seats[me])
    note = pause_note(stored.table.pause, runtime().now(), zone)
    return pause_line(others, is_asking=me in wanted, is_paused=stored.table.pause is not None, anybodys=note)


def share_link_of(stored: TableGame, seat: SeatRow) -> str | None:
    """The path of the page on which the player shares the game; None if they may not."""
    return share_link(runtime().signer.token(links.seat_link(seat)), stored, seat.seat)


# Serves the page of a paused game that anybody at the table may let go on. Its one button does, for everybody.
# The mail about a rest links to the seat's table page, which plays no card. A reader to whom it was forwarded can let
# the game go on, and no more.


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedPage(PageContext):
    table: TableSummary
    note: str
    done: str | None = None  # what was played, where they came by an old link
    go_on: str = field(default_factory=lambda: say(GO_ON))
    action: str
    table_link: str


@blueprint.get("/seat/<token>/rest")
def show(token: str) -> AnyResponse | str:
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seat, stored = seating.own_seat(session, link), store.load_newest(session, link.table_id)
    if stored is None or stored.table.pause is None or not stored.table.pause.is_anybodys:
        return redirect(f"/seat/{token}", 303)
    return pause_page(stored, seat)


@blueprint.post("/seat/<token>/rest")
def go_on(token: str) -> AnyResponse:
    agreeing.go_on(runtime(), runtime().signer.read(SeatLink, token), runtime().now())
    return redirect(f"/seat/{token}", 303)


def pause_page(stored: TableGame, seat: SeatRow, done: str | None = None) -> str:
    """The page of the game for the player of `seat`."""
    with reading() as session:
        zone = zone_of(session, seat)
    table, link = summary_of(stored.table, stored.seats), runtime().signer.local_url(links.seat_link(seat))
    return page(
        PausedPage(
            table=table,
            note=pause_note(stored.table.pause, runtime().now(), zone),
            done=done,
            action=f"{link}/rest",
            table_link=link,
            reader=seat.player_id,
        )
    )
