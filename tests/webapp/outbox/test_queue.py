"""The queue as its operator sees it: which letters it lists, in which order, and which can be queued again."""

from datetime import timedelta

import pytest
from sqlmodel import update

from tests.cast import letters, start_game
from tests.webapp.noted import noted
from webapp.models import LetterKind, LetterRow, LetterState, OperatorAct
from webapp.outbox import holding
from webapp.outbox.letters import NO_ADDRESS

MINUTE = timedelta(minutes=1)


@pytest.fixture
def rows(runtime):
    """A function that gives the four questions of a game these columns, one each, and returns their numbers."""
    start_game(runtime)
    ids = [letter.id for letter in letters(runtime, LetterKind.TURNS)]

    def give(*columns):
        with runtime.database.writing() as session:
            session.exec(update(LetterRow).values(state=LetterState.SENT, next_at=None))
            for letter_id, values in zip(ids, columns, strict=True):
                session.exec(update(LetterRow).where(LetterRow.id == letter_id).values(**values))
        return ids

    return give


def test_letters_due_or_tried_wait_oldest_first(runtime, rows):
    now, owed = runtime.now(), {"state": LetterState.QUEUED}
    due, tried, _, oldest = rows(
        {**owed, "next_at": now, "created_at": now},
        {**owed, "next_at": now + MINUTE, "tries": 1, "created_at": now - MINUTE},
        {**owed, "next_at": now + MINUTE, "created_at": now - 9 * MINUTE},
        {**owed, "next_at": now - MINUTE, "created_at": now - 2 * MINUTE},
    )
    with runtime.database.reading() as session:
        assert [letter.id for letter in holding.waiting(session, now, 9)] == [oldest, tried, due]
        assert [letter.id for letter in holding.waiting(session, now, 2)] == [oldest, tried]


@pytest.mark.parametrize(
    ("tries", "problem", "text"),
    [
        (0, None, ""),
        (1, None, "tried once: "),
        (2, "450 <bo@example.org> later", "tried 2 times: 450 <(an address)> later"),
    ],
)
def test_a_letter_tells_its_tries_and_quotes_no_address(tries, problem, text):
    letter = LetterRow(kind=LetterKind.TURNS, tries=tries, problem=problem)
    assert holding.tried_text(letter) == text


def test_letters_that_were_given_up_are_listed_the_newest_first(runtime, rows):
    refused = {"state": LetterState.FAILED}
    one, _, three, four = rows(refused, {"state": LetterState.BOUNCED}, refused, refused)
    with runtime.database.reading() as session:
        assert [letter.id for letter in holding.failed(session, 9)] == [four, three, one]
        assert [letter.id for letter in holding.failed(session, 1)] == [four]


def test_a_failed_letter_can_be_queued_again_as_new(runtime, rows):
    refused = {"state": LetterState.FAILED, "tries": 7, "problem": "550 no", "claimed_by": "a worker"}
    deleted = {**refused, "address": NO_ADDRESS}
    named, other, sent, forgotten = rows(refused, refused, {"state": LetterState.SENT}, deleted)
    with runtime.database.writing() as session:
        assert holding.retry(session, [named, sent, forgotten, 999], "ann", runtime.now()) == {named}
    row, unnamed = (next(one for one in letters(runtime) if one.id == number) for number in (named, other))
    assert (row.state, row.next_at, row.tries) == (LetterState.QUEUED, runtime.now(), 0)
    assert (row.problem, row.claimed_by) == (None, None)
    assert (unnamed.state, unnamed.tries) == (LetterState.FAILED, 7)
    assert noted(runtime) == [(OperatorAct.RETRY, f"letter {named}")]
