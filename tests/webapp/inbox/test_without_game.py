"""Answers to mails about no game: an invitation is accepted or declined, and any other gets a kind answer."""

import pytest

from tests.answers import answer, mail, said
from tests.cast import NAMES, leave, letters, open_table, seats, start_game
from tests.webapp.tables.another_game import agree, finished_table, invitations
from webapp.games.record.sealed import list_of
from webapp.models import LetterKind, PlayerRow, SeatState
from webapp.outbox import letters as outbox


@pytest.fixture
def invitation(either_runtime):
    """The invitation to Bo of a table that waits for Bo alone."""
    open_table(either_runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(either_runtime, LetterKind.INVITATION)
    return invitation


def bo(runtime, letter):
    return seats(runtime, letter.table_id)[letter.seat]


def our_answers(runtime):
    return letters(runtime, LetterKind.ANSWER)


@pytest.mark.parametrize("typed", ["yes", "OK", "Yes, please."])
def test_yes_accepts_an_invitation(either_runtime, invitation, typed):
    row = answer(either_runtime, invitation, mail("Bo", typed))
    assert (row.taken_for, row.outcome) == ("command", "You have accepted.")
    assert (bo(either_runtime, invitation).state, bo(either_runtime, invitation).name) == (SeatState.ACCEPTED, "Bo")
    leave(either_runtime)
    assert letters(either_runtime, LetterKind.TURNS), "the game has begun"
    assert [one.reason for one in our_answers(either_runtime)] == ["accepted"]


def test_no_declines_an_invitation_and_the_host_hears_of_it(either_runtime, invitation):
    answer(either_runtime, invitation, mail("Bo", "no"))
    assert bo(either_runtime, invitation).state is SeatState.DECLINED
    assert letters(either_runtime, LetterKind.DECLINED)
    assert [one.reason for one in our_answers(either_runtime)] == ["declined"]


def test_nobody_else_can_answer_an_invitation(either_runtime, invitation):
    for name in ("Eve", "Ann"):
        assert answer(either_runtime, invitation, mail(name, "yes")).taken_for == "spoof"
    assert bo(either_runtime, invitation).state is SeatState.INVITED


def test_the_explanation_of_an_unclear_answer_can_be_answered(runtime):
    open_table(runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    answer(runtime, invitation, mail("Bo", "who is that?"))
    (ours,) = our_answers(runtime)
    assert 'write "yes" or "no"' in said(runtime)[1]
    answer(runtime, ours, mail("Bo", "yes"))
    assert bo(runtime, invitation).state is SeatState.ACCEPTED


def test_yes_to_another_game_agrees_but_old_mails_do_nothing(runtime):
    table_id = finished_table(runtime)
    agree(runtime, table_id, 1)
    asked = invitations(runtime)[-1]
    name = seats(runtime, table_id)[asked.seat].name
    with runtime.database.writing() as session:
        asked_before = outbox.LetterRow(**{**asked.model_dump(exclude={"id"}), "dedupe": "old", "message_id": "old"})
        asked_before.game_number = 1
        session.add(asked_before)
    answer(runtime, asked_before, mail(name, "yes"))
    assert seats(runtime, table_id)[asked.seat].state is SeatState.INVITED
    answer(runtime, asked, mail(name, "yes"))
    assert seats(runtime, table_id)[asked.seat].state is SeatState.ACCEPTED


def test_any_other_mail_is_answered_once_with_what_works(runtime):
    start_game(runtime)
    (confirm,) = letters(runtime, LetterKind.CONFIRM)
    for _ in range(2):
        answer(runtime, confirm, mail("Ann", "Thanks!"))
    (ours,) = our_answers(runtime)
    assert (ours.reason, ours.about, ours.thread_id) == ("by_link", "confirm", confirm.message_id)
    assert "that email can't be answered by mail" in said(runtime)[1]


def test_an_answer_from_an_unproved_address_is_answered_there(runtime):
    start_game(runtime)
    (confirm,) = letters(runtime, LetterKind.CONFIRM)
    with runtime.database.writing() as session:
        session.get_one(outbox.LetterRow, confirm.id).address = "new@example.org"
    answer(runtime, confirm, mail("Ann", "Thanks!", From="Ann <new@example.org>"))
    assert [one.address for one in our_answers(runtime)] == ["new@example.org"]


def test_stop_stops_the_mails_of_a_letter_about_no_game(runtime):
    open_table(runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    answer(runtime, invitation, mail("Bo", "stop"))
    with runtime.database.reading() as session:
        assert not session.get_one(PlayerRow, invitation.player_id).invitations
    assert bo(runtime, invitation).state is SeatState.DECLINED


@pytest.mark.parametrize("words", ["", "the cat"])
def test_a_yes_with_words_is_answered_with_a_receipt(runtime, words):
    open_table(runtime, NAMES[:2], robots=2)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    answer(runtime, invitation, mail("Bo", f"yes: {words}"))
    text = " ".join(said(runtime))
    assert ("your part is" in text) is bool(words)
    if words:
        assert bo(runtime, invitation).shuffle_part in text
        assert list_of([None] * 4) in text, "of the others' words before"
        assert words not in text


def test_a_second_yes_with_words_gets_no_receipt(runtime):
    open_table(runtime, NAMES[:3], robots=1)
    (invitation, *_) = letters(runtime, LetterKind.INVITATION)
    for words in ("the first", "the second"):
        answer(runtime, invitation, mail("Bo", f"yes: {words}"))
    assert [one.about is None for one in our_answers(runtime)] == [False, True]
