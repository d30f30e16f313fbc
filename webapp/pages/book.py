"""Shows the book of a table to those who sit there, and what they may see of the games of a player."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, request
from sqlmodel import Session, col, select

from webapp.core.tokens import SeatLink
from webapp.games.book import BookedGame, games_of, have_played_together, lines_of_player
from webapp.games.rating import rating_of
from webapp.games.record.guests import READY
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import own_name, table_name
from webapp.models import PlayerRow, Section
from webapp.pages.common import PageContext, page, reading, runtime
from webapp.presentation.book import Book, PlayerSheet, book, player_sheet
from webapp.presentation.sheets import zone_of
from webapp.tables import seating

blueprint = Blueprint("book", __name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPage(PageContext):
    template = "book"
    table_name: str
    table_link: str
    book: Book
    people: Collection[int] = ()  # the ids of the players who have a page
    years: Sequence[int] = ()  # in which games ended, the newest first; empty if it was one year
    year: int | None = None  # the one that is shown; None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage(PageContext):
    template = "player"
    player: PlayerSheet
    table_name: str
    table_link: str
    is_own: bool
    has_played_together: bool  # the reader has played with them, or is them


@blueprint.get("/seat/<token>/book")
def show(token: str) -> str:
    """The book of all years, or of the `year` that is asked for."""
    link, year = runtime().signer.read(SeatLink, token), request.args.get("year", type=int)
    with reading() as session:
        seat = seating.own_seat(session, link)
        games, name = games_of(session, link.table_id), table_name(table_seats(session, link.table_id))
        zone = zone_of(session, seat)
        people = _not_forgotten(session, games)
    years = sorted({game.ended_at.year for game in games}, reverse=True)
    if year is not None and year not in years:
        abort(404)
    shown = [game for game in games if year in (None, game.ended_at.year)]
    return page(
        BookPage(
            reader=link.player_id,
            table_name=name,
            table_link=f"/seat/{token}",
            book=book(shown, runtime().now(), zone),
            people=people,
            years=years if len(years) > 1 else (),
            year=year,
        )
    )


@blueprint.get("/seat/<token>/player/<int:player_id>")
def show_player(token: str, player_id: int) -> str:
    """The games of a player who sits or has sat at the table, not of one who is only invited.

    Only those who have played with them see more than how many there were, and how often they were late.
    """
    link = runtime().signer.read(SeatLink, token)
    with reading() as session:
        seating.own_seat(session, link)
        seats, games = table_seats(session, link.table_id), games_of(session, link.table_id)
        names = {line.player_id: line.name for game in games for line in game.lines}
        names |= {seat.player_id: own_name(seat) for seat in seats if seat.state in READY}
        player = session.get(PlayerRow, player_id)
        if player is None or player.forgotten_at is not None or player_id not in names:
            abort(404)
        is_own = player_id == link.player_id
        together = is_own or have_played_together(session, link.player_id, player_id)
        shown = [section for section in Section if together and section not in (player.closed or ())]
        sheet = player_sheet(names[player_id], lines_of_player(session, player_id), shown, rating_of(player))
    return page(
        PlayerPage(
            reader=link.player_id,
            player=sheet,
            table_name=table_name(seats),
            table_link=f"/seat/{token}",
            is_own=is_own,
            has_played_together=together,
        )
    )


def _not_forgotten(session: Session, games: Sequence[BookedGame]) -> set[int]:
    """The ids of the players in these games whom we still know."""
    ids = {line.player_id for game in games for line in game.lines if line.player_id is not None}
    known = select(PlayerRow.id).where(col(PlayerRow.id).in_(ids), col(PlayerRow.forgotten_at).is_(None))
    return set(session.exec(known).all())
