"""Tricks as players see them: who led, who wins, who comes next, and what they held."""

import pytest
from bs4 import BeautifulSoup

from hearts.cards import parse_card
from hearts.game import Stage
from hearts.play import Trick
from hearts.rules import Rules
from hearts.seats import Seat
from tests.gallery import mail_html, mail_text, page_html
from tests.samples.cast import CAST, CROWD
from tests.samples.games import CLASSIC, ELEVEN, PARTNERS, first_game
from tests.samples.mails import mails
from tests.samples.pages import pages
from tests.samples.sheets import sheet_of
from webapp.presentation.tricks import trick_sheet


def test_the_trick_shows_leader_winner_and_who_comes_next() -> None:
    trick = Trick(Seat(1), tuple(map(parse_card, ("7S", "KS"))), None)
    sheet = trick_sheet(CLASSIC, CAST, Seat(0), 5, trick)
    assert [(laid.name, laid.note) for laid in sheet.laid] == [("Bo", "led"), ("Cy", "winning")]
    assert [(one.name, one.note) for one in sheet.awaited] == [("Di", "now"), ("You", "")]


@pytest.mark.parametrize(("rules", "partners"), [(PARTNERS, ["Cy"]), (CLASSIC, [])])
def test_the_readers_partner_is_marked(rules: Rules, partners: list[str]) -> None:
    for led in range(4):
        trick = Trick(Seat(led), tuple(map(parse_card, ("7S", "KS"))), None)
        sheet = trick_sheet(rules, CAST, Seat(0), 5, trick)
        assert [one.name for one in (*sheet.laid, *sheet.awaited) if one.is_partner] == partners
    assert not any(one.is_partner for one in trick_sheet(rules, CAST, None, 5, trick).laid), "nobody reads it"


def test_pages_and_mails_mark_the_readers_partner() -> None:
    felt = BeautifulSoup(page_html(pages()["turn-partners"]), "lxml").select_one("#trick")
    assert felt
    assert [note.text for note in felt.select(".note") if "partner" in note.text] == ["partner, winning"]
    template, context = pages()["pass-classic"]
    asked = sheet_of(first_game(PARTNERS, lambda game: game.stage is Stage.PASS))
    passing = BeautifulSoup(page_html((template, {**context, "sheet": asked, "chosen": []})), "lxml")
    assert [note.text for note in passing.select("#passing .note") if "partner" in note.text] == ["partner"]
    asking = mails()["turn-partners"]
    assert "Cy (partner, winning)\n" in mail_text(asking)
    assert "partner, winning" in mail_html(asking)
    template, context = mails()["pass-classic"]
    told = "Your partner is Cy."
    assert all(
        told in written((template, {**context, "first": {**context["first"], "sheet": asked}}))
        for written in (mail_text, mail_html)
    )


@pytest.mark.parametrize(
    ("cards", "winner", "notes", "sentence"),
    [
        pytest.param("7S KS QS 2H", "Cy", ["led", "won", "", ""], "Cy won it with K♠: 14 points.", id="points"),
        pytest.param("7S 2S 3D 4S", "Bo", ["won", "", "", ""], "Bo won it with 7♠: no points.", id="the leader"),
    ],
)
def test_a_finished_trick_says_its_winner_and_its_points(
    cards: str, winner: str, notes: list[str], sentence: str
) -> None:
    trick = Trick(Seat(1), tuple(map(parse_card, cards.split())), None)
    sheet = trick_sheet(CLASSIC, CAST, Seat(0), 5, trick)
    assert ([laid.name for laid in sheet.laid if laid.wins], [laid.note for laid in sheet.laid]) == ([winner], notes)
    assert sheet.sentence.replace("\ufe0e", "") == sentence


def test_equal_cards_are_shown_as_cancelled_and_set_aside() -> None:
    game = first_game(ELEVEN, lambda game: game.stage is Stage.PLAY and bool(game.won) and game.won[-1] is None)
    sheet = sheet_of(game, CROWD)
    codes = [laid.face.code for laid in sheet.last_trick.laid]
    assert all(laid.cancelled is (codes.count(laid.face.code) == 2) for laid in sheet.last_trick.laid)
    assert not any(laid.wins for laid in sheet.last_trick.laid)
    assert sorted(one.code for one in sheet.set_aside) == sorted(codes)


@pytest.mark.parametrize(
    ("cards", "moment"),
    [
        ("7S KS 2D 3D", ""),
        ("7S KS 2H 3D", "1 point"),
        ("2H 3H 4H 5H", "4 points"),
        ("7S KS QS 2D", "13 points!"),
    ],
)
def test_a_trick_of_many_points_is_called_out(cards: str, moment: str) -> None:
    trick = Trick(Seat(1), tuple(map(parse_card, cards.split())), None)
    assert trick_sheet(CLASSIC, CAST, Seat(0), 5, trick).moment == moment


@pytest.mark.parametrize(("reader", "first"), [(0, 1), (1, 0), (2, 3), (3, 2), (None, 0)])
def test_cards_lie_clockwise_from_the_reader(reader: int | None, first: int) -> None:
    trick = Trick(Seat(1), tuple(map(parse_card, ("7S", "KS"))), None)
    sheet = trick_sheet(CLASSIC, CAST, None if reader is None else Seat(reader), 5, trick)
    assert sheet.first_seat == first
    assert [sheet.place_of(number) for number in range(4)] == [(first + number) % 4 for number in range(4)]
