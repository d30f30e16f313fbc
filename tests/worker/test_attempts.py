"""When a question is tried again: in good time before its deadline, and unchanged if it may have arrived."""

import pytest
from sqlmodel import update

from tests.cast import address, letters, start_game
from tests.webapp.outbox.late import HOUR, MINUTE, STEP, TEN, questions, run_for
from tests.worker.scripted import ScriptedRelay, with_relay
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.presentation.phrasing import timestamp
from worker import postman


def only_bo_is_asked(runtime):
    """Leaves nothing else queued."""
    letters(runtime)  # a worker has looked
    with runtime.database.writing() as session:
        others = update(LetterRow).where((LetterRow.kind != LetterKind.TURNS) | (LetterRow.seat != 1))
        session.exec(others.values(state=LetterState.SENT, sent_at=runtime.now(), next_at=None))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"RCPT": ["450 4.2.0 greylisted"] * 9}, id="greylisted"),
        pytest.param({"RCPT": ["451 4.7.1 slow down"] * 9}, id="slow down"),
        pytest.param({"dot": ["cut"]}, id="it may have arrived"),
    ],
)
def test_a_question_is_retried_in_good_time(runtime, answer):
    start_game(runtime, pace=TEN)
    only_bo_is_asked(runtime)
    runtime.now.pass_by(6 * MINUTE)
    with ScriptedRelay(answer) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    (question,) = questions(runtime, 1)
    assert question.tries == 1
    assert question.next_at - runtime.now() <= MINUTE


def test_throttling_for_an_hour_delays_no_question_until_its_deadline(runtime, smtp_server):
    start_game(runtime, pace=TEN)
    asked_at = runtime.now()
    with runtime.database.writing() as session:
        postman.holding.pause(session, "example.org", asked_at + HOUR, "421")
    run_for(runtime, TEN - MINUTE)
    assert {letter.sent_at - asked_at <= TEN / 4 + STEP for letter in questions(runtime)} == {True}
    assert smtp_server.to(address("Bo"))


def test_a_deferred_question_names_the_deadline_of_its_sending(runtime, smtp_server):
    table = start_game(runtime, pace=TEN)
    only_bo_is_asked(runtime)
    with ScriptedRelay({"RCPT": ["450 4.2.0 greylisted"]}) as scripted:
        postman.deliver(with_relay(runtime, scripted.url))
    runtime.now.pass_by(3 * MINUTE)
    postman.deliver(runtime)
    (mail,) = smtp_server.to(address("Bo"))
    assert table.due_at == runtime.now() + TEN
    assert timestamp(table.due_at, runtime.now(), "UTC").text.partition(" (")[0] in mail.text


def test_a_question_that_may_have_arrived_is_resent_unchanged(runtime):
    start_game(runtime, pace=TEN)
    only_bo_is_asked(runtime)
    with ScriptedRelay({"dot": ["cut"]}) as scripted:
        there = with_relay(runtime, scripted.url)
        postman.deliver(there)
        runtime.now.pass_by(3 * MINUTE)
        postman.deliver(there)
    assert len(scripted.kept) == 2
    assert len(set(scripted.kept)) == 1
