"""Forced records, which need no decision: the deal, the only legal card, and a rest that one seat must win."""

from hearts.cards import NONE, Cards, card_text, rank
from hearts.game import legal
from hearts.rules import preset_rules
from hearts.seats import Seat
from hearts.turns import Deal, Play
from tests.cast import NAMES, leave, letters, load, start_game
from tests.playing import pass_all, play_hand, records
from webapp.games.asked.due import due_of
from webapp.games.record import sealed
from webapp.models import LetterKind, TurnSource
from webapp.play import taking
from webapp.presentation.turn_text import claim_sentence
from worker import postman

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


def play(runtime, game_id, pick, way=TurnSource.PAGE):
    """The awaited player plays what `pick` selects from their legal cards."""
    game = load(runtime, game_id).game
    (seat,) = game.to_act
    return taking.take_turn(
        runtime, game_id, due_of(game, seat), Play(seat, pick(legal(game, seat))), way, runtime.now()
    )


def play_trick_of_high_cards(runtime, game_id):
    while not load(runtime, game_id).game.won:
        play(runtime, game_id, lambda cards: max(cards, key=rank))


def test_the_only_legal_card_is_played_automatically(runtime):
    game_id = start_game(runtime)
    pass_all(runtime, game_id)
    lead = next(row for row in records(runtime, game_id) if isinstance(row.turn, Play))
    assert (card_text(lead.turn.card), lead.source) == ("2C", TurnSource.FORCED)
    play_hand(runtime, game_id)
    last_trick = [row for row in records(runtime, game_id) if isinstance(row.turn, Play)][-4:]
    assert {row.source for row in last_trick} in ({TurnSource.FORCED}, {TurnSource.CLAIM})
    assert not [letter for letter in letters(runtime, LetterKind.TURNS) if letter.about == "trick 13"]


def test_a_rest_that_must_be_won_is_played_at_once(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ALL_THE_TOP))
    monkeypatch.setattr(sealed, "fair_deal", lambda *given: Deal(given[-1] or Seat(0), held, NONE))
    game_id = start_game(runtime, rules=preset_rules("rulebook"))
    postman.deliver(runtime)
    play_trick_of_high_cards(runtime, game_id)
    ways = [row.source for row in records(runtime, game_id) if isinstance(row.turn, Play)]
    assert TurnSource.CLAIM not in ways[:4]
    assert ways[4:52] == [TurnSource.CLAIM] * 48
    assert load(runtime, game_id).game.scores[0].moon == 0
    sentence = claim_sentence(load(runtime, game_id).of_hand(1), NAMES)
    assert sentence == "From trick 2 on every trick had to go to Ann, so the rest played itself."
    leave(runtime)
    asked = {letter.about for letter in letters(runtime, LetterKind.TURNS) if letter.hand == 1}
    assert asked == {"trick 1"}, "nobody is asked for a turn that changes nothing"


def test_a_rest_that_could_be_lost_deliberately_is_asked_for(runtime, monkeypatch):
    held = tuple(map(Cards.parse, ONE_SPADE_OUT))
    monkeypatch.setattr(sealed, "fair_deal", lambda *given: Deal(given[-1] or Seat(0), held, NONE))
    game_id = start_game(runtime, rules=preset_rules("rulebook"))
    play_trick_of_high_cards(runtime, game_id)
    assert load(runtime, game_id).game.to_act == (0,)
