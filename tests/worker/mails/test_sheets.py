"""The score sheets in mails: no longer than a mail program shows, and the last one about its reader."""

from dataclasses import replace
from datetime import timedelta

import pytest

from hearts.rules import preset_rules
from tests.cast import NAMES, address, letters, start_game
from tests.samples.finished import scores
from tests.table import Table
from tests.webapp.tables.another_game import agree, finished_table, newest
from tests.webapp.tables.hosted import composed
from tests.worker.delivered import deliver_later, text_of
from webapp.games import book
from webapp.models import LetterKind, SeatRow, TableRow
from worker.mails.sheets import latest


@pytest.fixture
def sheet():
    """A function that makes a sheet of that many sides and hands, which are numbered from 1."""
    some = scores()["classic"][0]
    side, hand = some.sides[0], some.hands[0]

    def make(sides, hands):
        numbered = tuple(replace(hand, number=number) for number in range(1, hands + 1))
        return replace(some, sides=(side,) * sides, hands=numbered)

    return make


@pytest.mark.parametrize(
    ("sides", "hands", "shown"),
    [
        pytest.param(4, 1, 1, id="one hand"),
        pytest.param(4, 60, 60, id="as many hands as are shown at most"),
        pytest.param(4, 61, 60, id="one more"),
        pytest.param(2, 99, 60, id="two sides"),
        pytest.param(11, 36, 36, id="eleven sides, as many cells as fit"),
        pytest.param(11, 37, 36, id="one more hand of theirs"),
        pytest.param(7, 60, 57, id="what is left over of a row is not shown"),
    ],
)
def test_a_mail_shows_the_latest_hands_that_fit(sheet, sides, hands, shown):
    whole = sheet(sides, hands)
    found = latest(whole)
    assert [one.number for one in found.hands] == list(range(hands - shown + 1, hands + 1))
    assert replace(found, hands=whole.hands) == whole, "everything else is of the whole game"


def test_the_last_sheet_tells_each_player_of_their_own_game(runtime, smtp_server):
    table = start_game(runtime, rules=preset_rules("classic", hands=1))
    table.play_hand()
    with runtime.database.writing() as session:
        session.get_one(TableRow, 1).words = "The loser bakes"
    deliver_later(runtime, timedelta(minutes=5))
    taken = table.game.scores[0].taken
    for seat, name in enumerate(NAMES):
        mail = next(one for one in smtp_server.to(address(name)) if "The game is over" in text_of(one))
        text = " ".join(text_of(mail).split())
        assert "YOUR GAME You chose " in text
        assert "Ann: “The loser bakes”" in text
        assert (" cost you " in text) == (taken[seat] > 0)
        assert "dearest card" not in text, "the table allows no advice"


def test_who_has_left_is_told_nothing_of_their_successors_play(runtime):
    table = start_game(runtime, rules=preset_rules("classic", hands=1))
    table.play_hand()
    (letter, *_) = letters(runtime, LetterKind.FINAL_SHEET)
    assert "YOUR GAME" in composed(runtime, letter)["plain"]
    with runtime.database.writing() as session:
        seat = session.get_one(SeatRow, (1, letter.seat))
        seat.player_id = session.get_one(SeatRow, (1, letter.seat + 1)).player_id
    assert "YOUR GAME" not in composed(runtime, letter)["plain"]


def test_the_last_sheet_of_a_second_game_says_who_leads(runtime, smtp_server):
    table_id = finished_table(runtime)
    book.reckon_missing(runtime.database)
    agree(runtime, table_id, *range(4))
    Table(runtime, newest(runtime, table_id).id).play_hand()
    deliver_later(runtime, timedelta(minutes=5))
    mail = next(one for one in smtp_server.to(address("Bo")) if "The game is over" in text_of(one))
    assert " the table " in text_of(mail)
    assert "/book" in text_of(mail)
