"""Old letters lose their texts after a month."""

from datetime import timedelta

from tests.cast import NAMES, letters, open_table
from webapp.models import LetterRow, LetterState
from webapp.outbox import letters as outbox
from webapp.outbox.letters import KEPT_FOR, forget_texts
from worker import postman

HOUR = timedelta(hours=1)


def sent(runtime):
    return [letter for letter in letters(runtime) if letter.sent_at]


def test_old_bodies_are_deleted_and_the_rows_kept(runtime, monkeypatch):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    runtime.now.pass_by(KEPT_FOR + HOUR)
    monkeypatch.setattr(outbox, "AT_ONCE", 1)  # letter in a transaction
    assert forget_texts(runtime, runtime.now()) == 2
    assert [letter.message for letter in sent(runtime)] == [None, None]
    assert forget_texts(runtime, runtime.now()) == 0


def test_a_letter_queued_again_during_the_cleaning_keeps_its_body(runtime, monkeypatch):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    runtime.now.pass_by(KEPT_FOR + HOUR)
    again = sent(runtime)[0].id
    find = outbox._old_with_text

    def find_and_queue(session, last, *, now):
        found = find(session, last, now=now)
        with runtime.database.writing() as other:
            other.get_one(LetterRow, again).state = LetterState.QUEUED
        return found

    monkeypatch.setattr(outbox, "_old_with_text", find_and_queue)
    assert forget_texts(runtime, runtime.now()) == 1
    assert [bool(letter.message) for letter in sent(runtime)] == [True, False]
