"""An answer ahead in words: what is kept, what is wrong with it, and why its player is asked again."""

import pytest

from hearts.cards import parse_code
from hearts.waits.ahead import Ahead, Unless
from webapp.presentation.ahead_text import Fault, again_sentence, fault_sentence, kept_sentences

QUEEN, ACE = parse_code("QS"), parse_code("AH")


def kept(*unless, **more):
    ahead = Ahead(hand=1, trick=1, card=QUEEN, seen=1, unless=frozenset(unless), **more)
    return [plain(one) for one in kept_sentences(ahead)]


def plain(text):
    return text.replace("\ufe0e", "")


FIRST = "Your card is Q♠. Nobody else sees it."


@pytest.mark.parametrize(
    ("found", "sentences"),
    [
        pytest.param(kept(), [FIRST], id="whatever comes"),
        pytest.param(
            kept(Unless.WIN, Unless.QUEEN),
            [
                FIRST,
                "We ask you again if the queen of spades falls.",
                "We ask you again if it would win the trick.",
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
        ([], None, "but you can't play it now."),
        ([Unless.WIN], ACE, "but you can't play it now."),
    ],
)
def test_the_first_obstacle_is_why_a_player_is_asked_again(came, instead, why):
    assert plain(again_sentence(QUEEN, came, instead)) == f"You chose Q♠ before your turn, {why}"
