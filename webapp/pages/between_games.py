"""Makes the page of a player whose table plays no game: before the first one, or after the last one."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from hearts.seats import Seat, side_of
from webapp.games.asked.running import NextGame
from webapp.games.record.rows import table_seats
from webapp.games.record.store import TableGame
from webapp.models import SeatRow, TableRow
from webapp.pages.again import AgainText, again_text_on_table
from webapp.pages.at_table import GamePage, framed, share_link_of
from webapp.pages.games import next_game_of
from webapp.pages.guest_list import GuestList, PlayNow, guest_list, play_now_line
from webapp.pages.place import place
from webapp.pages.table_game import relive_links
from webapp.presentation.own_game import own_game
from webapp.presentation.result import Result, result
from webapp.presentation.scoresheet import ScoreSheet
from webapp.presentation.sheets import blank_score_sheet, score_sheet_of, summary_of
from webapp.presentation.summary import TableSummary
from webapp.robots.reviews import reviews_for


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenGames(GamePage):
    template = "play_between"
    heading: str
    table: TableSummary
    score: ScoreSheet
    result: Result | None = None
    own: Sequence[tuple[str, str | None]] = ()  # how the reader played, each with the link to what it is about
    relive_links: Sequence[tuple[int, str]] = ()  # the numbers of the finished hands, each with its page
    share_link: str | None = None
    guests: GuestList | None = None
    play_now: PlayNow | None = None
    hosts: bool = False
    again: AgainText | None = None
    next_game: NextGame | None = None


def between_games(session: Session, seat: SeatRow, stored: TableGame | None, address: str) -> BetweenGames:
    """The page; `stored` is the last game, None before the first one."""
    table, seats = session.get_one(TableRow, seat.table_id), table_seats(session, seat.table_id)
    summary = summary_of(table, seats)
    score = score_sheet_of(stored) if stored else blank_score_sheet(table, seats)
    rules = stored.game.rules if stored else table.rules
    side = side_of(Seat(seat.seat), partnership=rules.partnership)
    heading = score.headline_for(side) if score.hands else summary.name
    page = BetweenGames(
        heading=heading,
        says=heading,
        score=score,
        result=result(rules, score) if score.hands else None,
        own=_own(session, seat, stored) if stored else (),
        relive_links=relive_links(stored, seat) if stored else (),
        share_link=share_link_of(stored, seat) if stored else None,
        table=summary,
        guests=guest_list(table, seats, seat, address),
        play_now=play_now_line(session, table, seats, seat, address),
        hosts=seat.player_id == table.host_id,
        kind="between games",
        again=again_text_on_table(session, seat, stored.row, summary) if stored else None,
        next_game=next_game_of(seat),
    )
    return framed(page, session, table, stored.row if stored else None, seats, seat, address, place())


def _own(session: Session, seat: SeatRow, stored: TableGame) -> list[tuple[str, str | None]]:
    """How the player of the seat has played the game, each line with the link to what it is about."""
    me, links = Seat(seat.seat), dict(relive_links(stored, seat))
    opinions = reviews_for(session, stored, me, seat.player_id) if seat.player_id else {}
    lines = own_game(stored, me, opinions)
    return [(line.text, f"{links[line.hand]}?step={line.step}#film" if line.hand else None) for line in lines]
