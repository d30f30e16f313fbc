"""The mail in January about the year of a player's tables."""

from dataclasses import replace

from tests.samples.cast import NASTY
from tests.samples.links import FOOT, TABLE_LINK
from tests.samples.pages.book import four_games, one_game
from tests.samples.rendering import MailSample
from webapp.results.book import Book, standing_text
from worker.mails.sheets import TableYear, YearMail


def mails() -> dict[str, MailSample]:
    table = _table("Ann's table", four_games())
    foot = {**FOOT, "unsubscribe_text": "No such email next year"}
    mail = YearMail(**foot, you="Di", year=2025, tables=[table])
    return {
        "year": ("year", mail),
        "year-several": ("year", replace(mail, tables=[table, _table("Bo's table", one_game())])),
        "year-nasty": ("year", replace(mail, you=NASTY[3], tables=[_table(f"{NASTY[0]}'s table", four_games(NASTY))])),
    }


def _table(name: str, book: Book) -> TableYear:
    return TableYear(name, book, [standing_text(one) for one in book.standings], f"{TABLE_LINK}/book?year=2025")
