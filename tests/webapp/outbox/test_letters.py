"""Letters about a game: those stale once somebody else has the seat, and those composed again after a refusal.

And that a Message-ID cannot be guessed.
"""

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlmodel import select, update

from tests.cast import letters, start_game
from tests.runtimes import make_runtime
from webapp.models import LetterKind, LetterRow, LetterState
from webapp.outbox.letters import LEASE, claim, count_queued, hand_back, held_letters, is_stale, new_claim, put_off
from worker import attempts
from worker.relay import NotSent, SmtpStep


@pytest.mark.parametrize(
    ("kind", "stale"),
    [
        (LetterKind.ANSWER, True),
        (LetterKind.SCORE_SHEET, False),
        (LetterKind.FINAL_SHEET, False),
    ],
)
def test_a_former_player_gets_sheets_but_no_cards(runtime, kind, stale):
    stored = start_game(runtime).to_change()
    letter = letters(runtime, LetterKind.TURNS)[1]
    letter.kind = kind
    stored.seats[letter.seat].player_id = stored.seats[0].player_id
    assert is_stale(letter, stored) is stale


@pytest.mark.parametrize(
    ("kind", "is_composed_anew"),
    [
        (LetterKind.TURNS, True),
        (LetterKind.SCORE_SHEET, False),
        (LetterKind.INVITATION, False),
    ],
)
def test_a_refused_mail_that_names_a_deadline_is_composed_anew(runtime, kind, is_composed_anew):
    start_game(runtime)
    question, claim = letters(runtime, LetterKind.TURNS)[0], new_claim()
    with runtime.database.writing() as session:
        letter = session.merge(question)
        letter.kind, letter.message, letter.claimed_by = kind, "as composed", claim
    with runtime.database.writing() as session:
        attempts.note_refusal(session, question.id, claim, NotSent(SmtpStep.RECIPIENT, 450), runtime.now(), is_new=True)
    with runtime.database.reading() as session:
        assert (session.get_one(LetterRow, question.id).message is None) is is_composed_anew


def test_nobody_without_the_secret_key_can_compute_a_message_id(tmp_path):
    keys = [f"the key of service {name} for tests only" for name in ("one", "two")]
    services = [make_runtime(tmp_path / str(number), secret_keys=key) for number, key in enumerate(keys)]
    for service in services:
        start_game(service)
    one, two = ({letter.dedupe: letter.message_id for letter in letters(service)} for service in services)
    assert one.keys() == two.keys()
    assert not set(one.values()) & set(two.values())
    for service in services:
        service.database.engine.dispose()


SECOND = timedelta(seconds=1)
WAITED = (2, 0, 3, 1)  # seconds, by question


@pytest.fixture
def ids(either_runtime):
    """The numbers of four queued questions."""
    return queued(either_runtime)


def queued(runtime):
    """Makes the four questions of a game due, and nothing else. Returns their numbers."""
    start_game(runtime)
    number = [letter.id for letter in letters(runtime, LetterKind.TURNS)]
    with runtime.database.writing() as session:
        session.exec(update(LetterRow).values(state=LetterState.SENT, next_at=None))
        for letter_id, waited in zip(number, WAITED, strict=True):
            row = session.get_one(LetterRow, letter_id)
            row.state, row.next_at = LetterState.QUEUED, runtime.now() - waited * SECOND
    return number


def claimed(runtime, most, by):
    with runtime.database.writing() as session:
        return list(claim(session, runtime.now(), most, by))


def held(runtime, by):
    with runtime.database.reading() as session:
        return {one.id for one in held_letters(session, session.exec(select(LetterRow.id)).all(), by)}


def test_the_longest_waiting_are_claimed_first_with_their_players(either_runtime, ids):
    now, found = either_runtime.now(), [(one.kind, one.player_id) for one in letters(either_runtime, LetterKind.TURNS)]
    with either_runtime.database.writing() as session:
        assert claim(session, now - 2 * SECOND, 9, "early") == {ids[0]: found[0], ids[2]: found[2]}
        assert claim(session, now, 1, "one") == {ids[3]: found[3]}
        assert claim(session, now, 9, "rest") == {ids[1]: found[1]}
        assert claim(session, now, 9, "none") == {}


def test_a_letter_of_a_newer_version_is_left_to_that(either_runtime, ids):
    with either_runtime.database.writing() as session:
        session.connection().execute(text("UPDATE letter SET kind = 'newer' WHERE id = :id"), {"id": ids[0]})
    with either_runtime.database.writing() as session:
        claimed = claim(session, either_runtime.now(), 10, new_claim())
    assert list(claimed) == ids[1:]


def test_a_letter_is_claimed_again_only_after_its_lease(either_runtime, ids):
    claimed(either_runtime, 9, "first")
    either_runtime.now.pass_by(LEASE - SECOND / 1000)
    assert claimed(either_runtime, 9, "second") == []
    either_runtime.now.pass_by(SECOND / 1000)
    assert claimed(either_runtime, 9, "second") == ids


def test_a_letter_that_was_answered_meanwhile_is_held_by_nobody(either_runtime, ids):
    claimed(either_runtime, 9, "ours")
    with either_runtime.database.writing() as session:
        session.get_one(LetterRow, ids[0]).state = LetterState.SUPERSEDED
    with either_runtime.database.writing() as session:
        assert [letter.id for letter in held_letters(session, ids, "ours")] == ids[1:]


def test_only_letters_handed_back_can_be_claimed_at_once(either_runtime, ids):
    claimed(either_runtime, 2, "theirs")
    claimed(either_runtime, 2, "ours")
    with either_runtime.database.writing() as session:
        hand_back(session, ids, "ours", either_runtime.now())
    assert claimed(either_runtime, 9, "next") == [ids[1], ids[3]]


def test_a_locked_letter_keeps_its_lease_and_holds_up_nobody(tmp_path, postgres_url):
    runtime = make_runtime(tmp_path / "var", postgres_url)  # SQLite locks no rows
    ids = queued(runtime)
    claimed(runtime, 9, "ours")
    with runtime.database.writing() as other:
        other.exec(select(LetterRow).where(LetterRow.id == ids[0]).with_for_update()).one()
        with runtime.database.writing() as session:
            session.connection().execute(text("SET LOCAL lock_timeout = '5s'"))
            assert [one.id for one in held_letters(session, ids, "ours", even_locked=False)] == ids[1:]
            hand_back(session, ids, "ours", runtime.now())
    assert claimed(runtime, 9, "next") == ids[1:]
    runtime.database.engine.dispose()


def test_a_letter_put_off_waits_in_the_queue_for_anybody(runtime):
    letter = LetterRow(state=LetterState.SENT, claimed_by="ours")
    put_off(letter, runtime.now())
    assert (letter.state, letter.next_at, letter.claimed_by) == (LetterState.QUEUED, runtime.now(), None)


def test_what_is_due_and_unclaimed_is_counted(either_runtime, ids):
    now = either_runtime.now()
    with either_runtime.database.writing() as session:
        assert count_queued(session, now) == 4
        assert count_queued(session, now - 2 * SECOND) == 2
        claim(session, now, 3, "ours")
        assert count_queued(session, now) == 1


def test_no_two_claims_have_the_same_name():
    assert len({new_claim() for _ in range(100)}) == 100
