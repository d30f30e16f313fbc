"""Our answers to replies, kind by kind."""

import pytest

from hearts.cards import card_text, parse_card, parse_code
from hearts.seats import Seat
from tests.answers import answer, answered, choosing, mail, player, question, said, typed_pass, typed_turns
from tests.cast import PACE, start_game
from tests.languages import catalogues
from tests.runtimes import make_runtime
from tests.webapp.going_away import set_away
from webapp.games.asked.due import answer_to
from webapp.inbox import acting
from webapp.models import PlayerRow, TableRow, Talk
from webapp.presentation.faces import face
from webapp.replies.grammar import code_to_teach, parse_answer


@pytest.fixture
def runtime(tmp_path):
    """A service that answers replies."""
    made = make_runtime(tmp_path / "var")
    yield made
    made.database.engine.dispose()


@pytest.fixture
def leads(runtime):
    """A game in which a player must choose a card: its id, their name, the letter to them, and their legal cards."""
    return choosing(runtime)


def test_help_shows_the_legal_cards_with_links(runtime, leads):
    _, name, letter, may_play = leads
    answer(runtime, letter, mail(name, "help"))
    subject, text = said(runtime)
    assert subject == "How to answer by mail"
    assert all(f"?card={code}" in text for code in may_play)
    assert f"such as {may_play[0]}" in text


@pytest.mark.parametrize(("typed", "lists"), [("help", True), ("Which one?", False)])
def test_only_the_answer_to_help_lists_all_words(runtime, leads, typed, lists):
    _, name, letter, _ = leads
    answer(runtime, letter, mail(name, typed))
    text = said(runtime)[1]
    assert ("away until 3 May" in text) is lists
    assert ('Answer "help" to read which other words work.' in text) is not lists


def test_the_instructions_in_the_answer_fit_the_question(runtime):
    table = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", "Which three?"))
    subject, text = said(runtime)
    assert subject == "We couldn't read your answer"
    assert "Write three cards to pass in the first line, and nothing else." in text
    assert f"such as {typed_pass(table)}," in text


def test_a_player_asked_nothing_reads_whose_turn_it_is(runtime):
    table = start_game(runtime)
    letter = question(runtime, "Ann")
    answer(runtime, letter, mail("Ann", typed_pass(table)))
    answer(runtime, letter, mail("Ann", "And now?"))
    text = said(runtime)[1]
    assert "No turn of yours waits just now." in text
    assert "Waiting for Bo, Cy and Di." in text
    assert "?card=" not in text


def test_words_below_a_card_get_the_link_to_talk(runtime, leads):
    _, name, letter, may_play = leads
    answer(runtime, letter, mail(name, f"{may_play[0]}\n\nhi all, see you tomorrow"))
    subject, text = said(runtime)
    assert subject == "Your answer counts"
    assert "Nobody at the table sees the words below your answer." in text
    assert "#talk\n" in text
    assert "see you tomorrow" not in text


def test_the_answer_to_words_has_no_link_where_nobody_talks(runtime, leads):
    _, name, letter, may_play = leads
    with runtime.database.writing() as session:
        session.get_one(TableRow, letter.table_id).talk = Talk.NONE
    answer(runtime, letter, mail(name, f"{may_play[0]}\n\nhi all"))
    assert "#talk" not in said(runtime)[1]


def test_the_answer_to_an_illegal_card_says_why(runtime, leads):
    table, name, letter, _ = leads
    held = {card_text(card) for card in table.game.held[letter.seat]}
    (foreign, *_) = sorted({"2H", "3H", "4H", "5H", "6H"} - held)
    row = answer(runtime, letter, mail(name, foreign))
    assert row.taken_for == "move"
    assert row.outcome.endswith("is not in your hand.")
    assert answered(runtime) == [f"illegal {foreign}"]
    subject, text = said(runtime)
    assert "may not be played now" in subject
    assert "is not in your hand" in text
    assert "Nothing was played." in text


def test_the_answer_to_a_late_reply_says_what_was_played(runtime, leads):
    table, name, letter, may_play = leads
    runtime.now.pass_by(PACE * 2)
    table.play_for_absent()
    record = answer_to(table.records, Seat(letter.seat), due := acting.Due(1, "trick 1"))
    other = next(code for code in may_play if parse_card(code) != record.turn.card)
    for number in (1, 2):
        answer(runtime, letter, mail(name, other, Message_ID=f"<{number}@home>"))
    assert answered(runtime) == [f"over {due.what}"], "said once"
    assert "The deadline was over. We played" in said(runtime)[1]


def test_the_answer_to_a_late_reply_says_how_to_return(runtime):
    table = start_game(runtime)
    letter, cards = question(runtime, "Ann"), typed_pass(table)
    set_away(runtime, letter.table_id, 0, away=True)
    table.play_for_absent()
    (mine,) = [one.turn for one in table.records if getattr(one.turn, "seat", None) == 0]
    other = " ".join(card_text(card) for card in list(table.game.held[0] - mine.cards)[-3:])
    answer(runtime, letter, mail("Ann", other if other != cards else cards))
    assert answered(runtime) == ["over pass"]
    assert 'Answer "back" to this email' in said(runtime)[1]


@pytest.mark.parametrize(("typed", "code"), [("Ah!", "AH"), ("as", "AS")])
def test_an_exclamation_alone_is_asked_back(runtime, leads, typed, code):
    table, name, letter, _ = leads
    answer(runtime, letter, mail(name, typed))
    assert (answered(runtime), typed_turns(table)) == ([f"doubtful {code}"], [])
    subject, text = said(runtime)
    shown = face(parse_code(code)).text
    assert subject == f"Did you mean {shown}?"
    assert f'To play {shown}, write "{code}" in the first line, in capitals.' in " ".join(text.split())
    assert [line for line in text.splitlines() if parse_answer(line)] == []


def test_letters_with_several_meanings_are_asked_back(runtime, leads, tmp_path):
    table, name, letter, may_play = leads
    with runtime.database.writing() as session:
        session.get_one(PlayerRow, player(runtime, name).id).language = "fr"
    with catalogues(tmp_path, {"fr": {}}):
        answer(runtime, letter, mail(name, "7C"))
        assert (answered(runtime), typed_turns(table)) == (["doubtful 7C 7H"], [])
        subject, text = said(runtime)
        assert subject == "Which card did you mean?"
        assert "different cards in different languages: 7♣\ufe0e, 7♥\ufe0e." in " ".join(text.split())
        assert [line for line in text.splitlines() if parse_answer(line, "fr")] == []
        answer(runtime, letter, mail(name, code_to_teach(may_play[0], "fr"), Message_ID="<2@example.org>"))
    (turn,) = typed_turns(table)
    assert card_text(turn.turn.card) == may_play[0]
