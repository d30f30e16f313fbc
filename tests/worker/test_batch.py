"""A worker owns its batch of letters until their leases end, and nobody owns them once it has lost them."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlmodel import update

from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from tests.worker.scripted import CUT, HOLD, ScriptedRelay, sent, with_relay
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.outbox.letters import BEGUN, LEASE, MARGIN, claim, new_claim
from worker import postman

AT_RECIPIENT, AT_CONTENT = {"RCPT": [HOLD]}, {"DATA": [HOLD]}
SECOND = timedelta(seconds=1)
OVER = BEGUN + SECOND


@pytest.fixture(params=["sqlite", "postgresql"])
def runtime(request, tmp_path):
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else ""
    made = make_runtime(tmp_path / "var", url, smtp_url="smtp://127.0.0.1:1")
    start_game(made)
    with made.database.writing() as session:  # four questions, and nothing else
        session.exec(update(LetterRow).where(LetterRow.kind != LetterKind.TURNS).values(state=LetterState.SUPERSEDED))
    yield made
    made.database.engine.dispose()


def questions(runtime):
    return letters(runtime, LetterKind.TURNS)


@contextmanager
def a_worker_that_hangs(runtime, script, **settings):
    """A worker at its first letter; the relay is silent until `released`."""
    with ScriptedRelay({step: list(answers) for step, answers in script.items()}) as relay:
        there = with_relay(runtime, relay.url, **settings)
        with ThreadPoolExecutor(1) as pool:
            worker = pool.submit(postman.deliver, there)
            try:
                assert relay.held.wait(30)
                yield relay, there, worker
            finally:
                relay.released.set()


def test_a_slow_relay_holds_up_only_its_own_letter(runtime):
    with a_worker_that_hangs(runtime, AT_RECIPIENT) as (relay, there, worker):
        runtime.now.pass_by(LEASE + SECOND)
        assert postman.deliver(there) == 3, "the others are free"
        runtime.now.pass_by(BEGUN - LEASE - MARGIN - 2 * SECOND)
        assert postman.deliver(there) == 0
        relay.released.set()
        worker.result()
        assert len(sent(relay)) == 4
        assert set(sent(relay).values()) == {1}


@pytest.mark.parametrize("script", [AT_RECIPIENT, AT_CONTENT], ids=["at the recipient", "before the content"])
def test_a_frozen_worker_sends_nothing_that_another_has_claimed(runtime, script):
    with a_worker_that_hangs(runtime, script) as (relay, there, worker):
        runtime.now.pass_by(OVER)
        assert postman.deliver(there) == 4, "another worker has all of them"
        relay.released.set()
        worker.result()
        assert len(sent(relay)) == 4
        assert set(sent(relay).values()) == {1}
    assert [(one.state, one.tries) for one in questions(runtime)] == [(LetterState.SENT, 1)] * 4


def test_a_frozen_worker_leaves_letters_that_another_has_claimed(runtime):
    with a_worker_that_hangs(runtime, AT_RECIPIENT) as (relay, _, worker):
        runtime.now.pass_by(OVER)
        with runtime.database.writing() as session:
            assert len(claim(session, runtime.now(), 50, other := new_claim())) == 4
        relay.released.set()
        worker.result()
        assert relay.kept == []
    assert [(one.state, one.claimed_by) for one in questions(runtime)] == [(LetterState.QUEUED, other)] * 4


def test_a_frozen_worker_goes_on_with_what_nobody_has_claimed(runtime):
    with a_worker_that_hangs(runtime, AT_RECIPIENT) as (relay, _, worker):
        runtime.now.pass_by(OVER)
        relay.released.set()
        worker.result()
        assert len(sent(relay)) == 4, "the current letter is claimed again, the others are still its own"
        assert set(sent(relay).values()) == {1}


def test_a_refusal_to_a_worker_without_the_letter_changes_nothing(runtime):
    with a_worker_that_hangs(runtime, {"RCPT": [HOLD], "DATA": [CUT]}) as (relay, _, worker):
        runtime.now.pass_by(OVER)
        with runtime.database.writing() as session:
            claim(session, runtime.now(), 50, new_claim())
        before = questions(runtime)
        relay.released.set()
        worker.result()
    assert [one.model_dump(exclude={"message", "subject"}) for one in questions(runtime)] == [
        one.model_dump(exclude={"message", "subject"}) for one in before
    ]


def test_a_letter_sent_after_its_lease_is_not_sent_again(runtime):
    with a_worker_that_hangs(runtime, {"dot": [HOLD]}) as (relay, there, worker):
        runtime.now.pass_by(OVER)
        with runtime.database.writing() as session:
            claim(session, runtime.now(), 1, new_claim())
        relay.released.set()
        worker.result()
        runtime.now.pass_by(OVER)
        postman.deliver(there)
        assert set(sent(relay).values()) == {1}
