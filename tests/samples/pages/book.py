"""The book of a table: before its first game is over, after some games, and with many players."""

from dataclasses import replace
from datetime import timedelta
from functools import cache

from hearts.rules import Rules
from tests.samples.cast import CAST, CROWD, NASTY, NOW
from tests.samples.finished import stored_game
from tests.samples.games import CLASSIC, ELEVEN, PARTNERS
from tests.samples.links import TABLE_LINK
from tests.samples.rendering import PageSample
from webapp.games.book import BookedGame, Rating, lines_of
from webapp.models import Section, TurnSource
from webapp.pages.relive import BookPage, PlayerPage
from webapp.results.book import Book, PlayerSheet, book, player_sheet


def booked(rules: Rules, names: tuple[str, ...], games: int) -> list[BookedGame]:
    """Random games of these players, one a month, in which only they chose; the last one was ended early."""
    made = []
    for number in range(1, games + 1):
        stored = stored_game(rules, names, seed=number + 2)
        stored = replace(stored, records=tuple(one._replace(source=TurnSource.PAGE) for one in stored.records))
        stored.row.said["id"] = number
        ended_at = NOW - timedelta(days=30 * (games - number) + 1)
        moments = {one.number: ended_at - timedelta(days=20) + timedelta(hours=one.number) for one in stored.records}
        lines = lines_of(stored, range(1, len(names) + 1), moments)
        if number == games > 2:
            for line in lines:
                line.place, line.counts = None, False
        made.append(BookedGame(number, ended_at, lines))
    return made


def four_games(names: tuple[str, ...] = CAST) -> Book:
    return _book(CLASSIC, names, 4)


def one_game() -> Book:
    return _book(CLASSIC, CAST, 1)


@cache
def _book(rules: Rules, names: tuple[str, ...], games: int) -> Book:
    return book(booked(rules, names, games), NOW, "Europe/Berlin")


def pages() -> dict[str, PageSample]:
    bos = [line for game in booked(CLASSIC, CAST, 4) for line in game.lines if line.name == "Bo"]
    table = {"table_name": "Ann's table", "table_link": TABLE_LINK, "is_own": False}
    seen = PlayerPage(**table, player=player_sheet("Bo", bos, Section, Rating(27, 6)), has_played_together=True)
    stranger = PlayerSheet(NASTY[0], f"{NASTY[0]} has played 12 games, and was never late.", ())
    page = BookPage(table_name="Ann's table", table_link=TABLE_LINK, book=four_games())
    return {
        "book": replace(page, years=(2026, 2025), people={1, 2, 3}),
        "book-year": replace(page, years=(2026, 2025), year=2026, book=_book(CLASSIC, CAST, 2)),
        "book-one-game": replace(page, book=one_game()),
        "book-new": replace(page, book=book([], NOW, "UTC")),
        "book-partners": replace(page, book=_book(PARTNERS, CAST, 2)),
        "book-eleven": replace(page, book=_book(ELEVEN, CROWD, 2)),
        "player": seen,
        "player-own": replace(seen, is_own=True),
        "player-stranger-nasty": replace(seen, player=stranger, has_played_together=False),
        "book-nasty": replace(page, table_name=f"{NASTY[0]}'s table", book=four_games(NASTY)),
    }
