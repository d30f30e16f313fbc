"""Old letters after a month: all lose their texts, and those that no worker ever sent in an ended game are deleted."""

from datetime import timedelta

import pytest
from sqlmodel import update

from tests.cast import NAMES, letters, load, open_table, start_game
from webapp.models import GameRow, LetterKind, LetterRow, LetterState, OperatorAct, OperatorActRow
from webapp.outbox import old_letters
from webapp.outbox.old_letters import KEPT_FOR, delete_unsent, forget_texts
from worker import postman

HOUR = timedelta(hours=1)


@pytest.fixture
def game_id(either_runtime):
    return start_game(either_runtime)


@pytest.fixture
def answered(either_runtime, game_id):
    """The numbers of the game's questions, all answered before they went. There are more letters of a later time."""
    with either_runtime.database.writing() as session:
        session.exec(
            update(LetterRow)
            .where(LetterRow.kind == LetterKind.PASS)
            .values(state=LetterState.SUPERSEDED, next_at=None)
        )
    start_game(either_runtime)
    return {one.id for one in letters(either_runtime, LetterKind.PASS) if one.game_id == game_id}


def end(runtime, game_id, ago):
    with runtime.database.writing() as session:
        session.get_one(GameRow, game_id).ended_at = runtime.now() - ago


def deleted(runtime):
    """The numbers of the letters that are deleted now."""
    before = {one.id for one in letters(runtime)}
    count = delete_unsent(runtime, runtime.now())
    gone = before - {one.id for one in letters(runtime)}
    assert len(gone) == count
    return gone


def test_what_nobody_got_goes_a_month_after_the_game(either_runtime, game_id, answered, monkeypatch):
    monkeypatch.setattr(old_letters, "AT_ONCE", 3)
    assert len(answered) > 3
    assert deleted(either_runtime) == set()
    end(either_runtime, game_id, KEPT_FOR - HOUR)
    assert deleted(either_runtime) == set()
    end(either_runtime, game_id, KEPT_FOR + HOUR)
    assert deleted(either_runtime) == answered
    assert deleted(either_runtime) == set()


@pytest.mark.parametrize(
    "got",
    [
        {"subject": "Your turn"},
        {"sent_at": True},
        {"notified_at": True},
        {"state": LetterState.QUEUED},
        {"state": LetterState.HELD},
        {"state": LetterState.NOTIFIED},
        {"state": LetterState.FAILED},
    ],
    ids=str,
)
def test_what_somebody_may_have_got_or_will_get_stays(either_runtime, game_id, answered, got):
    one = min(answered)
    end(either_runtime, game_id, KEPT_FOR + HOUR)
    values = {name: either_runtime.now() if value is True else value for name, value in got.items()}
    with either_runtime.database.writing() as session:
        session.exec(update(LetterRow).where(LetterRow.id == one).values(**values))
    assert deleted(either_runtime) == answered - {one}


def test_a_letter_that_an_operator_noted_stays(either_runtime, game_id, answered):
    one = min(answered)
    end(either_runtime, game_id, KEPT_FOR + HOUR)
    with either_runtime.database.writing() as session:
        session.add(OperatorActRow(at=either_runtime.now(), by="ann", act=OperatorAct.RETRY, letter_id=one))
    assert deleted(either_runtime) == answered - {one}


def test_the_newest_letter_stays_so_that_its_number_stays_unique(either_runtime):
    game_id = start_game(either_runtime)
    with either_runtime.database.writing() as session:
        session.exec(update(LetterRow).values(state=LetterState.SUPERSEDED, next_at=None, subject=None, sent_at=None))
    end(either_runtime, game_id, KEPT_FOR + HOUR)
    about_game = {one.id for one in letters(either_runtime) if one.game_id == game_id}
    newest = max(one.id for one in letters(either_runtime))
    assert newest in about_game
    assert deleted(either_runtime) == about_game - {newest}


def test_the_game_is_whole_without_them(either_runtime, game_id, answered):
    before = load(either_runtime, game_id).records
    end(either_runtime, game_id, KEPT_FOR + HOUR)
    assert deleted(either_runtime)
    assert load(either_runtime, game_id).records == before


def sent(runtime):
    return [letter for letter in letters(runtime) if letter.sent_at]


def test_old_bodies_are_deleted_and_the_rows_kept(runtime, monkeypatch):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    runtime.now.pass_by(KEPT_FOR + HOUR)
    monkeypatch.setattr(old_letters, "AT_ONCE", 1)  # letter in a transaction
    assert forget_texts(runtime, runtime.now()) == 2
    assert [letter.message for letter in sent(runtime)] == [None, None]
    assert forget_texts(runtime, runtime.now()) == 0


def test_a_letter_queued_again_during_the_cleaning_keeps_its_body(runtime, monkeypatch):
    open_table(runtime, NAMES[:2], robots=2)
    postman.deliver(runtime)
    runtime.now.pass_by(KEPT_FOR + HOUR)
    again = sent(runtime)[0].id
    find = old_letters._old_with_text

    def find_and_queue(session, last, *, now):
        found = find(session, last, now=now)
        with runtime.database.writing() as other:
            other.get_one(LetterRow, again).state = LetterState.QUEUED
        return found

    monkeypatch.setattr(old_letters, "_old_with_text", find_and_queue)
    assert forget_texts(runtime, runtime.now()) == 1
    assert [bool(letter.message) for letter in sent(runtime)] == [True, False]
