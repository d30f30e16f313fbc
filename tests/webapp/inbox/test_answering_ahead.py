"""Answers ahead by mail: what is kept, what is played, and what is answered."""

from datetime import timedelta

import pytest

from hearts.cards import card_text, parse_code
from hearts.seats import Seat
from hearts.turns import Play
from hearts.waits.ahead import USUAL, Unless
from tests.answers import answer, answered, inbound, mail, question, said, send
from tests.cast import letters, load, play_link, start_game
from tests.playing import following_cards, play_first, waiting_game
from webapp.games.asked.due import later_due
from webapp.games.asked.whose_turn import ahead_of
from webapp.inbox.acting import process_inbound
from webapp.models import LetterKind, TableRow, TurnSource
from webapp.play import due_games
from webapp.players import ahead
from webapp.presentation.faces import face
from worker import postman

MOMENT = timedelta(seconds=1)
ANN, CY, DI = Seat(0), Seat(2), Seat(3)


@pytest.fixture
def game_id(runtime):
    """Bo has led, Cy is to play, and Di and Ann have been asked before their turn."""
    made = waiting_game(runtime)
    with runtime.database.writing() as session:
        session.get_one(TableRow, load(runtime, made).row.table_id).asks_ahead = True
    due_games.play_for_absent(runtime, made)
    return made


def codes(runtime, game_id, seat=DI):
    return [card_text(card) for card in following_cards(runtime, game_id, seat)]


def kept(runtime, game_id):
    return ahead_of(load(runtime, game_id), DI)


def sources(runtime, game_id, code):
    plays = [one for one in load(runtime, game_id).records if isinstance(one.turn, Play) and one.turn.seat == DI]
    return [one.source for one in plays if card_text(one.turn.card) == code]


def newest_answer(runtime):
    postman.deliver(runtime)
    return [one for one in letters(runtime, LetterKind.ANSWER) if one.message][-1].message


def test_a_card_is_kept_silently_and_played_at_the_turn(runtime, game_id):
    low = codes(runtime, game_id)[0]
    row = answer(runtime, question(runtime, "Di"), mail("Di", low))
    assert row.outcome == "Your card is kept until your turn."
    assert card_text(kept(runtime, game_id).card) == low
    assert kept(runtime, game_id).unless == frozenset(), "nothing was typed but the card"
    play_first(runtime, game_id)
    assert sources(runtime, game_id, low) == [TurnSource.AHEAD]
    assert answered(runtime) == []


def test_a_card_with_terms_is_confirmed_in_words(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    answer(runtime, question(runtime, "Di"), mail("Di", f"{high} unless queen points"))
    assert sorted(kept(runtime, game_id).unless) == ["points", "queen"]
    answer(runtime, question(runtime, "Di"), mail("Di", f"{high} if points else {low}"))
    assert (card_text(kept(runtime, game_id).card), card_text(kept(runtime, game_id).instead)) == (low, high)
    assert answered(runtime) == [f"ahead trick {load(runtime, game_id).game.trick}"] * 2
    text = newest_answer(runtime)
    assert "Your card is" in text
    assert "If other points fall, you play" in text


def test_an_answer_at_the_turn_is_played_keeping_its_lead(runtime, game_id):
    letter, (low, *_) = question(runtime, "Di"), codes(runtime, game_id)
    lead = next(card_text(card) for card in load(runtime, game_id).game.held[DI] if card_text(card) != low)
    play_first(runtime, game_id)
    answer(runtime, letter, mail("Di", f"{low} then lead {lead}"))
    assert sources(runtime, game_id, low) == [TurnSource.REPLY]
    (kept_with_it,) = load(runtime, game_id).seats[DI].ahead.values()
    assert card_text(kept_with_it.answer.lead) == lead
    assert answered(runtime) == []


def test_what_has_come_is_said_and_nothing_is_played(runtime, game_id):
    letter, high = question(runtime, "Di"), codes(runtime, game_id)[-1]
    play_first(runtime, game_id)
    turns = load(runtime, game_id).row.turns
    answer(runtime, letter, mail("Di", f"{high} unless win"))
    assert load(runtime, game_id).row.turns == turns
    assert answered(runtime) == [f"has_come {high} win"]
    assert "it would win the trick." in newest_answer(runtime)


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("{other}", "cannot card {other}"),
        ("{low} then lead {low}", "cannot twice {low}"),
        ("{low} then lead {gone}", "cannot lead {gone}"),
        ("{low} if points else {low}", "cannot case {low}"),
        ("{low} unless rain", "unclear"),
        ("ok", "unclear"),
    ],
)
def test_an_impossible_answer_is_refused_and_changes_nothing(runtime, game_id, typed, reason):
    game, low = load(runtime, game_id).game, codes(runtime, game_id)[0]
    other = next(card_text(card) for card in game.held[DI] if card_text(card)[1] != low[1])
    named = {"low": low, "other": other, "gone": card_text(game.on_table[0])}
    answer(runtime, question(runtime, "Di"), mail("Di", typed.format(**named)))
    assert kept(runtime, game_id) is None
    assert answered(runtime) == [reason.format(**named)]
    assert newest_answer(runtime)


def test_an_answer_after_the_card_is_told_so_once(runtime, game_id):
    letter, (low, *_, high) = question(runtime, "Di"), codes(runtime, game_id)
    answer(runtime, letter, mail("Di", low))
    play_first(runtime, game_id)
    row = answer(runtime, letter, mail("Di", f"{low} unless queen"))
    assert row.outcome == "You had played it already."
    answer(runtime, letter, mail("Di", high))
    assert answered(runtime) == [f"over trick {int(letter.about.split()[1])}"]


def test_terms_are_for_a_card_to_a_trick_only(runtime):
    game_id = start_game(runtime)
    code = card_text(next(iter(load(runtime, game_id).game.held[DI])))
    answer(runtime, question(runtime, "Di"), mail("Di", f"{code} unless queen"))
    assert answered(runtime) == ["unclear"]


def test_a_reply_to_our_confirmation_changes_the_answer(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    answer(runtime, question(runtime, "Di"), mail("Di", f"{high} unless queen"))
    (confirmation,) = letters(runtime, LetterKind.ANSWER)
    answer(runtime, confirmation, mail("Di", low))
    assert card_text(kept(runtime, game_id).card) == low


def choose_on_page(runtime, game_id, code, unless=USUAL):
    stored = load(runtime, game_id)
    due = later_due(stored.game, DI)
    given = ahead.AnswerAhead(card=parse_code(code), unless=unless)
    ahead.answer(runtime, play_link(runtime, game_id, DI), due, given, runtime.now())


def test_a_page_choice_made_after_the_mail_came_stays(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    number = send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose_on_page(runtime, game_id, high)
    runtime.now.pass_by(MOMENT)
    process_inbound(runtime)
    assert card_text(kept(runtime, game_id).card) == high
    assert inbound(runtime, number).outcome == "You have chosen another card since."
    assert f"Your card is {face(parse_code(high)).text}." in said(runtime)[1], "they are told what holds"


def test_a_mail_that_came_after_the_page_choice_wins(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    letter = question(runtime, "Di")
    choose_on_page(runtime, game_id, high)
    runtime.now.pass_by(MOMENT)
    answer(runtime, letter, mail("Di", low))
    assert card_text(kept(runtime, game_id).card) == low


def test_a_page_beats_a_late_mail_at_the_turn(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose_on_page(runtime, game_id, high)
    play_first(runtime, game_id)
    process_inbound(runtime)
    assert sources(runtime, game_id, high) == [TurnSource.AHEAD]


def test_a_page_that_asks_again_wins_over_an_earlier_mail(runtime, game_id):
    low, *_, high = codes(runtime, game_id)
    number = send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose_on_page(runtime, game_id, high, frozenset({Unless.WIN}))
    play_first(runtime, game_id)
    process_inbound(runtime)
    assert sources(runtime, game_id, low) == [], "they said later that they want to choose again"
    assert inbound(runtime, number).outcome == "You have chosen another card since."
    assert "Please choose again" in newest_answer(runtime)
