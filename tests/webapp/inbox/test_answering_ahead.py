"""Answering ahead by mail: what an answer to an older mail keeps, which asked for a card, and what is answered."""

from datetime import timedelta

import pytest

from hearts.cards import card_text, parse_code
from hearts.seats import Seat
from hearts.turns import Play
from tests.answers import answer, answered, inbound, mail, question, said, send
from tests.cast import letters
from tests.playing import waiting_game
from tests.webapp.chosen_ahead import choose, with_a_heart_led
from webapp.games.asked.whose_turn import ahead_of
from webapp.inbox.acting import process_inbound
from webapp.models import LetterKind, LetterRow, LetterState, TurnSource
from webapp.presentation.faces import face
from worker import postman

MOMENT = timedelta(seconds=1)
DI = Seat(3)


@pytest.fixture
def table(runtime):
    """Bo has led, Cy is to play, and an older mail has asked Di before her turn."""
    return asked_ahead(waiting_game(runtime))


def asked_ahead(table):
    asked = question(table.runtime, "Cy").model_dump(exclude={"id"})
    with table.runtime.database.writing() as session:
        hers = {"seat": DI, "player_id": table.seats[DI].player_id, "reason": "ahead"}
        sent = {"dedupe": "ahead", "message_id": "<ahead@example.org>", "state": LetterState.SENT, "next_at": None}
        session.add(LetterRow(**asked | hers | sent))
    return table


def codes(table):
    return [card_text(card) for card in table.following_cards(DI)]


def kept(table):
    found = ahead_of(table.stored, DI)
    return found and card_text(found.card)


def sources(table, code):
    plays = [one for one in table.records if isinstance(one.turn, Play) and one.turn.seat == DI]
    return [one.source for one in plays if card_text(one.turn.card) == code]


def newest_answer(runtime):
    postman.deliver(runtime)
    return [one for one in letters(runtime, LetterKind.ANSWER) if one.message][-1].message


def test_a_card_is_kept_confirmed_and_played_at_the_turn(runtime, table):
    low, trick = codes(table)[0], table.game.trick
    row = answer(runtime, question(runtime, "Di"), mail("Di", low))
    assert row.outcome == "Your card is kept until your turn."
    assert kept(table) == low
    assert answered(runtime) == [f"ahead trick {trick}"]
    assert f"{face(parse_code(low)).text} plays at your turn." in said(runtime)[1]
    table.play_first()
    assert sources(table, low) == [TurnSource.AHEAD]


def test_the_same_answer_at_the_turn_is_played(runtime, table):
    letter, (low, *_) = question(runtime, "Di"), codes(table)
    table.play_first()
    answer(runtime, letter, mail("Di", low))
    assert sources(table, low) == [TurnSource.REPLY]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("{other}", "cannot {other}"),
        ("{low} unless queen", "unclear"),
        ("{low} if points else {high}", "unclear"),
        ("{low} then lead {other}", "unclear"),
        ("ok", "unclear"),
    ],
)
def test_an_impossible_answer_or_terms_keep_nothing(runtime, table, typed, reason):
    game, (low, *_, high) = table.game, codes(table)
    other = next(card_text(card) for card in game.held[DI] if card_text(card)[1] != low[1])
    named = {"low": low, "high": high, "other": other}
    answer(runtime, question(runtime, "Di"), mail("Di", typed.format(**named)))
    assert kept(table) is None
    assert answered(runtime) == [reason.format(**named)]
    assert newest_answer(runtime)


def test_an_answer_after_the_card_is_told_so_once(runtime, table):
    letter, (low, *_, high) = question(runtime, "Di"), codes(table)
    answer(runtime, letter, mail("Di", low))
    table.play_first()
    assert answer(runtime, letter, mail("Di", f"{low}, thanks")).outcome == "You had played it already."
    answer(runtime, letter, mail("Di", high))
    assert answered(runtime)[1:] == [f"over trick {int(letter.about.split()[1])}"]


def test_a_reply_to_our_confirmation_changes_the_card(runtime, table):
    low, *_, high = codes(table)
    answer(runtime, question(runtime, "Di"), mail("Di", high))
    (confirmation,) = letters(runtime, LetterKind.ANSWER)
    answer(runtime, confirmation, mail("Di", low))
    assert kept(table) == low


def test_a_page_choice_made_after_the_mail_came_stays(runtime, table):
    low, *_, high = codes(table)
    number = send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose(table, DI, parse_code(high))
    runtime.now.pass_by(MOMENT)
    process_inbound(runtime)
    assert kept(table) == high
    assert inbound(runtime, number).outcome == "You have chosen another card since."
    assert f"{face(parse_code(high)).text} plays at your turn." in said(runtime)[1], "they are told what holds"


def test_a_mail_that_came_after_the_page_choice_wins(runtime, table):
    low, *_, high = codes(table)
    letter = question(runtime, "Di")
    choose(table, DI, parse_code(high))
    runtime.now.pass_by(MOMENT)
    answer(runtime, letter, mail("Di", low))
    assert kept(table) == low


def test_a_page_beats_a_late_mail_at_the_turn(runtime, table):
    low, *_, high = codes(table)
    send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose(table, DI, parse_code(high))
    table.play_first()
    process_inbound(runtime)
    assert sources(table, high) == [TurnSource.AHEAD]


def test_a_card_dropped_for_points_wins_over_an_earlier_mail(runtime):
    table = asked_ahead(with_a_heart_led(runtime))
    low, *_, high = codes(table)
    number = send(runtime, question(runtime, "Di"), mail("Di", low))
    runtime.now.pass_by(MOMENT)
    choose(table, DI, parse_code(high))
    table.play_first()
    process_inbound(runtime)
    assert sources(table, low) == [], "they said later that they want another card"
    assert inbound(runtime, number).outcome == "You have chosen another card since."
    assert "Please choose again" in newest_answer(runtime)
