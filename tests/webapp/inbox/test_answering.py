"""Our answers to replies: who gets one, how many a day, and what each kind of them says."""

import time
from concurrent.futures import ThreadPoolExecutor

from hearts.cards import card_text, parse_card
from hearts.seats import Seat
from tests.answers import answer, answered, mail, player, question, said, send, typed_pass, typed_turns
from tests.cast import PACE, address, letters, load, start_game
from webapp import due_games
from webapp.games.due import answer_to
from webapp.inbox import acting, answering
from webapp.inbox.acting import process_inbound
from webapp.inbox.answering import AT_MOST, WITHIN
from webapp.models import LetterKind, LetterState
from webapp.players import preferences
from worker import postman


def test_the_null_sender_is_never_answered(runtime, leads):
    game_id, name, letter, may_play = leads
    answer(runtime, letter, mail(name, may_play[0]), sender="<>")
    assert (typed_turns(runtime, game_id), answered(runtime)) == ([], [])


def test_each_different_fault_of_a_reply_is_answered_once_a_turn(runtime, leads):
    _, name, letter, _ = leads
    for number, typed in enumerate(("Which one would you take?", "Hello?", "QS", "QS")):
        answer(runtime, letter, mail(name, typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["unclear", "illegal QS"]


def test_every_request_for_help_is_answered_and_hides_no_later_fault(runtime):
    start_game(runtime)
    letter = question(runtime, "Ann")
    for number, typed in enumerate(("help", "help", "4D", "4D 5D", "4D")):
        answer(runtime, letter, mail("Ann", typed, Message_ID=f"<{number}@example.org>"))
    assert answered(runtime) == ["help", "help", "unclear", "unclear"], "one card, and two, are not three"


def test_a_player_gets_at_most_ten_answers_a_day(runtime):
    for _ in range(AT_MOST + 1):
        start_game(runtime)
    for letter in letters(runtime, LetterKind.PASS):
        if letter.player_id == player(runtime, "Ann").id:
            answer(runtime, letter, mail("Ann", "What now?"))
    assert answered(runtime) == ["unclear"] * AT_MOST
    runtime.now.pass_by(WITHIN)
    answer(runtime, question(runtime, "Ann"), mail("Ann", "And now?"))
    assert len(answered(runtime)) == AT_MOST + 1


def test_two_mails_at_once_do_not_exceed_the_daily_limit_of_answers(either_runtime, monkeypatch):
    for _ in range(AT_MOST + 2):
        start_game(either_runtime)
    for letter in letters(either_runtime, LetterKind.PASS):
        if letter.player_id == player(either_runtime, "Ann").id:
            send(either_runtime, letter, mail("Ann", "What now?"))
    counts = answering._has_enough

    def counts_slowly(*args):
        enough = counts(*args)
        time.sleep(0.1)  # in which another worker could count the same
        return enough

    monkeypatch.setattr(answering, "_has_enough", counts_slowly)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: process_inbound(either_runtime), range(4)))
    assert len(answered(either_runtime)) == AT_MOST


def test_our_answer_goes_to_the_players_own_address_in_the_same_thread(runtime, leads):
    _, name, letter, _ = leads
    postman.deliver(runtime)
    answer(runtime, letter, mail(name, "Hm", Reply_To="eve@example.org", Return_Path="<eve@example.org>"))
    postman.deliver(runtime)
    (ours,) = letters(runtime, LetterKind.ANSWER)
    assert ours.state is LetterState.KEPT
    assert f"<{address(name)}>" in ours.message.split("\n\n")[0]
    assert ours.thread_id == (letter.thread_id or letter.message_id)
    assert "eve@" not in ours.message


def test_help_shows_the_legal_cards_with_links(runtime, leads):
    _, name, letter, may_play = leads
    answer(runtime, letter, mail(name, "help"))
    subject, text = said(runtime)
    assert subject == "How to answer by mail"
    assert all(f"?card={code}" in text for code in may_play)
    assert f"such as {may_play[0]}" in text


def test_the_instructions_in_the_answer_fit_the_question(runtime):
    game_id = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "Which three?"))
    subject, text = said(runtime)
    assert subject == "We couldn't read your answer"
    assert "The first line that you write must be three cards to pass, and nothing else." in text
    assert f"such as {typed_pass(runtime, game_id)}," in text


def test_a_player_who_is_asked_nothing_reads_whose_turn_it_is(runtime):
    game_id = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", typed_pass(runtime, game_id)))
    answer(runtime, letter, mail("Ann", "And now?"))
    text = said(runtime)[1]
    assert "Nothing is asked of you just now." in text
    assert "Waiting for Bo, Cy and Di." in text
    assert "?card=" not in text


def test_the_answer_to_an_illegal_card_says_why(runtime, leads):
    game_id, name, letter, _ = leads
    held = {card_text(card) for card in load(runtime, game_id).game.held[letter.seat]}
    (foreign, *_) = sorted({"2H", "3H", "4H", "5H", "6H"} - held)
    row = answer(runtime, letter, mail(name, foreign))
    assert (row.taken_for, row.outcome) == ("move", "The rules do not allow it.")
    assert answered(runtime) == [f"illegal {foreign}"]
    subject, text = said(runtime)
    assert "may not be played now" in subject
    assert "is not in your hand" in text
    assert "Nothing was played." in text


def test_the_answer_to_a_late_reply_says_what_was_played(runtime, leads):
    game_id, name, letter, may_play = leads
    runtime.now.pass_by(PACE * 2)
    due_games.play_for_absent(runtime, game_id)
    record = answer_to(load(runtime, game_id).records, Seat(letter.seat), due := acting.Due(1, "trick 1"))
    other = next(code for code in may_play if parse_card(code) != record.turn.card)
    for number in (1, 2):
        answer(runtime, letter, mail(name, other, Message_ID=f"<{number}@home>"))
    assert answered(runtime) == [f"over {due.what}"], "said once"
    assert "The deadline was over. We played" in said(runtime)[1]


def test_the_answer_to_a_late_reply_tells_an_away_player_how_to_come_back(runtime):
    game_id = start_game(runtime)
    letter, cards = question(runtime, "Ann"), typed_pass(runtime, game_id)
    preferences.set_away(runtime, letter.table_id, 0, away=True, now=runtime.now())
    due_games.play_for_absent(runtime, game_id)
    (mine,) = [one.turn for one in load(runtime, game_id).records if getattr(one.turn, "seat", None) == 0]
    other = " ".join(card_text(card) for card in list(load(runtime, game_id).game.held[0] - mine.cards)[-3:])
    answer(runtime, letter, mail("Ann", other if other != cards else cards))
    assert answered(runtime) == ["over pass"]
    assert 'Answer "back" to this email' in said(runtime)[1]
