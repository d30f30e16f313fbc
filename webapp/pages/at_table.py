"""Provides what the pages of a game have in common: how each follows it, its tabs, the button for a pause."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sqlmodel import Session

from hearts.seats import Seat
from webapp.games.asked.whose_turn import awaited
from webapp.games.following import news_of
from webapp.games.record import links
from webapp.games.record.live import plays_live
from webapp.games.record.store import TableGame
from webapp.games.talk import recent_lines
from webapp.models import GameRow, SeatRow, TableRow
from webapp.pages.common import reading, runtime
from webapp.pages.following import Follow, FollowingPage
from webapp.pages.host import host_link
from webapp.pages.place import Place
from webapp.pages.robot_hand import RobotHand
from webapp.pages.sharing import share_link
from webapp.players.tap import tap_plays
from webapp.presentation.clock_text import LiveLine, PauseLine, live_line, pause_line, pause_note
from webapp.presentation.sheets import talk_sheet_of, zone_of
from webapp.presentation.turn_text import awaited_at_table
from webapp.tables import pausing
from webapp.tables.offers import offer_of


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
    wanted = pausing.asking(stored.seats)
    others = [stored.names[seat] for seat in wanted if seat != me]
    with reading() as session:
        zone = zone_of(session, stored.seats[me])
    note = pause_note(stored.table.pause, runtime().now(), zone)
    return pause_line(others, is_asking=me in wanted, is_paused=stored.table.pause is not None, anybodys=note)


def share_link_of(stored: TableGame, seat: SeatRow) -> str | None:
    """The path of the page on which the player shares the game; None if they may not."""
    return share_link(runtime().signer.token(links.seat_link(seat)), stored, seat.seat)
