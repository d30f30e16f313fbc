"""An answer ahead in words: what is kept, what is wrong with it, and why its player is asked again."""

import pytest

from hearts.cards import card_text, parse_code
from hearts.game import Stage
from hearts.plans.ahead import Ahead, Unless
from tests.samples.cast import CROWD
from tests.samples.games import CLASSIC, ELEVEN, first_game, following, holds_twins
from tests.samples.sheets import sheet_of
from webapp.models import TableRow
from webapp.presentation.ahead_text import Fault, again_sentence, fault_sentence, kept_sentences, leads_after
from webapp.presentation.faces import face

QUEEN, ACE = parse_code("QS"), parse_code("AH")


def kept(*unless, **more):
    ahead = Ahead(hand=1, trick=1, card=QUEEN, seen=1, unless=frozenset(unless), **more)
    return [plain(one) for one in kept_sentences(ahead)]


def plain(text):
    return text.replace("\ufe0e", "")


FIRST = "Your answer is Q♠. Nobody else knows it."


@pytest.mark.parametrize(
    ("found", "sentences"),
    [
        pytest.param(kept(), [FIRST], id="whatever comes"),
        pytest.param(
            kept(Unless.WIN, Unless.QUEEN),
            [
                FIRST,
                "You are asked again if the queen of spades falls.",
                "You are asked again if it would win the trick.",
            ],
            id="asked again",
        ),
        pytest.param(
            kept(Unless.POINTS, instead=ACE), [FIRST, "If other points fall, you play A♥ instead."], id="a second card"
        ),
        pytest.param(kept(lead=ACE), [FIRST, "If you win the trick, you lead A♥."], id="a lead"),
        pytest.param(kept(instead=ACE), [FIRST], id="a second card without a case"),
    ],
)
def test_what_is_kept_of_an_answer_is_said_in_order(found, sentences):
    assert found == sentences


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_names_the_card(fault):
    sentence = plain(fault_sentence(fault, QUEEN))
    assert "Q♠" in sentence
    assert "{" not in sentence
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    ("came", "instead", "why"),
    [
        ([Unless.QUEEN], None, "but the queen of spades fell."),
        ([Unless.POINTS, Unless.WIN], None, "but points fell."),
        ([Unless.WIN], None, "but it would win the trick."),
        ([], None, "but it can't be played now."),
        ([Unless.WIN], ACE, "but it can't be played now."),
    ],
)
def test_the_first_that_came_is_why_a_player_is_asked_again(came, instead, why):
    assert plain(again_sentence(QUEEN, came, instead)) == f"You chose Q♠ ahead, {why}"


DAY, MINUTE = 86400, 60


def leads(rules, wanted, seconds=DAY):
    game = first_game(rules, wanted)
    table = TableRow(code="7F3KM", host_id=1, rules={}, pass_seconds=DAY, play_seconds=seconds)
    return game, leads_after(sheet_of(game, CROWD[: game.rules.players]), table)


def test_a_player_may_lead_next_any_face_that_they_hold_once_even_if_it_may_not_be_played_now():
    for rules, wanted in (
        (CLASSIC, lambda game: following(game, trick=5, void=False)),
        (ELEVEN, lambda game: following(game, trick=1, void=False) and holds_twins(game, game.to_act[0])),
    ):
        game, found = leads(rules, wanted)
        held = list(game.held[game.to_act[0]].faces())
        assert [value for value, _ in found] == [card_text(card) for card in held]
        assert [plain(label) for _, label in found] == [plain(face(card).text) for card in held]


@pytest.mark.parametrize(
    ("wanted", "seconds"),
    [
        pytest.param(lambda game: game.stage is Stage.PASS, DAY, id="during the pass"),
        pytest.param(lambda game: game.stage is Stage.PLAY and game.trick == 13, DAY, id="with the last card"),
        pytest.param(lambda game: following(game, trick=5, void=False), MINUTE, id="at a live table"),
    ],
)
def test_no_lead_is_asked_for(wanted, seconds):
    assert leads(CLASSIC, wanted, seconds)[1] == ()
