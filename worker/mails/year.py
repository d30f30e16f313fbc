"""The mail in January: the year of its reader's tables, as their books have it."""

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.games.book import games_of
from webapp.games.record.links import seat_link
from webapp.games.record.rows import table_seats
from webapp.games.record.stand_in import table_name
from webapp.players.own_seats import seats_of
from webapp.presentation.book import Book, book, standing_text
from worker.mails.mail import Mail, MailContext


@dataclass(frozen=True, slots=True)
class TableYear:
    """The year of a table: its book, and a sentence for each player."""

    name: str
    book: Book
    lines: Sequence[str]
    link: str


@dataclass(frozen=True, slots=True, kw_only=True)
class YearMail(MailContext):
    year: int
    tables: Sequence[TableYear]


def context(mail: Mail) -> YearMail | None:
    """The context; None if its reader wants no such mail any more, or sits at no such table."""
    assert mail.letter.about is not None
    year, player = int(mail.letter.about), mail.player
    tables = [one for one in _tables(mail, year) if one.book.standings] if player.year_mail else []
    return YearMail(you=player.name, year=year, tables=tables, **mail.foot()) if tables else None


def _tables(mail: Mail, year: int) -> list[TableYear]:
    """The tables where the reader has a seat that they have not muted."""
    session, found = mail.session, []
    for seat in seats_of(session, mail.player.id, None):
        games = [game for game in games_of(session, seat.table_id) if game.ended_at.year == year]
        if games and seat.mails:
            made = book(games, mail.runtime.now(), mail.player.time_zone)
            lines = [standing_text(one) for one in made.standings]
            link = f"{mail.url(seat_link(seat))}/book?year={year}"
            found.append(TableYear(table_name(table_seats(session, seat.table_id)), made, lines, link))
    return found
