"""The cards that are played without asking, those left to their players, and what happens at the same moment."""

from datetime import timedelta

import pytest

from hearts.cards import NONE, Cards, card_text, rank
from hearts.game import Stage, apply, legal, new_game
from hearts.robot import has_a_choice
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Play
from hearts.view import view
from tests.cast import NAMES, PACE, leave, letters, start_game
from tests.races import at_once, check_replays
from webapp.games.asked.due import due_of
from webapp.games.asked.whose_turn import SAME, awaited
from webapp.games.record import sealed
from webapp.models import LetterKind, TurnSource
from webapp.play import taking
from webapp.presentation.turn_text import claim_sentence
from worker import postman

pytestmark = pytest.mark.usefixtures("same_seed")


@pytest.mark.parametrize("pace", [PACE, timedelta(seconds=60)], ids=["slow", "live"])
def test_only_cards_of_equal_worth_are_played_without_asking(runtime, pace):
    table = start_game(runtime, pace=pace)
    table.pass_all()
    while not table.game.scores:
        stored = table.stored
        assert awaited(stored) == stored.game.to_act
        table.play_first()
    game, unasked = new_game(stored.game.rules), 0
    for turn, source, choice, *_ in table.stored.of_hand(1):
        if isinstance(turn, Play) and source is not TurnSource.CLAIM:
            cards = legal(game, turn.seat)
            is_same = source is TurnSource.AS_WISHED
            assert has_a_choice(view(game, turn.seat)) is (source is TurnSource.PAGE)
            assert is_same is (len(cards) > 1 and source is not TurnSource.PAGE)
            assert not is_same or (choice.by, turn.card) == (SAME, min(cards))
            unasked += is_same
        game = apply(game, turn)
    assert unasked > 0


def test_cards_of_equal_worth_are_played_at_once(runtime):
    table = start_game(runtime)
    table.pass_all()
    while not table.game.scores:
        table.play_first()
    assert TurnSource.AS_WISHED in {record.source for record in table.records}


def test_a_game_survives_several_looks_after_a_deadline(either_runtime):
    for _ in range(3):
        table = start_game(either_runtime)
        table.pass_all()
        either_runtime.now.pass_by(PACE * 2)
        outcomes = at_once(*[table.play_for_absent] * 3)
        assert not [one for one in outcomes if isinstance(one, Exception)]
        check_replays(table)
        stored = table.stored
        assert awaited(stored) == stored.game.to_act
        assert stored.row.due_at is not None or stored.game.stage is Stage.OVER


# Hands by seat; in the second one Ann could take every trick from the top, or lose one to 5♠ with 4♠ if she wanted to.
ALL_THE_TOP = (
    "AC KC QC AD KD QD AS KS QS JS AH KH QH",
    "2C 3C 4C 6C 2D 3D 4D 5D 2S 3S 2H 3H 4H",
    "5C 7C 8C 6D 7D 8D 9D 4S 5S 6S 5H 6H 7H",
    "9C TC JC TD JD 7S 8S 9S TS 8H 9H TH JH",
)
ONE_SPADE_OUT = (
    "AC AS KS QS JS TS 9S 8S 7S 6S 4S 3S 2S",
    "2C 3C 4C 5C 2D 3D 4D 5D 5S 2H 3H 4H 5H",
    "6C 7C 8C 9C 6D 7D 8D 9D TD 6H 7H 8H 9H",
    "TC JC QC KC JD QD KD AD TH JH QH KH AH",
)


def play(table, pick, way=TurnSource.PAGE):
    """The awaited player plays what `pick` selects from their legal cards."""
    game = table.game
    (seat,) = game.to_act
    return taking.take_turn(
        table.runtime, table.game_id, due_of(game, seat), Play(seat, pick(legal(game, seat))), way, table.runtime.now()
    )


def play_trick_of_high_cards(table):
    while not table.game.won:
        play(table, lambda cards: max(cards, key=rank))


def test_the_only_legal_card_is_played_automatically(runtime):
    table = start_game(runtime)
    table.pass_all()
    lead = next(row for row in table.turns if isinstance(row.turn, Play))
    assert (card_text(lead.turn.card), lead.source) == ("2C", TurnSource.FORCED)
    table.play_hand()
    last_trick = [row for row in table.turns if isinstance(row.turn, Play)][-4:]
    assert {row.source for row in last_trick} in ({TurnSource.FORCED}, {TurnSource.CLAIM})
    assert not [letter for letter in letters(runtime, LetterKind.TURNS) if letter.about == "trick 13"]


def test_a_rest_that_must_be_won_is_played_at_once(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ALL_THE_TOP))
    monkeypatch.setattr(sealed, "fair_deal", lambda *given: Deal(given[-1] or Seat(0), held, NONE))
    table = start_game(runtime, rules=preset_rules("rulebook"))
    postman.deliver(runtime)
    play_trick_of_high_cards(table)
    ways = [row.source for row in table.turns if isinstance(row.turn, Play)]
    assert TurnSource.CLAIM not in ways[:4]
    assert ways[4:52] == [TurnSource.CLAIM] * 48
    assert table.game.scores[0].moon == 0
    sentence = claim_sentence(table.stored.of_hand(1), NAMES)
    assert sentence == "From trick 2 on every trick had to go to Ann, so the rest played itself."
    leave(runtime)
    asked = {letter.about for letter in letters(runtime, LetterKind.TURNS) if letter.hand == 1}
    assert asked == {"trick 1"}, "nobody is asked for a turn that changes nothing"


def test_a_rest_that_could_be_lost_deliberately_is_asked_for(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ONE_SPADE_OUT))
    monkeypatch.setattr(sealed, "fair_deal", lambda *given: Deal(given[-1] or Seat(0), held, NONE))
    table = start_game(runtime, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(table)
    assert table.game.to_act == (0,)
