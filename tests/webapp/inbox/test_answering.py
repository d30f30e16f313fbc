"""Our answers to replies: who gets one, and how many a day."""

from functools import partial

import pytest

from hearts.cards import card_text
from tests.answers import answer, answered, mail, player, question, send, typed_turns
from tests.cast import address, letters, start_game
from tests.races import Overlap
from webapp.inbox import answering
from webapp.inbox.acting import process_inbound
from webapp.inbox.answering import AT_MOST, WITHIN
from webapp.models import LetterKind, LetterState
from worker import postman


@pytest.fixture
def few(monkeypatch):
    """How many answers a player gets a day, here: each takes a game."""
    monkeypatch.setattr(answering, "AT_MOST", 3)
    return 3


def test_the_null_sender_is_never_answered(runtime, leads):
    table, name, letter, may_play = leads
    answer(runtime, letter, mail(name, may_play[0]), sender="<>")
    assert (typed_turns(table), answered(runtime)) == ([], [])


def test_each_fault_of_a_reply_is_answered_once_a_turn(runtime, leads):
    _, name, letter, _ = leads
    for number, typed in enumerate(("Which one would you take?", "Hello?", "QS", "QS")):
        answer(runtime, letter, mail(name, typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["unclear", "illegal QS"]


def test_every_request_for_help_is_answered_hiding_no_later_fault(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    for number, typed in enumerate(("help", "help", "4D", "4D 5D", "4D")):
        answer(runtime, letter, mail("Ann", typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["help", "help", "unclear", "unclear"], "one card, and two, are not three"


def test_a_player_gets_only_so_many_answers_a_day(runtime, few):
    for _ in range(few + 1):
        table = start_game(runtime)
        answer(runtime, question(runtime, "Ann"), mail("Ann", "What now?"))
        table.pass_lowest(0)
    assert answered(runtime) == ["unclear"] * few
    runtime.now.pass_by(WITHIN)
    start_game(runtime)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "And now?"))
    assert len(answered(runtime)) == few + 1


def test_the_last_answer_of_a_day_says_so(runtime, few):
    for _ in range(few + 1):
        table = start_game(runtime)
        answer(runtime, question(runtime, "Ann"), mail("Ann", "What now?"))
        table.pass_lowest(0)
    postman.deliver(runtime)
    sent = [one.message.replace("=\n", "") for one in letters(runtime, LetterKind.ANSWER)]
    assert ["we answer no more today. Your cards still count" in one for one in sent] == [False] * (few - 1) + [True]


def test_an_illegal_card_is_answered_beyond_the_limit(runtime, leads):
    table, name, letter, may_play = leads
    for number in range(AT_MOST + 1):
        answer(runtime, letter, mail(name, "help", Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["help"] * AT_MOST
    held = {card_text(card) for card in table.game.held[letter.seat]}
    foreign = next(code for code in ("2H", "3H", "4H", "5H", "6H") if code not in held)
    answer(runtime, letter, mail(name, foreign))
    answer(runtime, letter, mail(name, may_play[0]))
    assert answered(runtime)[AT_MOST:] == [f"illegal {foreign}"]
    assert len(typed_turns(table)) == 1, "cards still count"


def test_two_simultaneous_mails_keep_the_daily_limit_of_answers(either_runtime, monkeypatch, few):
    mine = []
    for _ in range(few):
        table = start_game(either_runtime)
        mine.append(question(either_runtime, "Ann"))
        table.pass_lowest(0)
    ann = player(either_runtime, "Ann")
    for number, letter in enumerate(mine, 1):
        (answer if number < few else send)(either_runtime, letter, mail("Ann", "What now?"))

    def to_the_mailbox():
        with either_runtime.database.writing() as session:
            answering.queue_unaddressed(session, either_runtime, ann, None, either_runtime.now())

    overlap = Overlap(either_runtime, partial(process_inbound, either_runtime), to_the_mailbox)
    counts = answering._has_enough

    def counts_while_another_comes(*args):
        enough = counts(*args)
        overlap.meet()
        return enough

    monkeypatch.setattr(answering, "_has_enough", counts_while_another_comes)
    overlap.run()
    assert len(answered(either_runtime)) == few


def test_our_answer_reaches_the_players_address_in_the_thread(runtime, leads):
    _, name, letter, _ = leads
    postman.deliver(runtime)
    answer(runtime, letter, mail(name, "Hm", Reply_To="eve@example.org", Return_Path="<eve@example.org>"))
    postman.deliver(runtime)
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert ours.state is LetterState.KEPT
    assert f"<{address(name)}>" in ours.message.split("\n\n")[0]
    assert ours.thread_id == (letter.thread_id or letter.message_id)
    assert "eve@" not in ours.message
