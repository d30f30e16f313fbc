"""The moon: the shooter's own choice is a decision like any other, by mail, by link, and by the deadline."""

import pytest
from bs4 import BeautifulSoup

from hearts.cards import NONE, Cards, rank
from hearts.game import Stage, legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Moon, MoonChoice, Play
from tests.answers import answer, mail, question, typed_turns
from tests.cast import letters, seat_link, start_game
from webapp.games.asked.due import due_of
from webapp.games.record import sealed
from webapp.models import LetterKind, TurnSource
from webapp.play import taking
from worker.mail import compose

ALL_MINE = (
    "AC KC QC AD KD QD AS KS QS JS AH KH QH",
    "2C 3C 4C 5C 2D 3D 4D 5D 2S 3S 2H 3H 4H",
    "6C 7C 8C 6D 7D 8D 9D 4S 5S 6S 5H 6H 7H",
    "9C TC JC TD JD 7S 8S 9S TS 8H 9H TH JH",
)


@pytest.fixture
def table(runtime, monkeypatch):
    """A game in which Ann has just won every trick."""
    held = tuple(map(Cards.parse, ALL_MINE))
    monkeypatch.setattr(sealed, "fair_deal", lambda *given: Deal(given[-1] or Seat(0), held, NONE))
    table = start_game(runtime, rules=preset_rules("rulebook", moon="choice"))
    while table.game.stage is Stage.PLAY:
        game = table.game
        (seat,) = game.to_act
        turn = Play(seat, max(legal(game, seat), key=rank))
        taking.take_turn(runtime, table.game_id, due_of(game, seat), turn, TurnSource.PAGE, runtime.now())
    return table


def test_only_the_shooter_is_mailed_links_for_each_choice(runtime, table):
    assert table.game.to_act == (0,)
    (letter,) = letters(runtime, LetterKind.TURNS)
    with runtime.database.reading() as session:
        html = compose(runtime, session, letter).get_body(("html",)).get_content()
    links = {a["href"].rpartition("?card=")[2] for a in BeautifulSoup(html, "lxml").find_all("a", href=True)}
    assert links >= {"add", "subtract"}
    assert letters(runtime, LetterKind.SCORE_SHEET) == [], "the hand is not scored yet"


@pytest.mark.parametrize(("choice", "totals"), [("add", (0, 26, 26, 26)), ("subtract", (-26, 0, 0, 0))])
def test_the_link_preselects_that_choice_and_the_button_makes_it(runtime, client, table, choice, totals):
    url = runtime.signer.local_url(table.turn_link(0))
    page = BeautifulSoup(client.get(f"{url}?card={choice}").data, "lxml")
    assert [box["value"] for box in page.select("input[name=moon][checked]")] == [choice]
    assert client.post(url, data={"moon": choice, "way": "link"}).status_code == 303
    stored = table.stored
    assert stored.game.scores[0].totals == totals
    moon = next(record for record in stored.records if isinstance(record.turn, Moon))
    assert (moon.turn.choice, moon.source) == (choice, TurnSource.LINK)
    assert len(letters(runtime, LetterKind.SCORE_SHEET)) == 4


@pytest.mark.parametrize("form", [{}, {"moon": "both"}, {"card": "QS"}])
def test_an_invalid_choice_is_rejected_with_a_message(runtime, client, table, form):
    answer = client.post(runtime.signer.local_url(table.turn_link(0)), data=form)
    assert answer.status_code == 400
    assert "Choose how the moon counts" in answer.text
    assert table.game.stage is Stage.MOON


def test_an_overdue_choice_becomes_smart_and_the_record_says_so(runtime, table):
    table.miss_deadline()
    moon = next(record for record in table.records if isinstance(record.turn, Moon))
    assert (moon.turn.choice, moon.source) == (MoonChoice.ADD, TurnSource.TIMEOUT)


def test_the_others_learn_only_that_it_is_the_shooters_turn(runtime, client, table):
    table_id = table.table_id
    page = client.get(runtime.signer.local_url(seat_link(runtime, table_id, 1))).text
    assert "Ann" in page
    assert 'name="moon"' not in page


@pytest.mark.parametrize(
    ("typed", "totals", "sentence"),
    [
        ("add", (0, 26, 26, 26), "You gave the points of the moon to everybody else in hand 1."),
        ("Subtract.", (-26, 0, 0, 0), "You had the points of the moon taken off in hand 1."),
    ],
)
def test_the_choice_may_be_typed_in_a_reply(runtime, table, typed, totals, sentence):
    row = answer(runtime, question(runtime, "Ann"), mail("Ann", typed))
    stored = table.stored
    assert stored.game.scores[0].totals == totals
    assert [record.turn.choice for record in typed_turns(table)] == [typed.lower().strip(".")]
    assert (row.taken_for, row.outcome) == ("command", sentence)
